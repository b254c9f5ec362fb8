"""Schedule of stock, sound machines, turnover and photographs of the claim file."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import random

RANDOM = random.Random(1710)
Rows = list[list[str]]

SOUND = (
    ("Wide-belt sander Ridgeway", 2018, 46_800), ("Thicknesser Mott T5", 2011, 14_900), ("Band saw Corran 600", 2015, 9_700), ("Mortiser Hatch", 2008, 6_150),
    ("Dovetailer Arvid 1", 2017, 27_300), ("Spray booth with fan", 2025, 38_400), ("Clamp carrier Lanz K", 2013, 19_250), ("Vacuum lifter", 2021, 11_600),
    ("Fork-lift, 2.5 t", 2019, 18_750), ("Racking and trolleys", 2016, 13_480), ("Cross-cut saw Hendry C2", 2010, 8_860), ("Lathe Corran 1200", 2006, 5_240),
)  # fmt: skip


def sound() -> Rows:
    rows = [["Machine", "Bought in", "Value as new"], *([name, str(year), f"{price:,}"] for name, year, price in SOUND)]
    return [*rows, ["Sum", "", f"{sum(line[2] for line in SOUND):,}"]]


BEFORE = 2_310_000
MONTHS = (
    "October",
    "November",
    "December",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
)
SHARES = (88, 92, 71, 64, 79, 95, 90, 86, 97, 101, 60, 77)


def turnover() -> Rows:
    """Months before the loss, the last of which is what is left of the year, and those of the year before."""
    rows = [["Month", "2023/24", "2024/25"]]
    this = [round(BEFORE * share / sum(SHARES), -2) for share in SHARES]
    this[-1] += BEFORE - sum(this)
    last = [round(value * RANDOM.uniform(0.87, 1.04), -2) for value in this]
    rows += [[month, f"{old:,.0f}", f"{new:,.0f}"] for month, old, new in zip(MONTHS, last, this, strict=True)]
    return [*rows, ["Twelve months", f"{sum(last):,.0f}", f"{sum(this):,.0f}"]]


GOODS = (
    ("Oak, planed, 27 mm", "m²", 41.5), ("Oak, planed, 40 mm", "m²", 58.2), ("Beech, steamed, 30 mm", "m²", 33.9), ("Ash, 27 mm", "m²", 39.4), ("Sapele, 50 mm", "m²", 71.0),
    ("Birch plywood, 18 mm", "sheet", 54.3), ("Birch plywood, 9 mm", "sheet", 31.8), ("MDF, 19 mm", "sheet", 22.6), ("MDF, moisture-proof, 22 mm", "sheet", 34.7), ("Chipboard, white, 18 mm", "sheet", 19.9),
    ("Veneer, oak, crown cut", "m²", 7.4), ("Veneer, walnut", "m²", 13.8), ("Veneer, maple", "m²", 9.1), ("Edging, oak, 2 mm", "m", 0.85), ("Edging, white, 1 mm", "m", 0.32),
    ("Stair treads, oak, blank", "piece", 23.5), ("Strings, pine, blank", "piece", 31.0), ("Newel posts, turned", "piece", 26.4), ("Handrail, oak", "m", 14.2), ("Spindles, square", "piece", 3.6),
    ("Hinges, 100 mm, brass", "pair", 6.9), ("Hinges, concealed", "pair", 3.1), ("Drawer runners, 500 mm", "pair", 11.7), ("Locks, mortise", "piece", 18.3), ("Handles, steel", "piece", 4.4),
    ("Screws, 5 x 70, box", "box", 8.2), ("Dowels, 10 mm, bag", "bag", 5.6), ("Glue, PVA, 25 kg", "drum", 62.0), ("Glue, resin, 10 kg", "drum", 88.5), ("Lacquer, clear, 20 l", "tin", 97.0),
    ("Lacquer, white, 20 l", "tin", 104.0), ("Stain, various", "tin", 21.5), ("Glass, toughened, cut", "piece", 46.0), ("Seals, brush, 5 m", "roll", 7.7), ("Packing film", "roll", 12.9), ("Cardboard corners", "bundle", 9.3),
)  # fmt: skip
ROOMS = ("store of boards", "rack 2", "rack 5", "bay 1", "paint room", "store of fittings")


def schedule() -> Rows:
    rows = [["Lot", "Goods", "Where", "Quantity", "Cost each", "Cost", "Lost, %", "Loss"]]
    sums = [0.0, 0.0]
    for at, (name, unit, cost) in enumerate(GOODS, start=1):
        count = RANDOM.randrange(3, 6) if "20 l" in name else RANDOM.randrange(8, 160)
        lost = RANDOM.choice((0, 0, 0, 15, 35, 50, 80, 100))
        whole = round(count * cost, 2)
        loss = round(whole * lost / 100, 2)
        sums = [sums[0] + whole, sums[1] + loss]
        rows.append(
            [
                f"S{at:02d}",
                name,
                RANDOM.choice(ROOMS),
                f"{count} {unit}",
                f"{cost:.2f}",
                f"{whole:,.2f}",
                str(lost),
                f"{loss:,.2f}",
            ]
        )
    return [*rows, ["", "Sum of the lots", "", "", "", f"{sums[0]:,.2f}", "", f"{sums[1]:,.2f}"]]


VIEWS = ("panel saw from the left", "plate of the panel saw", "edge bander, glue unit", "cabinet of the router", "duct above bay 3", "filter housing, open", "fan wheel", "belt, remains", "sliding door with trolley", "sprinkler head 3",
         "wall chart by the canteen", "ceiling of the office", "skirting of the office", "staircases in two stacks", "label on a staircase", "doors of Mrs Ellery, front", "doors of Mrs Ellery, stamp", "racks with veneers", "compressor, dryer", "yard and skip")  # fmt: skip


def photographs() -> Rows:
    rows = [["Numbers", "Date", "Taken by", "Shows"]]
    first = 204
    for at, view in enumerate(VIEWS):
        last = first + RANDOM.randrange(0, 5)
        who = ("D. Okonjo", "G. Ashgrove", "L. Harte")[at * 7 % 3]
        rows.append(
            [
                f"{first} to {last}" if last > first else str(first),
                f"{RANDOM.choice(('17', '30'))} October 2025",
                who,
                view,
            ]
        )
        first = last + 1
    return rows


TABLES: dict[str, Rows] = {
    "sound": sound(),
    "turnover": turnover(),
    "schedule": schedule(),
    "photographs": photographs(),
}
