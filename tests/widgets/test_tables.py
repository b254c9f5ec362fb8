"""Tables in a notebook."""

from __future__ import annotations

import pandas as pd

from workbench.widgets.tables import look

FRAME = pd.DataFrame(
    {"text": ["<img src=x onerror=alert(1)>", "$5 到 $9"], "saved": [0.25, -0.5], "kept": [True, False]}
)


def test_no_text_becomes_markup_or_a_formula() -> None:
    made = look(FRAME).to_html()
    assert "<img" not in made
    assert "&lt;img src=x onerror=alert(1)&gt;" in made
    assert "$5 到 $9" in made
    assert "tex2jax_ignore" in made


def test_numbers_stand_on_the_right_shares_in_percent_and_yes_for_what_is_true() -> None:
    made = look(FRAME, percent=["saved"]).to_html()
    assert "25.0 %" in made
    assert "-50.0 %" in made
    assert made.count(">yes<") == 1
    assert "text-align: right" in made


def test_a_column_stands_once_more_as_bars_and_the_frame_stays_as_it_was() -> None:
    before = FRAME.copy()
    made = look(FRAME, percent=["saved"], bars="saved").to_html()
    assert "linear-gradient" in made
    assert made.count("<th ") == 4
    pd.testing.assert_frame_equal(FRAME, before)
