from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import FileMissing, InvalidOption
from workbench.report import Price, PriceTable
from workbench.report.prices import DEFAULT, amount, shipped_prices

TOKENS = st.integers(0, 10_000_000)
PRICES = st.floats(0, 100_000)


def written(folder: Path, values: Any) -> Path:
    path = folder / "prices.json"
    path.write_text(values if isinstance(values, str) else json.dumps(values), "utf-8")
    return path


def test_the_table_that_ships_names_models_by_their_size_in_both_languages() -> None:
    assert [(price.name, price.per_million) for price in DEFAULT.models] == [
        ("small model", 0.1), ("medium model", 1.0), ("large model", 5.0)
    ]  # fmt: skip
    chinese = shipped_prices("zh")
    assert [price.name for price in chinese.models] == ["小型模型", "中型模型", "大型模型"]
    assert [price.per_million for price in chinese.models] == [price.per_million for price in DEFAULT.models]


def test_a_row_adds_up_from_request_to_year() -> None:
    table = PriceTable((Price("ours", 2.0),), requests_per_day=100, days_per_year=250)
    (row,) = table.saved(50_000, 5_000)
    assert (row.whole, row.kept) == (0.1, 0.01)
    assert row.per_request == pytest.approx(0.09)
    assert row.per_day == pytest.approx(9.0)
    assert row.per_year == pytest.approx(2250.0)


@given(whole=TOKENS, kept=TOKENS, price=PRICES)
def test_what_is_saved_has_the_sign_of_the_tokens_left_out(whole: int, kept: int, price: float) -> None:
    (row,) = PriceTable((Price("ours", price),)).saved(whole, kept)
    assert row.whole - row.kept == pytest.approx(row.per_request, abs=1e-9 * max(1.0, row.whole, row.kept))
    if price > 1e-100:
        assert (row.per_year > 0, row.per_year < 0) == (whole > kept, whole < kept)


def test_a_kept_text_longer_than_the_document_costs_more_and_is_not_called_a_saving() -> None:
    (row,) = PriceTable((Price("ours", 1.0),)).saved(1_000, 1_200)
    assert row.per_year < 0
    assert amount(row.per_year).startswith("−")


@pytest.mark.parametrize("price", [-0.01, float("nan"), float("inf"), 100_000.5, True, "1", None, 10**400])
def test_a_price_that_is_none_is_refused_with_field_and_value(price: Any) -> None:
    with pytest.raises(InvalidOption, match=r"^per_million is .*; give a number from 0 to 100,000\.$"):
        Price("ours", price)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"requests_per_day": 0}, r"requests_per_day is 0; give a whole number from 1 to 1,000,000,000\."),
        ({"requests_per_day": 2.5}, r"requests_per_day is 2\.5; give a whole number"),
        ({"days_per_year": 367}, r"days_per_year is 367; give a whole number from 1 to 366\."),
        ({"currency": ""}, r"currency is ''; give a text of 1 to 8 characters\."),
        ({"currency": "a very long one"}, "currency is 'a very long one'; give a text of 1 to 8"),
        ({"shown": 1}, r"shown is 1; give a whole number from 0 to 0\."),
        ({"models": ()}, r"models has 0 prices; give 1 to 20\."),
        ({"models": (Price("ours", 1.0),) * 21}, r"models has 21 prices; give 1 to 20\."),
    ],
)
def test_a_table_outside_its_ranges_is_refused(values: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        PriceTable(**({"models": (Price("ours", 1.0),)} | values))


@pytest.mark.parametrize("unseen", ["\u202e", "\u2066", "\u200b", "\0", "\x1b", "\n", "\u2028"])
def test_a_character_that_nobody_sees_is_refused_in_a_name_and_a_currency(tmp_path: Path, unseen: str) -> None:
    named = f"U+{ord(unseen):04X}"
    said = rf"which has the character {re.escape(named)}, that nobody sees; leave it out\.$"
    with pytest.raises(InvalidOption, match=f"^name is .*, {said}"):
        Price(f"o{unseen}urs", 1.0)
    with pytest.raises(InvalidOption, match=f"^currency is .*, {said}"):
        PriceTable((Price("ours", 1.0),), currency=f"{unseen}<b>")
    path = written(tmp_path, {"currency": f"{unseen}<b>", "models": [{"name": "ours", "per_million": 1}]})
    with pytest.raises(InvalidOption, match=f"cannot be used: currency is .*, {said}"):
        PriceTable.load(path)


@pytest.mark.parametrize(
    ("models", "said"),
    [
        (5, "models is 5; give a tuple of Price."),
        (("x",), "models holds 'x'; give a tuple of Price."),
        ("x", "models is 'x'; give a tuple of Price."),
    ],
)
def test_models_that_are_no_prices_are_refused(models: Any, said: str) -> None:
    with pytest.raises(InvalidOption, match=f"^{re.escape(said)}$"):
        PriceTable(models)


def test_a_table_may_be_made_of_a_list_and_is_a_constant_all_the_same() -> None:
    table = PriceTable([Price("ours", 1.0)])  # type: ignore[arg-type]
    assert table == PriceTable((Price("ours", 1.0),))
    assert hash(table) == hash(PriceTable((Price("ours", 1.0),)))


def test_a_table_is_read_from_json(tmp_path: Path) -> None:
    path = written(tmp_path, {"currency": "CNY", "days_per_year": 365, "models": [{"name": "自有", "per_million": 4}]})
    assert PriceTable.load(path) == PriceTable((Price("自有", 4),), currency="CNY", days_per_year=365)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("{", r"The prices .*prices\.json are not JSON"),
        ([1], r"the file holds \[1\]; it must hold an object with models\."),
        ({}, "models is None; give a list such as"),
        ({"models": [3]}, r"models\[0\] is 3; give an object with a name"),
        ({"models": [{"name": "ours"}]}, r"models\[0\]\.per_million is missing"),
        ({"models": [{"name": "a", "per_million": 1}, {"name": "b", "per_million": -3}]},
         r"models\[1\]\.per_million is -3; give a number from 0 to 100,000\."),
        ('{"models": [{"name": "a", "per_million": NaN}]}', r"models\[0\]\.per_million is nan"),
        ({"models": [{"name": " ", "per_million": 1}]}, r"models\[0\]\.name is ' '; give a text of 1 to 80"),
        ({"models": [{"name": "a", "per_million": 1, "per_token": 2}]}, r"models\[0\]\.per_token is not a field"),
        ({"models": [{"name": "a", "per_million": 1}], "price": 2}, "price is not a field of a price table; choose"),
    ],
)  # fmt: skip
def test_a_file_with_a_mistake_names_field_and_value(tmp_path: Path, values: Any, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        PriceTable.load(written(tmp_path, values))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"The prices .*none\.json cannot be read"):
        PriceTable.load(tmp_path / "none.json")


@given(value=st.floats(-1e12, 1e12))
def test_an_amount_keeps_sign_and_size(value: float) -> None:
    shown = float(amount(value).replace(",", "").replace("−", "-"))
    assert shown == pytest.approx(value, rel=0.051, abs=1e-9)


@given(value=st.floats(0.01, 99.99))
def test_an_amount_from_a_hundredth_on_has_two_decimals_or_more(value: float) -> None:
    assert len(amount(value).partition(".")[2]) >= 2
    assert amount(-value) == f"\N{MINUS SIGN}{amount(value)}"


def test_prices_stand_in_one_column_with_two_decimals() -> None:
    assert [amount(price) for price in (0.1, 1, 5, 0.01, 0.075)] == ["0.10", "1.00", "5.00", "0.01", "0.075"]
