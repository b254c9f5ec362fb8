"""Invoices and delivery notes of an invented laundry: regular weeks, with the faults that the audit is about."""

# ruff: noqa: E501 (a row of a table stands on one line)

from __future__ import annotations

from datetime import date, timedelta
from random import Random

SITES = ("Stonemere General", "Lakeside Clinic", "Harbour Ward")
FIRST = date(2024, 1, 5)
DUPLICATE_OF = "QL-24-031"
PRICE_JUMP = date(2024, 4, 1)


def notes() -> list[list[str]]:
    """Return the delivery notes: one a week and site."""
    random = Random(2024)
    rows = []
    for week in range(26):
        day = FIRST + timedelta(days=7 * week)
        for at, site in enumerate(SITES):
            kilos = (4200, 2300, 1450)[at] + random.randrange(-260, 260)
            late = 0 if random.random() < 0.85 else random.randrange(1, 11)
            rejected = random.choice((0, 0, 0, 6, 11, 18, 25))
            if (week, at) == (9, 1):
                rejected = 412
            if (week, at) == (17, 0):
                late = 29
            rows.append(
                [f"DN-{1000 + 3 * week + at}", day.isoformat(), site, str(kilos), str(rejected), str(late), DEPOTS[at]]
            )
    return rows


def invoices() -> list[list[str]]:
    """Return the invoices: one a delivery note, one of them sent twice."""
    rows = []
    for at, note in enumerate(NOTES, 1):
        day = date.fromisoformat(note[1])
        price = 1.92 if day >= PRICE_JUMP else 1.84
        kilos = int(note[3])
        fuel = round(kilos * 0.03, 2) if date(2024, 2, 1) <= day < date(2024, 3, 1) else 0.0
        total = round(kilos * price + fuel, 2)
        row = [
            f"QL-24-{at:03d}",
            day.isoformat(),
            note[0],
            str(kilos),
            f"{price:.2f}",
            f"{fuel:.2f}",
            f"{total:.2f}",
            "paid",
        ]
        rows.append(row)
        if row[0] == DUPLICATE_OF:
            rows.append(["QL-24-031/B", *row[1:]])
    rows[-1][-1] = rows[-2][-1] = rows[-3][-1] = "open"
    return rows


def samples() -> list[list[str]]:
    """Return the microbiological samples: ten a month, with two months in which fewer were taken."""
    random = Random(14065)
    rows = []
    for month, taken in enumerate((10, 10, 6, 10, 10, 0), 1):
        for at in range(1, taken + 1):
            count = random.choice((0, 0, 1, 2, 3, 4, 6, 8))
            count = {(2, 4): 17, (3, 2): 41, (5, 9): 23}.get((month, at), count)
            verdict = "above limit" if count > 12 else "in order"
            piece = random.choice(("sheet", "gown", "pillowcase", "towel"))
            rows.append(
                [f"S-{month:02d}{at:02d}", f"2024-{month:02d}-{10 + month:02d}", piece, str(count), "12", verdict]
            )
    return rows


PIECES = (
    ("sheet", 4.1), ("draw sheet", 1.7), ("pillowcase", 3.8), ("duvet cover", 1.9), ("blanket, small", 0.8), ("blanket, large", 0.6), ("towel", 5.2), ("flannel", 6.4),
    ("patient gown", 2.9), ("barrier gown", 1.3), ("tunic, white", 0.9), ("trousers, white", 0.9), ("theatre drape", 0.7), ("kitchen cloth", 1.1),
)  # fmt: skip
BEDS = (610, 240, 130)


def old_notes() -> list[list[str]]:
    """Return the delivery notes of the laundry before, one a week and site."""
    random = Random(2023)
    rows = []
    for week in range(26):
        day = date(2023, 7, 7) + timedelta(days=7 * week)
        for at, site in enumerate(SITES):
            kilos = (4150, 2240, 1510)[at] + random.randrange(-240, 240)
            late = 0 if random.random() < 0.8 else random.randrange(1, 8)
            rejected = random.choice((0, 2, 3, 5, 8, 13, 21))
            if (week, at) == (19, 2):
                late, rejected = 11, 96
            rows.append(
                [
                    f"BB-{7300 + 3 * week + at}",
                    day.isoformat(),
                    site,
                    str(kilos),
                    str(rejected),
                    str(late),
                    "Bellbrook Canal Street",
                ]
            )
    return rows


def stock() -> list[list[str]]:
    """Return the count of linen on one day: what each site should have and what was found."""
    random = Random(531)
    rows = []
    for site, beds in zip(SITES, BEDS, strict=True):
        for piece, each in PIECES:
            wanted = round(beds * each)
            found = round(wanted * random.uniform(0.71, 1.12))
            rows.append(
                [
                    site,
                    piece,
                    str(wanted),
                    str(found),
                    str(found - wanted),
                    str(random.randrange(0, max(2, found // 30))),
                ]
            )
    return rows


def gate() -> list[list[str]]:
    """Return the gate book of the main hospital for two weeks of May, in which firms come and go."""
    random = Random(513)
    firms = (
        ("Quillbank", "linen in"),
        ("Quillbank", "soiled out"),
        ("Greenfold", "meals"),
        ("Pelham Gases", "oxygen"),
        ("Corder Waste", "bins"),
        ("Parcel post", "parcels"),
    )
    rows = []
    for day in [*range(13, 19), *range(20, 26)]:
        for at, (firm, what) in enumerate(firms[: 3 + day % 4]):
            hour, minute = 5 + at + random.randrange(0, 2), random.randrange(0, 60)
            stay = random.randrange(8, 55)
            rows.append(
                [
                    f"2024-05-{day:02d}",
                    f"{hour:02d}:{minute:02d}",
                    firm,
                    what,
                    str(stay),
                    random.choice(("north", "north", "rear")),
                    random.choice(("Abel", "Imre", "Joyce")),
                ]
            )
    return rows


DEPOTS = ("Quillbank Mill Road", "Quillbank Mill Road", "Halden Wash")
NOTES = notes()
INVOICES = invoices()
SAMPLES = samples()
OLD_NOTES = old_notes()
STOCK = stock()
TABLES = {
    "gate": [["date", "time", "firm", "purpose", "minutes", "gate", "porter"], *gate()],
    "old_notes": [["note", "date", "site", "kilograms", "rejected_pieces", "hours_late", "washed_at"], *OLD_NOTES],
    "stock": [["site", "piece", "wanted", "found", "difference", "to_be_mended"], *STOCK],
    "samples": [["sample", "taken", "piece", "colonies_per_20_cm2", "limit", "verdict"], *SAMPLES],
    "notes": [["note", "date", "site", "kilograms", "rejected_pieces", "hours_late", "washed_at"], *NOTES],
    "invoices": [
        ["invoice", "date", "delivery_note", "kilograms", "price_per_kg", "fuel_surcharge", "total_eur", "state"],
        *INVOICES,
    ],
}
TOTAL = round(sum(float(row[6]) for row in INVOICES), 2)
FUEL = round(sum(float(row[5]) for row in INVOICES), 2)
OVERCHARGED = round(sum(int(row[3]) * 0.08 for row in INVOICES if row[4] == "1.92"), 2)

assert (TOTAL, FUEL, OVERCHARGED) == (398_657.79, 974.67, 8_202.96)
assert len(INVOICES) == 79
assert sum(int(note[3]) for note in NOTES if note[6] == "Halden Wash") == 37_447
assert sum(row[5] == "above limit" for row in SAMPLES) == 3
assert len(SAMPLES) == 46
assert max(OLD_NOTES, key=lambda row: int(row[5]))[0] == "BB-7359"
