"""Buildings, hours and prices of the annual report: one line for each site or month."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import random

RANDOM = random.Random(30)
Rows = list[list[str]]
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
RECOVERED = (112, 118, 126, 139, 148, 157, 163, 158, 151, 144, 137, 131)
"""Pounds a tonne; the text names February, July and December."""


def buildings(places: dict[str, tuple[str, str]]) -> Rows:
    rows = [["Site", "Held by", "Land, m²", "Halls, m²", "Built", "Certificates", "Shifts", "Lease or permit to"]]
    for place in places:
        land = RANDOM.randrange(18, 160) * 1000
        owned = RANDOM.random() < 0.7
        marks = RANDOM.choice(
            ("quality, environment", "quality", "quality, food safety", "quality, energy", "all four")
        )
        until = str(RANDOM.randrange(2027, 2041))
        rows.append(
            [
                place,
                "owned" if owned else "leased",
                f"{land:,}",
                f"{round(land * RANDOM.uniform(0.2, 0.55), -2):,.0f}",
                str(RANDOM.randrange(1931, 2012)),
                marks,
                RANDOM.choice(("2", "3", "3", "4 teams")),
                until,
            ]
        )
    return rows


def hours(places: dict[str, tuple[str, str]], staff: dict[str, int]) -> Rows:
    rows = [
        [
            "Site",
            "Hours worked, thousands",
            "Near misses reported",
            "Safety walks",
            "First aid",
            "Lost days",
            "Overtime, %",
            "Absence, %",
        ]
    ]
    total = [0, 0, 0, 0, 0]
    for place in places:
        count = staff[place]
        values = [
            round(count * RANDOM.uniform(1.52, 1.71)),
            RANDOM.randrange(20, 310),
            RANDOM.randrange(24, 160),
            RANDOM.randrange(2, 39),
            RANDOM.randrange(0, 140),
        ]
        total = [old + new for old, new in zip(total, values, strict=True)]
        rows.append([place, *map(str, values), f"{RANDOM.uniform(1.2, 9.8):.1f}", f"{RANDOM.uniform(2.1, 7.9):.1f}"])
    return [*rows, ["All sites", *(f"{value:,}" for value in total), "", ""]]


def prices() -> Rows:
    rows = [["Month", "Recovered paper", "Virgin board", "Polyethylene", "Soda ash", "Power", "Gas"]]
    for month, paper in zip(MONTHS, RECOVERED, strict=True):
        others = [
            RANDOM.randrange(742, 790),
            RANDOM.randrange(905, 1040),
            RANDOM.randrange(231, 262),
            RANDOM.randrange(68, 104),
            RANDOM.randrange(27, 46),
        ]
        rows.append([month, str(paper), *(f"{value:,}" for value in others)])
    return rows


OLD_ASSETS = (
    ("Plant and property", 702.5),
    ("Intangibles", 231.0),
    ("Leased assets", 84.9),
    ("Stocks", 205.1),
    ("Receivables", 268.8),
    ("Cash at banks", 94.6),
)
OLD_OWED = (
    ("Equity of the holders", 684.2),
    ("Loans", 462.5),
    ("Leases", 89.6),
    ("Pension scheme", 37.3),
    ("Provisions made", 15.4),
    ("Deferred taxes", 41.9),
)
OLD_CASH = (("Profit before taxes", 122.0), ("Written down", 74.0), ("Finance cost, net", 22.9), ("Working capital", -8.7), ("Taxes", -27.4), ("Plant bought", -96.0), ("Last part of the price of the paper cups", 2.1),
            ("Dividends", -39.3), ("Interest", -22.2), ("Loans repaid", -24.0))  # fmt: skip
OPENED = 107.8


def old_balance() -> Rows:
    total = sum(value for _, value in OLD_ASSETS)
    rest = total - sum(value for _, value in OLD_OWED)
    rows = [["At the end of 2024, millions", "Sum"], *([name, f"{value:,.1f}"] for name, value in OLD_ASSETS)]
    rows += [["All assets", f"{total:,.1f}"], *([name, f"{value:,.1f}"] for name, value in OLD_OWED)]
    return [*rows, ["Payables", f"{rest:,.1f}"], ["Equity and debts", f"{total:,.1f}"]]


def old_cash() -> Rows:
    """The last line before the sum is what is left of the change from the opening to the closing cash."""
    rest = 94.6 - OPENED - sum(value for _, value in OLD_CASH)
    lines = [
        *OLD_CASH,
        ("Leases repaid and other", rest),
        ("Change in 2024", 94.6 - OPENED),
        ("Start", OPENED),
        ("End", 94.6),
    ]
    shown = ((name, f"({-value:,.1f})" if value < 0 else f"{value:,.1f}") for name, value in lines)
    return [["Flows of 2024, millions", "Sum"], *([name, value] for name, value in shown)]


OTHER = (
    ("Pensions, actuarial", -2.3),
    ("Tax on pensions", 0.6),
    ("Exchange differences of companies abroad", 9.9),
    ("Hedges of energy, change", -3.1),
    ("Hedges of currencies, change", 0.5),
    ("Tax on hedges", 0.7),
)


def comprehensive() -> Rows:
    total = sum(value for _, value in OTHER)
    shown = [(name, f"({-value:,.1f})" if value < 0 else f"{value:,.1f}") for name, value in OTHER]
    return [
        ["Outside profit, millions", "Year 2025"],
        *([name, value] for name, value in shown),
        ["Sum", f"{total:,.1f}"],
    ]


PURCHASES = (
    ("Recovered paper", 96.4),
    ("Virgin board", 188.7),
    ("Resin", 171.5),
    ("Films bought", 83.2),
    ("Cullet", 41.9),
    ("Sand and soda ash", 47.3),
    ("Inks and glues", 52.8),
    ("Metal for closures", 19.6),
)


def purchases() -> Rows:
    """The last line is what is left of the raw materials in the costs by nature."""
    rest = 742.8 - sum(value for _, value in PURCHASES)
    rows = [["Kind", "Cost, millions", "Share, %"]]
    return [
        *rows,
        *(
            [name, f"{value:,.1f}", f"{value / 7.428:.1f}"]
            for name, value in (*PURCHASES, ("Packing, moulds and other", rest), ("Raw materials", 742.8))
        ),
    ]


def site_tables(places: dict[str, tuple[str, str]], staff: dict[str, int]) -> dict[str, Rows]:
    """Return the tables by name."""
    return {
        "buildings": buildings(places),
        "hours": hours(places, staff),
        "prices": prices(),
        "old_balance": old_balance(),
        "old_cash": old_cash(),
        "comprehensive": comprehensive(),
        "purchases": purchases(),
    }
