"""Tables of the course that belong to no exercise: profiles, charges, stations, fuses, forms and neighbours."""

from __future__ import annotations

# ruff: noqa: E501 (a row of a table stands on one line)
from random import Random


def profiles() -> list[list[str]]:
    """Return the share of each hour in the energy of a winter working day."""
    kinds = {
        "Dwelling": ((7.5, 1.6, 16), (12.5, 2.0, 14), (19.0, 2.2, 34)), "Shop": ((11.0, 3.0, 40), (16.0, 2.4, 36)),
        "Farm": ((6.5, 1.2, 44), (17.5, 1.3, 46)), "Office": ((10.0, 2.6, 48), (14.0, 2.2, 32)), "Heat pump": ((5.5, 2.8, 22), (21.0, 3.4, 18)),
    }  # fmt: skip
    shares = []
    for bumps in kinds.values():
        raw = [
            14 + sum(high * 2.718281828 ** (-(((hour + 0.5 - mid) / wide) ** 2)) for mid, wide, high in bumps)
            for hour in range(24)
        ]
        column = [round(1000 * one / sum(raw)) for one in raw]
        column[column.index(max(column))] += 1000 - sum(column)
        shares.append(column)
    return [["Hour", *kinds]] + [
        [f"{hour:02d} to {hour + 1:02d}", *(str(column[hour]) for column in shares)] for hour in range(24)
    ]


FORMS = (
    ("N-1", "Application for connection", "customer", "answered within 15 working days"), ("N-2", "Application for a charging point", "customer", "up to 12 kW by notice only"), ("N-4", "Application for feeding in", "customer", "answered within 40 working days"),
    ("N-7", "Consent of the owner of land", "planner", "kept for 60 years"), ("S-1", "Permit to work, medium voltage", "person in charge", "white, yellow, green copy"), ("S-2", "Permit to work, low voltage", "person in charge", "one copy"),
    ("S-3", "Handing over of a permit", "both persons", "time to the minute"), ("S-6", "Switching sequence", "control room", "read back word by word"), ("S-9", "Earthing rods in use", "person in charge", "number of each rod"),
    ("M-1", "Change of a meter", "fitter", "photograph of both readings"), ("M-3", "Factor of a meter", "fitter", "signed by two"), ("M-5", "Suspicion of theft", "fitter", "never spoken of on site"),
    ("B-2", "Inspection of a pole", "inspector", "every eight years"), ("B-3", "Inspection of a station", "inspector", "every four years, roof every two"), ("B-8", "Oil sample", "inspector", "from 400 kVA up, every six years"), ("U-1", "Report of an accident", "everybody", "within the day"),
)  # fmt: skip
FUSES = (
    (16, 4.1, 1.9), (25, 4.4, 2.6), (35, 4.6, 3.3), (50, 4.7, 4.5), (63, 4.9, 5.6), (80, 5.2, 6.4), (100, 5.4, 7.5),
    (125, 5.5, 9.9), (160, 5.6, 12.2), (200, 5.8, 15.7), (250, 5.9, 19.4), (315, 6.1, 23.8), (400, 6.2, 29.0),
)  # fmt: skip
LOG = (
    ("14:02", "Control room", "Relay of feeder 6 has tripped, no reclosing", "correct, cable"), ("14:03", "Group", "How many stations are without voltage?", "good question"), ("14:03", "Control room", "Eight, from Teal to Sedge", "the ninth was forgotten"),
    ("14:05", "Group", "Read the indicators at Teal, Plover, Sedge", "from the near end"), ("14:11", "Van 2", "Teal shows a fault passed", "on foot, lamp broken"), ("14:16", "Van 2", "Plover shows a fault passed", ""), ("14:18", "Group", "Open the switch at Plover towards Sedge", "correct"),
    ("14:19", "Group", "Close the open point at Curlew", "too early, see below"), ("14:20", "Teacher", "Stop. What do you know of Sedge?", ""), ("14:24", "Van 1", "Sedge shows no fault", ""), ("14:25", "Group", "Open the switch at Sedge towards Plover", "correct"),
    ("14:26", "Control room", "Read back, please", "the group had not"), ("14:28", "Group", "Close the relay of feeder 6", "voltage as far as Plover"), ("14:31", "Group", "Close the open point at Curlew", "now right"), ("14:33", "Control room", "All stations have voltage", "31 minutes"), ("14:40", "Group", "Order the cable van for Plover to Sedge", "forgotten by most"),
)  # fmt: skip


