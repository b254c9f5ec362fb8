"""Text that may hold lone surrogates: a damaged file spells them, and no file, table or tokenizer takes them."""

from __future__ import annotations


def without_surrogates(text: str) -> str:
    """Return text that every encoding of Unicode can hold, of the same length unless it holds pairs of surrogates.

    A lone surrogate becomes the replacement character, a pair the character that it stands for.

    Examples
    --------
    >>> without_surrogates("Caf\\udce9 \\ud83d\\ude00")
    'Caf\ufffd 😀'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
