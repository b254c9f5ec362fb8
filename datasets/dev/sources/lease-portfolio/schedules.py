"""Schedules beside the leases: accounts of the service charge, schedules of condition, inspections of plant."""

# ruff: noqa: E501 (a row of a table stands on one line)

from __future__ import annotations

from random import Random

HEADS = (
    "Cleaning of common parts", "Security and gatehouse", "Lighting of common parts", "Water and drainage", "Refuse", "Planting",
    "Lifts and doors", "Fire alarm and hydrants", "Roads and paving", "Repairs to structure", "Staff of the estate office", "Management fee", "Audit of the account",
)  # fmt: skip
# pool: (actual 2022/23, budget 2023/24, actual 2023/24) of each head, in pounds; 0 where the pool has no such cost
POOLS = {
    "Estate (Tidewater House and Lantern Wharf offices)": (
        (28_410, 29_500, 31_265), (41_900, 43_000, 42_180), (12_730, 15_400, 14_905), (6_840, 7_000, 7_322), (9_115, 9_300, 9_940), (5_260, 5_400, 3_875),
        (14_380, 12_000, 21_640), (4_950, 5_200, 5_075), (7_700, 18_500, 17_290), (33_100, 25_000, 54_480), (38_200, 39_700, 39_410), (20_000, 20_600, 20_600), (2_450, 2_500, 2_500),
    ),
    "Yard (Cooper's Yard)": (
        (9_320, 9_600, 9_455), (13_050, 13_400, 13_720), (4_115, 4_900, 5_230), (8_890, 9_000, 11_470), (12_640, 12_900, 12_385), (1_180, 1_200, 1_640),
        (2_270, 2_300, 1_985), (3_320, 3_400, 3_610), (5_400, 21_000, 23_150), (17_800, 12_000, 8_925), (12_700, 13_200, 13_105), (7_200, 7_400, 7_400), (1_150, 1_150, 1_150),
    ),
    "Wharf (restaurant and terrace)": (
        (15_780, 16_200, 17_030), (10_400, 10_700, 10_560), (6_245, 7_500, 7_815), (5_505, 5_700, 6_120), (11_230, 11_600, 13_905), (2_390, 2_400, 2_265),
        (1_840, 1_900, 4_410), (3_015, 3_100, 3_095), (4_600, 4_800, 4_175), (61_300, 20_000, 18_260), (9_800, 10_200, 10_140), (6_900, 7_100, 7_100), (1_150, 1_150, 1_150),
    ),
    "Sheds (Gantry Sheds)": (
        (3_640, 3_700, 3_585), (22_950, 23_600, 25_110), (5_920, 7_100, 6_730), (2_275, 2_300, 2_190), (4_380, 4_500, 4_845), (0, 0, 0),
        (9_910, 10_000, 9_275), (11_640, 12_000, 16_955), (28_300, 9_000, 7_840), (14_200, 40_000, 37_620), (8_700, 9_000, 8_935), (6_100, 6_300, 6_300), (1_150, 1_150, 1_150),
    ),
    "Signal House": (
        (10_870, 11_200, 11_945), (5_350, 5_500, 5_480), (3_405, 4_100, 3_990), (4_760, 4_900, 5_515), (6_925, 7_100, 7_830), (640, 650, 615),
        (6_180, 6_300, 6_240), (2_080, 2_100, 2_455), (900, 900, 1_325), (2_950, 3_000, 3_410), (6_300, 6_500, 6_480), (3_300, 3_400, 3_400), (650, 650, 650),
    ),
}  # fmt: skip


def account(pool: str) -> list[list[str]]:
    """Return the account of one pool of costs."""
    rows = [["Head of cost", "Actual 2022/23", "Budget 2023/24", "Actual 2023/24", "Over (+) or under (-) budget"]]
    for head, (before, planned, spent) in zip(HEADS, POOLS[pool], strict=True):
        rows.append([head, f"{before:,}", f"{planned:,}", f"{spent:,}", f"{spent - planned:+,}"])
    sums = [sum(line[at] for line in POOLS[pool]) for at in range(3)]
    return [*rows, ["Total of the pool", *(f"{one:,}" for one in sums), f"{sums[2] - sums[1]:+,}"]]