def stations() -> list[list[str]]:
    """Return the stations of the training district."""
    random = Random(204)
    names = (
        "Avocet", "Bittern", "Coot", "Curlew", "Dipper", "Dunlin", "Eider", "Fulmar", "Gadwall", "Godwit", "Grebe", "Heron", "Knot", "Lapwing", "Merlin", "Osprey",
        "Pintail", "Plover", "Pochard", "Rail", "Ruff", "Sanderling", "Sedge", "Shelduck", "Smew", "Snipe", "Teal", "Turnstone", "Whimbrel", "Wigeon",
    )  # fmt: skip
    rows = [["Station", "Type", "Rating (kVA)", "Built", "Peak (per cent)", "Feeders", "Remote", "Remark"]]
    remarks = (
        "none",
        "roof leaks",
        "key 40",
        "nest, not before August",
        "door opens inward",
        "tap at plus 2.5",
        "flood mark 0.8 m",
        "oil changed",
        "neighbour complains of hum",
    )
    for name in names:
        size = random.choice((100, 160, 250, 400, 630))
        rows.append(
            [name, random.choice("TKKB") if size < 400 else random.choice("KB"), str(size), str(random.randrange(1958, 2023)),
             str(random.randrange(22, 97)), str(random.randrange(2, 9)), random.choice(("yes", "no", "no")), random.choice(remarks)]
        )  # fmt: skip
    return rows


def earthing() -> list[list[str]]:
    """Return the measured resistance to earth of half of the stations of the district."""
    random = Random(80)
    rows = [["Station", "Measured", "Soil", "Earthing", "Resistance (ohm)", "Four years before (ohm)"]]
    for row in stations()[1::2]:
        apart = random.random() < 0.3
        ohms = random.uniform(2.2, 9.4) if apart else random.uniform(0.4, 1.9)
        rows.append([row[0], f"2023-{random.randrange(3, 11):02d}-{random.randrange(1, 28):02d}", random.choice(("clay", "sand", "peat", "rock")),
                     "separate" if apart else "common", f"{ohms:.2f}", f"{ohms * random.uniform(0.82, 1.1):.2f}"])  # fmt: skip
    return rows


TABLES = {
    "profiles": profiles(),
    "charges": [
        ["Customer", "Utilisation", "Price for the year", "Energy (cents/kWh)", "Power (per kW and year)"],
        ["Household", "any", "62.00", "6.85", "none"],
        ["Heat pump, controlled", "any", "18.00", "2.74", "none"],
        ["Low voltage with power values", "below 2,500 h", "240.00", "5.20", "9.60"],
        ["Low voltage with power values", "2,500 h and more", "240.00", "3.10", "17.40"],
        ["Medium voltage", "below 2,500 h", "520.00", "3.95", "14.20"],
        ["Medium voltage", "2,500 h and more", "520.00", "0.92", "71.80"],
        ["Street lighting", "any", "none", "4.40", "none"],
        ["Traction of the tramway", "any", "1,900.00", "1.15", "58.00"],
    ],
    "conductors": [
        ["Aluminium / steel (mm2)", "Mass (kg/m)", "Breaking load (kN)", "R (ohm/km)", "Rating in still air (A)"],
        ["35 / 6", "0.140", "12.7", "0.834", "145"],
        ["50 / 8", "0.197", "17.2", "0.595", "180"],
        ["70 / 12", "0.276", "26.4", "0.413", "235"],
        ["95 / 15", "0.383", "35.8", "0.306", "289"],
        ["120 / 20", "0.494", "44.9", "0.237", "345"],
        ["95, alloy without steel", "0.256", "26.0", "0.358", "265"],
        ["70, insulated for woods", "0.350", "20.6", "0.493", "310"],
    ],
    "neighbours": [
        [
            "Network",
            "Customers",
            "Kilometres of cable",
            "SAIDI 2021",
            "SAIDI 2022",
            "SAIDI 2023",
            "Longest interruption of 2023",
        ],
        ["Castlemere", "41,300", "1,220", "9.8", "10.4", "9.1", "3 h 40 min, cellar under water"],
        ["Denby Vale", "12,900", "890", "38.2", "61.5", "33.7", "19 h 05 min, snow in both valleys"],
        ["Port Sorrow", "27,600", "1,040", "15.3", "20.4", "14.9", "6 h 12 min, anchor of a barge"],
        ["Marlow Fen", "8,450", "415", "22.6", "18.8", "25.0", "5 h 55 min, swan in an open station"],
        ["Great Oxley", "63,700", "2,310", "12.1", "13.6", "12.4", "2 h 18 min, excavator"],
    ],
    "fuses": [["Rating (A)", "0.1 s", "0.4 s", "5 s", "60 s", "Loss at rating (W)"]]
    + [
        [str(size), *(f"{size * factor:.0f}" for factor in (hot + 5.3, hot + 2.4, hot, hot - 2.1)), f"{loss:.1f}"]
        for size, hot, loss in FUSES
    ],
    "stations": stations(),
    "earthing": earthing(),
    "log": [["Time", "Who", "Words", "Remark of the teacher"], *map(list, LOG)],
    "forms": [["Form", "Use", "Filled in by", "Rule"], *map(list, FORMS)],
}

assert all(sum(int(row[at]) for row in TABLES["profiles"][1:]) == 1000 for at in range(1, 6))
