"""Machines, stock, invoices and reserve of the claim file; totals are sums of what is listed."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import random
import runpy
from pathlib import Path

RANDOM = random.Random(60417)
Rows = list[list[str]]

MACHINES = (
    (
        "Panel saw Hendry P40",
        2019,
        41_200,
        "replace",
        "The motor and the sizing carriage stood in water; the insulation measured 0.2 MΩ.",
    ),
    (
        "Edge bander Kolb EB 7",
        2021,
        58_700,
        "replace",
        "The glue unit was full of water, and the maker refuses to repair it.",
    ),
    (
        "CNC router Arvid 3",
        2020,
        12_900,
        "repair",
        "The cabinet was sprayed; two drives and the panel are exchanged, and the bed is dry.",
    ),
    (
        "Extraction plant Ventor",
        2016,
        33_500,
        "indemnity",
        "Filter housing, fan and 22 m of duct are burnt; it was nine years old.",
    ),
    ("Four-sided planer Mott", 2012, 7_450, "repair", "The lower heads were cleaned, and all bearings are replaced."),
    ("Glue press Lanz", 2017, 3_280, "repair", "Hydraulic oil was emulsified with water, and two seals have swollen."),
    (
        "Spindle moulder Mott S2",
        2009,
        1_960,
        "indemnity",
        "It is beyond repair; the value is that of the second-hand market.",
    ),
    ("Compressor Borealis 15", 2022, 5_640, "repair", "The dryer was flooded, whereas the screw block is intact."),
    ("Hand tools and jigs", 2023, 8_120, "replace", "Forty-one items are listed in the annex of the addendum."),
)
WORDS = {
    "replace": "Replacement as new is right.",
    "repair": "Repair is right.",
    "indemnity": "Settlement is on indemnity.",
}


def machines() -> str:
    said = []
    for name, year, price, how, why in MACHINES:
        said.append(f"**{name}, bought in {year}.** {why} {WORDS[how]} My figure is {price:,}.")
    return "\n\n".join(said)


def machinery() -> Rows:
    rows = [["Machine", "Year", "Settlement", "Amount"]]
    rows += [[name, str(year), how, f"{price:,}"] for name, year, price, how, _ in MACHINES]
    return [*rows, ["Total", "", "", f"{sum(machine[2] for machine in MACHINES):,}"]]


STOCK = (("44 staircases with order, 697 each", 30_668), ("20 staircases without order, 410 each", 8_200),
         ("Boards and veneers after salvage", 13_175), ("Fittings and glue", 2_046), ("Work in progress, kitchens", 6_389))  # fmt: skip
FIRMS = (
    ("Hollis Builders", "A", "partition walls, stage", 9_400), ("Hollis Builders", "A", "office floor", 8_850),
    ("Denby Skip Hire", "F", "skips and tipping", 1_240), ("Drymaster", "F", "pumping out, first day", 1_875),
    ("Drymaster", "A", "dehumidifiers, week", 620), ("Kolb UK", "B", "edge bander EB 7, deposit", 17_610),
    ("Arvid Service", "B", "drives and panel of CNC router", 11_380), ("Hendry Machines", "B", "panel saw P40, delivered", 41_200),
    ("Toolhire North", "E", "hire of panel saw, two weeks", 1_280), ("Mott Spares", "B", "bearings and heads", 5_120),
    ("Sparrow Electrical", "A", "rewiring of bay 3", 4_265), ("Lanz Press", "B", "seals, oil and labour", 3_110),
    ("Agency Bright", "E", "overtime staff", 985), ("Penhale Timber", "C", "boards, replacement", 3_720),
    ("Veneer House", "C", "veneers, replacement", 2_480), ("Borealis Air", "B", "dryer of compressor", 2_290),
    ("Fenn & Rowe", "D", "valuation of doors", 360), ("Ventor Air", "B", "fan and housing", 19_450),
    ("Castle Cleaning", "F", "removal of soot", 2_130), ("Redline Data", "G", "attempt to recover server", 1_490),
)  # fmt: skip


def invoices() -> Rows:
    rows = [["No.", "Date", "From", "For", "Section", "Amount", "State"]]
    rows.append(["1", "08.10.2025", "Denby Skip Hire", "ordinary waste, weekly skip", "-", "185", "not insured"])
    day = 9
    for number in range(2, 62):
        firm, section, what, price = FIRMS[(number * 7) % len(FIRMS)] if number > 21 else FIRMS[number - 2]
        day += RANDOM.choice((0, 1, 1, 2))
        month, of_month = (10, day) if day <= 31 else (11, day - 31) if day <= 61 else (12, min(day - 61, 31))
        amount = price if number <= 21 else round(price * RANDOM.uniform(0.07, 0.31) / 5) * 5 + RANDOM.randrange(5)
        part = what if number <= 21 else f"{what}, {('second', 'third')[(number - 22) // 20]} invoice"
        state = RANDOM.choice(("paid", "paid", "paid", "approved", "queried"))
        rows.append([str(number), f"{of_month:02d}.{month}.2025", firm, part, section, f"{amount:,}", state])
    return rows


RESERVE = (("A", 29_460), ("B", 172_750), ("C", 60_478), ("D", 5_200), ("E", 51_480), ("F", 11_000))
EXCESS = 2_500


def stock() -> Rows:
    rows = [["Item", "Amount"], *([name, f"{price:,}"] for name, price in STOCK)]
    return [*rows, ["Total", f"{sum(price for _, price in STOCK):,}"]]


def reserve() -> Rows:
    total = sum(price for _, price in RESERVE)
    rows = [["Section", "Reserve"], *([name, f"{price:,}"] for name, price in RESERVE)]
    rows += [["Less excess", f"{EXCESS:,}"], ["Total", f"{total - EXCESS:,}"]]
    return rows


ROOMS = {
    "Machine hall, bay 1": (
        "work benches",
        "clamps",
        "router cutters",
        "dust hoses",
        "roller tables",
        "drawers of templates",
    ),
    "Machine hall, bay 2": ("trolleys", "sanding belts", "boxes of dowels", "lamps", "extension leads", "glue bottles"),
    "Bay 3, behind the extraction": ("filter bags", "duct pieces", "fire blankets", "switch boxes", "ladders", "bins"),
    "Store of finished goods": ("staircases", "newel posts", "handrails", "kitchen fronts", "crates", "felt blankets"),
    "Store of boards": ("oak boards", "beech boards", "birch plywood sheets", "veneer packs", "MDF sheets", "bearers"),
    "Paint room": ("tins of lacquer", "spray guns", "drying racks", "masks", "drums of thinner", "colour cards"),
    "Office": ("desks", "screens", "filing cabinets", "chairs", "drawings in tubes", "telephones"),
    "Canteen": ("tables", "lockers", "kettles", "first-aid boxes", "boot racks", "notice boards"),
}
SEEN = (
    "The floor was dry and the walls were damp up to {n} cm",
    "A tide mark stood {n} cm above the floor",
    "The air had {n} % humidity",
    "Soot lay on the beams over a length of {n} m",
    "The ceiling had come down over {n} m²",
    "Nothing was wet; the door had been shut",
    "Tins had rusted, and {n} of them leaked",
    "The camera was off, its fuse had blown",
)


def inventory() -> str:
    parts = []
    for at, (room, things) in enumerate(ROOMS.items()):
        parts.append(f"## A.{at + 1} {room}")
        parts.append(f"{SEEN[at].format(n=RANDOM.randrange(9, 90))}. Photographs {at * 24 + 1} to {at * 24 + 24}.")
        rows = []
        for thing in things:
            total = RANDOM.randrange(6, 90)
            damaged = RANDOM.randrange(0, total)
            rows.append(
                f"- {thing}: {total} found, {damaged} of them in condition {RANDOM.choice('2334')}, the others in condition {RANDOM.choice('001')}"
            )
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def log() -> Rows:
    said = (
        ("09.10.2025", "NC", "First notice; reserve of 240,000 set; adjuster instructed at 08:40"),
        ("10.10.2025", "NC", "Hire of four dehumidifiers approved up to 2,000"),
        ("13.10.2025", "NC", "Letter of the policyholder with first list"),
        ("14.10.2025", "PW", "Endorsement 3 checked with underwriting: premium was paid on 2 July"),
        ("17.10.2025", "DO", "Visit; fan bearing secured"),
        ("20.10.2025", "PW", "Sprinkler contractor confirms the weekly test of 6 October"),
        ("24.10.2025", "NC", "Copy of the letter of Tolland Homes received by e-mail"),
        ("28.10.2025", "DO", "Preliminary report"),
        ("03.11.2025", "PW", "Fraud indicators run: score 11 of 100, no action"),
        ("05.11.2025", "NC", "Payment on account approved by Mr Teague, authority level 3"),
        ("12.11.2025", "LW", "Letter before action to Kerr Mechanical drafted; limitation ends 9 October 2031"),
        ("19.11.2025", "NC", "Landlord's letter; no double insurance"),
        ("21.11.2025", "NC", "44 staircases delivered to Tolland Homes by a subcontractor of the policyholder"),
        ("02.12.2025", "NC", "Condition 9 waived after review by Mr Teague"),
        ("08.12.2025", "DO", "Addendum; router reduced"),
        ("15.12.2025", "LW", "Kerr Mechanical deny; their insurer is Ottery General, reference OG-7741"),
        ("18.12.2025", "NC", "Mould notified"),
        ("22.12.2025", "NC", "Referral to technical manager"),
        ("05.01.2026", "NC", "Reserve raised after the addendum and the report on business interruption"),
        ("12.01.2026", "PW", "File printed for the quarterly review"),
    )
    return [["Date", "By", "Entry"], *([*row] for row in said)]


LISTS = runpy.run_path(str(Path(__file__).with_name("made_lists.py")))
TABLES: dict[str, Rows] = {
    **LISTS["TABLES"],
    "log": log(),
    "machinery": machinery(),
    "stock": stock(),
    "invoices": invoices(),
    "reserve": reserve(),
}
TEXTS = {"machines": machines(), "inventory": inventory()}