STATES = {
    "Ceiling of the front room": ("stained over {n} square metres below the gutter, dry when touched", "sound, {n} tiles replaced in another white", "plaster hollow along the beam for {n} decimetres", "boards cupped, {n} screws missing"),
    "Floor of the front room": ("oak blocks, {n} loose beside the door", "vinyl with {n} burns from a heater", "screed worn in the track of trolleys, {n} millimetres deep", "quarry tiles, {n} of them cracked across"),
    "Wall towards the street": ("hairline crack from the sill, {n} decimetres long", "sound, paint chalking", "damp to a height of {n} decimetres, salts visible", "two former sign brackets cut off, {n} plugs left in the brick"),
    "Party wall": ("sound, no remark", "{n} holes of former racking, unfilled", "crack following the joints in {n} courses", "patched with gypsum over an old doorway, {n} millimetres proud"),
    "Rear wall": ("spalled bricks, {n} in number, at the foot", "sound, lime wash", "leaning outward by {n} millimetres at the eaves", "repointed in hard cement over {n} square metres"),
    "Windows": ("{n} of the panes fogged between the sheets", "putty missing on {n} panes", "sound, one stay broken", "sashes painted shut, {n} cords cut"),
    "Roof lights": ("{n} wired panes cracked, none leaking", "acrylic dome crazed, fixing screws rusted in {n} places", "sound, condensation marks below", "taped with foil along {n} joints"),
    "Front door": ("scraping, threshold worn by {n} millimetres", "sound, lock renewed", "closer leaking oil", "lower rail rotten for {n} centimetres"),
    "Rear door": ("panel pierced for a former cat flap", "steel, dented at {n} centimetres from the ground", "sound, panic bar stiff", "frame rusted through at the foot on {n} centimetres"),
    "Electrical board": ("tested, {n} spare ways", "tested with {n} remarks of the second grade", "covers missing on {n} ways", "labelled in pencil only, {n} circuits unknown"),
    "Lighting": ("{n} tubes of 58 watts, two dead", "{n} spotlights on three tracks, working", "emergency lights failed after {n} minutes", "working, {n} diffusers yellowed"),
    "Heating": ("gas heater, last serviced {n} months before", "none", "{n} radiators, one cold", "air curtain noisy, filter black"),
    "Washroom": ("basin cracked, {n} wall tiles loose", "sound, cistern runs on", "no extract, mould on {n} decimetres of grout", "pan loose, floor soft around it"),
    "Drains": ("clear by camera over {n} metres", "roots at {n} metres from the manhole", "displaced joint at {n} metres, still running", "grease over one third of the section for {n} metres"),
    "Gutters": ("outlet blocked, moss over {n} metres", "new aluminium on the north side only", "leaking at {n} joints", "clear, one bracket lost"),
    "Stair": ("nosing missing on {n} treads", "sound, handrail loose", "{n} balusters replaced in softwood", "none"),
    "Paving at the entrance": ("settled by {n} millimetres at the gully", "{n} slabs cracked by a lift truck", "sound, moss", "patched with asphalt over {n} square metres"),
    "Signs": ("letters of a former tenant, {n} shadows remain", "none", "projecting sign without permit, {n} bolts corroded", "fascia board split at one end"),
}  # fmt: skip
CONDITION = {
    "Unit 2, Tidewater House": ("11 June 2019", "N. Cathcart"), "Unit 5, Cooper's Yard": ("20 January 2022", "P. Rowntree-Diaz"),
    "Unit 13, Signal House": ("14 September 2020", "N. Cathcart"), "Store 16, Gantry Sheds": ("21 March 2022", "B. Szekely"),
}  # fmt: skip


def conditions() -> str:
    """Return the four schedules of condition as Markdown with their tables."""
    said = []
    for at, (unit, (day, surveyor)) in enumerate(CONDITION.items()):
        random = Random(311 + at)
        rows = [["Item", "Element", "Condition on that day", "Photograph"]]
        for n, (element, findings) in enumerate(STATES.items(), 1):
            finding = findings[(at + n) % 4].format(n=random.randrange(2, 19))
            rows.append([f"{'ABCD'[at]}{n}", element, finding, f"{day[-4:]}-{random.randrange(100, 999)}"])
        table = "\n".join(
            [
                "| " + " | ".join(rows[0]) + " |",
                "| --- | --- | --- | --- |",
                *("| " + " | ".join(row) + " |" for row in rows[1:]),
            ]
        )
        said.append(
            f"## {unit}\n\nTaken on {day} by {surveyor}. What is not mentioned was found sound.\n\nTable: Schedule of condition of {unit}\n\n{table}"
        )
    return "\n\n".join(said)


INSPECTIONS = (
    ("Passenger lift, Tidewater House", "every 6 months", "14 October 2024", "door edge worn"), ("Goods lift, Tidewater House", "every 6 months", "15 October 2024", "out of use since a rope was cut short"), ("Passenger lift, Lantern Wharf", "every 6 months", "22 November 2024", "none"),
    ("Gantry crane 1, Gantry Sheds", "every 12 months", "3 April 2024", "hook renewed"), ("Gantry crane 2, Gantry Sheds", "every 12 months", "3 April 2024", "not to be used above 1.6 tonnes"), ("Hydrants 1 to 9", "every 12 months", "19 June 2024", "number 7 weak"),
    ("Hydrants 10 to 14", "every 12 months", "20 June 2024", "none"), ("Fire doors, Tidewater House", "every 3 months", "8 January 2025", "two wedged open"), ("Fire doors, Signal House", "every 3 months", "9 January 2025", "none"),
    ("Lightning protection, all roofs", "every 24 months", "27 May 2023", "one clamp lost on the sheds"), ("Emergency lighting, arcade", "every 12 months", "11 September 2024", "four batteries"), ("Flood boards, wharf", "every 12 months", "2 October 2024", "seal of board 3 cut"),
    ("Boiler, Tidewater House", "every 12 months", "30 August 2024", "flue gas in order"), ("Asbestos register", "every 12 months", "16 February 2024", "gasket in the old pump room remains"), ("Water, tanks and showers", "every 6 months", "5 December 2024", "tank of the second floor drained"),
    ("Quay wall, divers", "every 60 months", "July 2021", "joint open over 1.9 metres near the terrace"), ("Interceptor, Cooper's Yard", "every 12 months", "1 November 2024", "emptied, 2.3 cubic metres"), ("Roller shutters", "every 12 months", "21 March 2024", "one spring of Kiosk 12"),
)  # fmt: skip
TEXTS = {"conditions": conditions()}
TABLES = {
    "inspections": [["Plant", "Interval", "Last inspection", "Remark"], *map(list, INSPECTIONS)],
    **{f"pool{at}": account(pool) for at, pool in enumerate(POOLS, 1)},
}

assert all(len(lines) == len(HEADS) for lines in POOLS.values())
