"""Whether a page's text layer is text: garbage scores low, text of many languages scores high."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.formats.pdf.page.legibility import LEAST_LEGIBLE, legibility

from ..pdf_files import prose

TEXTS = {
    "English": prose(8),
    "German": "Der Ausschuss hat im Frühjahr den Bedingungen des Darlehens zugestimmt und den Bericht gebilligt. " * 3,
    "French": "Le comité a approuvé les conditions du prêt au printemps et publié le rapport annuel en mars. " * 3,
    "Polish": "Komisja zatwierdziła wiosną warunki pożyczki i przyjęła sprawozdanie roczne za ubiegły rok. " * 3,
    "Finnish": "Komitea hyväksyi keväällä lainan ehdot ja julkaisi vuosikertomuksen maaliskuussa ennen kokousta. " * 3,
    "Chinese": "委员会在春季批准了贷款条件，并在三月公布了年度报告。" * 6,
    "Russian": "Комитет весной утвердил условия займа и в марте опубликовал годовой отчёт. " * 3,
    "Greek": "Η επιτροπή ενέκρινε την άνοιξη τους όρους του δανείου και δημοσίευσε την έκθεση. " * 3,
    "numbers": " ".join(f"{n},{n:03}.50 ({n}%)" for n in range(120)),
    "code": "for index in range(10):\n    total += values[index] * weights[index]\n" * 4,
    "short": "Exhibit 99.1",
}


CODES = {
    "a Chinese table": "表 2-2 高效型额定性能\n型号 制冷量 kW 输入功率 kW 冷冻水量 m³/h 蒸发器压降 kPa\n"
    + "\n".join(f"LCWF-{number}B {number * 3} {number / 2} {number / 7:.1f} 58" for number in range(100, 480, 8)),
    "an English table": "Spare parts of the pumps\nPart Fits kW kPa\n"
    + "\n".join(f"WXG-{number}/B MX-{number} {number * 3} 58" for number in range(100, 480, 8)),
    "codes without digits": "Depot Plug Carrier\n" + "\n".join(["WXG KHV YYZ CPH"] * 30),
    "Chinese with units": "額定功率以 kW 計，壓降以 kPa 計，流量以 m³/h 計。" * 30
    + " ".join(f"{a}{b}{c}" for a in "WXYZ" for b in "GKPV" for c in "BCFQ"),
    "Russian with codes": TEXTS["Russian"] * 3 + " ".join(f"{a}{b}{c}" for a in "WXYZ" for b in "GKPV" for c in "BCFQ"),
    "digests": " ".join(f"{number**5:x}{number:x}" for number in range(1_000, 1_080)),
}


@pytest.mark.parametrize("name", CODES)
def test_codes_are_not_taken_for_the_letters_of_a_shifted_font(name: str) -> None:
    assert legibility(CODES[name]) >= 0.95


@pytest.mark.parametrize("name", TEXTS)
def test_text_is_legible(name: str) -> None:
    assert legibility(TEXTS[name]) >= 0.95


def test_bullets_with_private_codes_do_not_make_a_page_illegible() -> None:
    assert legibility("\n".join(f"\uf0b7 {line}." for line in prose(8).split(". "))) >= LEAST_LEGIBLE


@pytest.mark.parametrize(
    "text",
    [
        "(cid:12)(cid:8)(cid:30) " * 20,
        "".join(chr(ord(c) + 3) if c != " " else c for c in prose(4)),
        "".join(chr(ord(c) - 29) if c.isalpha() else c for c in prose(4)),
        "".join(chr(1 + ord(c) % 8) if c.isalpha() else c for c in prose(4)),
        "".join(chr(0xE000 + ord(c)) if c.isalpha() else c for c in prose(4)),
        "\ufffd" * 30,
        " ".join("".join(prose(2, n).split()) for n in range(16)),
        "\n".join(f"{n}.5 " + "".join(chr(ord(c) + 3) if c.isalpha() else c for c in prose(1, n)) for n in range(8)),
        TEXTS["Chinese"][:40] + "".join(chr(ord(c) + 3) if c.isalpha() else c for c in prose(8)),
    ],
    ids=[
        "cid",
        "shifted up",
        "shifted down",
        "control",
        "private",
        "replacement",
        "no spaces",
        "shifted beside numbers",
        "shifted below a Chinese title",
    ],
)
def test_garbage_is_illegible(text: str) -> None:
    assert legibility(text) < LEAST_LEGIBLE


def test_nothing_is_legible() -> None:
    assert legibility("") == legibility(" \r\n\t") == 1.0


@given(st.text(max_size=400))
def test_a_score_is_a_share(text: str) -> None:
    assert 0.0 <= legibility(text) <= 1.0


@given(st.text(st.sampled_from("etaoin shrdlu."), max_size=200), st.integers(0, 40))
def test_control_characters_never_raise_the_score(text: str, count: int) -> None:
    assert legibility(text + "\x02" * count) <= legibility(text)
