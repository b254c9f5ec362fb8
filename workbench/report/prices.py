"""What tokens cost: prices and a number of requests that somebody assumes, and what sparse reading saves under them."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from ..documents.surrogates import without_surrogates
from ..errors import FileMissing, InvalidOption
from ..wording import checked_language

SHIPPED = Path(__file__).resolve().parent / "prices.json"

MOST_PER_MILLION = 100_000
MOST_REQUESTS = 1_000_000_000
MOST_MODELS = 20
LONGEST_NAME = 80
LONGEST_CURRENCY = 8

_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Categories of what steers the text around it: controls, formats such as a change of direction, line ends."""

_FIELDS = ("currency", "requests_per_day", "days_per_year", "models", "shown")


@dataclass(frozen=True, slots=True)
class Price:
    """What a model charges for a million input tokens.

    Raises
    ------
    InvalidOption
        For a name that is empty, longer than 80 characters or has one that nobody sees, and a price that is not from 0
        to 100,000.
    """

    name: str
    per_million: float

    def __post_init__(self) -> None:
        _check_text("name", self.name, LONGEST_NAME)
        _check_number("per_million", self.per_million, 0, MOST_PER_MILLION)


@dataclass(frozen=True, slots=True)
class PricedRow:
    """What one model costs and what is saved, in the table's currency; a loss is negative."""

    name: str
    per_million: float
    whole: float
    kept: float
    per_request: float
    per_day: float
    per_year: float


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices of models, and how often one of them is asked.

    Attributes
    ----------
    models : tuple of Price
        1 to 20.
    currency : str
        At most 8 characters, each of which is seen.
    requests_per_day, days_per_year : int
        1 to 1,000,000,000 and 1 to 366.
    shown : int
        Which of the models the head of a report reckons with, from 0.

    Raises
    ------
    InvalidOption
        For a value outside its range; the message names the field and the value.

    Examples
    --------
    >>> table = PriceTable((Price("ours", 2.0),), requests_per_day=100, days_per_year=250)
    >>> table.saved(50_000, 5_000)[0].per_year
    2250.0
    """

    models: tuple[Price, ...]
    currency: str = "USD"
    requests_per_day: int = 1000
    days_per_year: int = 250
    shown: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.models, list | tuple):
            raise InvalidOption(f"models is {self.models!r:.40}; give a tuple of Price.")
        for price in self.models:
            if not isinstance(price, Price):
                raise InvalidOption(f"models holds {price!r:.40}; give a tuple of Price.")
        object.__setattr__(self, "models", tuple(self.models))
        if not 1 <= len(self.models) <= MOST_MODELS:
            raise InvalidOption(f"models has {len(self.models)} prices; give 1 to {MOST_MODELS}.")
        _check_text("currency", self.currency, LONGEST_CURRENCY)
        _check_whole("requests_per_day", self.requests_per_day, 1, MOST_REQUESTS)
        _check_whole("days_per_year", self.days_per_year, 1, 366)
        _check_whole("shown", self.shown, 0, len(self.models) - 1)

    def saved(self, tokens_whole: int, tokens_kept: int) -> tuple[PricedRow, ...]:
        """Return what each model costs for the whole document and for what was kept of it, a row each.

        Raises
        ------
        InvalidOption
            For a negative number of tokens.
        """
        for name, tokens in (("tokens_whole", tokens_whole), ("tokens_kept", tokens_kept)):
            if tokens < 0:
                raise InvalidOption(f"{name} is {tokens}; a number of tokens is 0 or more.")
        return tuple(self._row(price, tokens_whole, tokens_kept) for price in self.models)

    def _row(self, price: Price, tokens_whole: int, tokens_kept: int) -> PricedRow:
        whole, kept = (tokens * price.per_million / 1_000_000 for tokens in (tokens_whole, tokens_kept))
        per_request = (tokens_whole - tokens_kept) * price.per_million / 1_000_000
        per_day = per_request * self.requests_per_day
        return PricedRow(price.name, price.per_million, whole, kept, per_request, per_day, per_day * self.days_per_year)

    @classmethod
    def load(cls, path: str | Path) -> PriceTable:
        """Read a table from a JSON file: ``currency``, ``requests_per_day``, ``days_per_year``, ``models``, ``shown``.

        Each of ``models`` has a ``name`` and a price ``per_million`` input tokens; only ``models`` must be there.

        Raises
        ------
        FileMissing
            If there is no such file.
        InvalidOption
            If it is not JSON, or a field is unknown, missing or outside its range.
        """
        try:
            raw = Path(path).read_bytes()
        except OSError as error:
            raise FileMissing(
                f"The prices {path} cannot be read ({error.strerror or error}); give the path of a JSON file."
            ) from error
        try:
            return _table(json.loads(raw.decode("utf-8-sig")))
        except (ValueError, RecursionError) as error:
            raise InvalidOption(
                f"The prices {path} are not JSON ({error!s:.120}); give an object with models."
            ) from error
        except InvalidOption as error:
            raise InvalidOption(f"The prices {path} cannot be used: {error}") from error


def shipped_prices(language: str) -> PriceTable:
    """Return the table that ships: three models named by their size, at round prices that are no vendor's.

    Raises
    ------
    InvalidOption
        For a language without words.
    """
    checked_language(language)
    values = json.loads(SHIPPED.read_text(encoding="utf-8"))
    models = [model | {"name": model["name"][language]} for model in values["models"]]
    return _table(values | {"models": models})


def amount(value: float) -> str:
    """Return an amount of money as a page shows it: fewer decimals the larger it is, two digits or more below one.

    Examples
    --------
    >>> [amount(value) for value in (1234567.8, 12.5, 0.5, 0.01234, 0.0000004, -3, 0)]
    ['1,234,568', '12.50', '0.50', '0.012', '0.0000004', '−3.00', '0']
    """
    size = abs(value)
    if size < 1e-9:
        return "0"
    places = 0 if size >= 100 else 2 if size >= 1 else 1 - math.floor(math.log10(size))
    rounded = Decimal(size).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{rounded:,f}"
    if size < 1:
        text = text.rstrip("0")
        text = text.ljust(text.index(".") + 3, "0")
    return f"{'−' if value < 0 else ''}{text}"


def _table(values: Any) -> PriceTable:
    if not isinstance(values, Mapping):
        raise InvalidOption(f"the file holds {values!r:.40}; it must hold an object with models.")
    _check_fields("", values, _FIELDS)
    models = values.get("models")
    if not isinstance(models, list):
        raise InvalidOption(f'models is {models!r:.40}; give a list such as [{{"name": "ours", "per_million": 2}}].')
    return PriceTable(
        models=tuple(_price(rank, model) for rank, model in enumerate(models)),
        **{name: values[name] for name in _FIELDS if name in values and name != "models"},
    )


def _price(rank: int, model: Any) -> Price:
    if not isinstance(model, Mapping):
        raise InvalidOption(f"models[{rank}] is {model!r:.40}; give an object with a name and a price per_million.")
    _check_fields(f"models[{rank}].", model, ("name", "per_million"))
    for name in ("name", "per_million"):
        if name not in model:
            raise InvalidOption(f"models[{rank}].{name} is missing; give each model a name and a price per_million.")
    try:
        return Price(model["name"], model["per_million"])
    except InvalidOption as error:
        raise InvalidOption(f"models[{rank}].{error}") from error


def _check_fields(where: str, values: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in values:
        if name not in known:
            raise InvalidOption(f"{where}{name} is not a field of a price table; choose from {', '.join(known)}.")


def _check_text(name: str, value: Any, longest: int) -> None:
    if not isinstance(value, str) or not value.strip() or len(value) > longest or value != without_surrogates(value):
        raise InvalidOption(f"{name} is {value!r:.40}; give a text of 1 to {longest} characters.")
    for character in value:
        if unicodedata.category(character) in _UNSEEN:
            raise InvalidOption(
                f"{name} is {value!r:.40}, which has the character U+{ord(character):04X}, that nobody sees; leave it "
                "out."
            )


def _check_number(name: str, value: Any, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise InvalidOption(f"{name} is {value!r:.40}; give a number from {least:,} to {most:,}.")


def _check_whole(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidOption(f"{name} is {value!r:.40}; give a whole number from {least:,} to {most:,}.")


DEFAULT = shipped_prices("en")
