"""Tables of the annual report beyond the main statements; the last line of a split is what is left of a known total."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import random

RANDOM = random.Random(31122025)
Rows = list[list[str]]
Pairs = dict[str, tuple[float, float]]


def f(value: float) -> str:
    """Millions with one decimal, negative ones in brackets."""
    shown = f"{abs(value):,.1f}"
    return f"({shown})" if value < -0.04 else shown


def summed(head: list[str], lines: list[tuple[str, list[float]]], last: str = "Total") -> Rows:
    """Lines of figures and their sum."""
    sums = [sum(values[at] for _, values in lines) for at in range(len(head) - 1)]
    return [head, *([name, *map(f, values)] for name, values in lines), [last, *map(f, sums)]]


def split(head: list[str], lines: list[tuple[str, list[float]]], rest: str, totals: list[float], last: str) -> Rows:
    """Lines of figures, a line with what is left of the totals, and the totals."""
    left = [totals[at] - sum(values[at] for _, values in lines) for at in range(len(totals))]
    return summed(head, [*lines, (rest, left)], last)


FIRST_HALF = {"Cartons": (301.9, 36.4), "Flexible": (219.6, 14.1), "Glass": (129.8, 16.2), "Closures": (99.4, 13.6),
              "Services": (35.6, 3.5)}  # fmt: skip


def halves(revenue: Pairs, profit: Pairs) -> Rows:
    rows = [["Segment", "Revenue, first half", "Revenue, second half", "Profit, first half", "Profit, second half"]]
    for name, (sold, earned) in FIRST_HALF.items():
        rows.append([name, f(sold), f(revenue[name][0] - sold), f(earned), f(profit[name][0] - earned)])
    return rows


COUNTRIES = [("United Kingdom", [512.6, 508.4]), ("Germany", [241.3, 238.0]), ("France", [178.9, 171.2]), ("Poland", [121.4, 112.7]),
             ("Spain and Portugal", [117.5, 114.9]), ("Netherlands and Belgium", [104.8, 99.3]), ("Nordic countries", [98.2, 71.6]),
             ("Italy", [66.0, 69.4]), ("Baltic countries", [41.7, 40.2]), ("United States", [28.8, 26.1])]  # fmt: skip
CUSTOMERS = (("A", "drinks", "Cartons, Glass, Closures", 6.8), ("B", "food retail", "Cartons", 5.1), ("C", "dairy", "Cartons, Closures", 4.2), ("D", "household goods", "Flexible, Closures", 3.7),
             ("E", "brewing", "Glass", 3.1), ("F", "frozen food", "Cartons, Flexible", 2.8), ("G", "medicines", "Cartons", 2.6), ("H", "pet food", "Flexible", 2.2), ("I", "spirits", "Glass, Closures", 1.9))  # fmt: skip


def customers() -> Rows:
    rest = 34.0 - sum(line[3] for line in CUSTOMERS)
    rows = [
        ["Customer", "Trade", "Buys from", "Share of revenue, %"],
        *([name, trade, what, f"{share:.1f}"] for name, trade, what, share in CUSTOMERS),
    ]
    return [*rows, ["J", "coffee", "Flexible", f"{rest:.1f}"], ["Ten largest", "", "", "34.0"]]


PROJECTS = (("Electric melting furnace", "Ravensby", "Glass", 31.4, 67.9, "September 2025"), ("Second shift and stacker", "Thornaby", "Cartons", 8.6, 8.6, "July 2025"), ("Corrugator 4", "Gransdorf", "Cartons", 11.2, 26.5, "May 2026"),
            ("Amber line, engineering", "Arques", "Glass", 5.7, 44.0, "open"), ("Solvent recovery", "Fano", "Flexible", 6.3, 7.1, "March 2025"), ("Recyclable film, line 5", "Kaunas", "Flexible", 7.4, 12.8, "February 2026"),
            ("Tooling for tethered caps", "Keld", "Closures", 6.9, 9.2, "June 2026"), ("Crate wash", "Zwolle", "Services", 2.6, 3.4, "November 2025"), ("Pump house, rebuilt", "Opole", "Cartons", 3.1, 3.1, "October 2025"),
            ("Furnace lining, stores", "Horsens", "Glass", 2.2, 38.5, "2027"), ("Moulding hall", "Bragança", "Closures", 3.3, 4.0, "December 2025"))  # fmt: skip


def projects(total: float) -> Rows:
    rows = [["Project", "Site", "Segment", "Spent in 2025", "Whole cost", "In service"]]
    rows += [[name, site, part, f(spent), f(whole), when] for name, site, part, spent, whole, when in PROJECTS]
    return [
        *rows,
        ["Smaller projects", "all", "", f(total - sum(line[3] for line in PROJECTS)), "", ""],
        ["Capital expenditure", "", "", f(total), "", ""],
    ]


def emissions(places: dict[str, tuple[str, str]]) -> Rows:
    rows = [
        [
            "Site",
            "Scope 1, kt",
            "Scope 2, by place, kt",
            "Scope 2, by contract, kt",
            "Energy, GWh",
            "Renewable power, %",
        ]
    ]
    sums = [0.0, 0.0, 0.0, 0.0]
    for place, (_, segment) in places.items():
        much = 4.2 if segment == "Glass" else 1.0
        power = RANDOM.uniform(2, 9)
        share = RANDOM.randrange(18, 97)
        values = [
            RANDOM.uniform(1.2, 6.8) * much,
            power,
            power * (1 - share / 110),
            RANDOM.uniform(14, 52) * (much + 1) / 2,
        ]
        values = [round(value, 1) for value in values]
        sums = [total + value for total, value in zip(sums, values, strict=True)]
        rows.append([place, *map(f, values), str(share)])
    return [*rows, ["All sites", *map(f, sums), ""]]


def waste(places: dict[str, tuple[str, str]]) -> Rows:
    rows = [
        [
            "Site",
            "Waste, t",
            "of which recycled, t",
            "of which landfill, t",
            "Hazardous, t",
            "Noise complaints",
            "Environmental audit",
        ]
    ]
    for place in places:
        whole = RANDOM.randrange(180, 5200)
        fill = round(whole * RANDOM.uniform(0.01, 0.09))
        month = RANDOM.choice(("February", "April", "May", "June", "September", "November"))
        rows.append(
            [
                place,
                f"{whole:,}",
                f"{round(whole * RANDOM.uniform(0.72, 0.9)):,}",
                str(fill),
                str(RANDOM.randrange(2, 88)),
                str(RANDOM.randrange(0, 9)),
                f"{month} {RANDOM.choice((2023, 2024, 2025))}",
            ]
        )
    return rows


RISKS = ("Failure of a furnace crown", "Fire in a paper store", "Price of electricity", "Price of gas", "Loss of a large customer", "Ban of single-use plastic", "Attack on computers", "Theft of personal data", "Recovered paper",
         "Resin", "Soda ash", "Delay of a rebuild", "Pension promise", "Low rivers", "Flood", "Euro", "Zloty", "Tax disputes", "Competition law", "Food safety", "Strike", "Loss of key people", "Claims for breakage", "Insolvency of a supplier", "Licence of a cap")  # fmt: skip
OWNERS = (
    "operations director",
    "finance director",
    "head of purchasing",
    "general counsel",
    "head of people",
    "segment head Glass",
    "segment head Flexible",
    "head of systems",
)


def register() -> Rows:
    rows = [["No.", "Risk", "Owner", "Likelihood", "Effect", "Last reviewed", "Next test of the plan"]]
    for at, risk in enumerate(RISKS, start=1):
        cells = [OWNERS[(at * 3) % 8], str(RANDOM.randrange(1, 6)), str(RANDOM.randrange(1, 6))]
        rows.append(
            [
                f"R{at}",
                risk,
                *cells,
                f"{RANDOM.choice(('May', 'November'))} 2025",
                f"{RANDOM.choice(('March', 'June', 'September'))} {RANDOM.choice((2026, 2027))}",
            ]
        )
    return rows


EXTRA = (
    ("Ottoline Marsh", 265, 0),
    ("Sir Anselm Croft", 62, 14),
    ("Ines Valadão", 62, 0),
    ("Gideon Rask", 62, 14),
    ("Noor Haddad", 62, 10),
)
TRAVEL = (11, 4, 9, 3, 6)


def fees() -> Rows:
    rows = [["Member without executive duty", "Fee", "Fee for a chair", "Taxed travel", "Sum"]]
    rows += [
        [name, str(fee), str(more), str(trip), str(fee + more + trip)]
        for (name, fee, more), trip in zip(EXTRA, TRAVEL, strict=True)
    ]
    sums = [sum(line[1] for line in EXTRA), sum(line[2] for line in EXTRA), sum(TRAVEL)]
    return [*rows, ["Sum", *map(str, sums), str(sum(sums))]]


OLD_PAY = (
    ("Henrietta Voss, chief executive", 718, 603, 422, 72),
    ("Samir Achterberg, finance director", 470, 377, 219, 47),
    ("Piers Hallam, operations director", 384, 301, 171, 38),
)


def old_pay() -> Rows:
    rows = [["Year 2024, thousands", "Salary", "Bonus", "Long-term plan", "Pension", "Total"]]
    rows += [[name, *map(str, parts), f"{sum(parts):,}"] for name, *parts in OLD_PAY]
    sums = [sum(int(line[at]) for line in OLD_PAY) for at in range(1, 5)]
    return [*rows, ["All", *(f"{part:,}" for part in sums), f"{sum(sums):,}"]]


AWARDS = (("Henrietta Voss", 2023, 318_200, 0.527), ("Henrietta Voss", 2024, 341_700, 0.0), ("Henrietta Voss", 2025, 356_900, 0.0), ("Samir Achterberg", 2023, 166_000, 0.527), ("Samir Achterberg", 2024, 178_300, 0.0),
          ("Samir Achterberg", 2025, 187_400, 0.0), ("Lorna Pettifer", 2025, 151_600, 0.0), ("Piers Hallam", 2023, 128_500, 0.395), ("Piers Hallam", 2024, 139_200, 0.0))  # fmt: skip


def awards() -> Rows:
    rows = [["Holder", "Award of", "Shares awarded", "Vested", "Lapsed", "Open"]]
    for name, year, count, vested in AWARDS:
        given = round(count * vested)
        lost = count - given if vested or name == "Piers Hallam" else 0
        rows.append([name, str(year), f"{count:,}", f"{given:,}", f"{lost:,}", f"{count - given - lost:,}"])
    return rows


CLASSES = ("Land and buildings", "Machines", "Furnaces", "Moulds and crates")
MOVES = {"Opening value": (201.4, 262.3, 118.6, 74.9), "Bought": (14.2, 41.8, 9.6, 21.3), "With Vitrea": (4.4, 2.9, 3.1, 0.8),
         "Brought into service": (3.0, 9.5, 61.7, 1.1), "Written down": (-8.8, -29.4, -12.7, -15.2), "Sold or scrapped": (-4.9, -0.6, 0.0, -0.3), "Currency": (-1.3, -1.4, -0.6, -0.4)}  # fmt: skip


def plant_classes(totals: dict[str, float]) -> Rows:
    rows = [["Movement", *CLASSES, "Under construction", "All"]]
    closing = [0.0] * 6
    for name, values in MOVES.items():
        whole = totals.get(name, 0.0)
        cells = [*values, whole - sum(values), whole]
        closing = [total + cell for total, cell in zip(closing, cells, strict=True)]
        rows.append([name, *map(f, cells)])
    return [*rows, ["Closing value", *map(f, closing)]]


GOODWILL = [
    ("Cartons", [61.3, 61.1]),
    ("Flexible", [52.8, 52.5]),
    ("Glass", [27.9, 12.6]),
    ("Closures", [22.4, 22.2]),
    ("Services", [4.6, 4.6]),
]
TESTED = (
    ("Cartons", "8.4", "1.5", 214, "13.9"),
    ("Glass", "8.7", "1.6", 131, "12.2"),
    ("Closures", "9.0", "1.8", 96, "15.4"),
    ("Services", "9.6", "2.0", 22, "14.1"),
)
OLD_PROVISIONS = [
    ("Closure of the Ludford site", [5.2, 1.1, -2.9]),
    ("Soil and water, Ludford", [6.9, 0.5, -0.8]),
    ("Complaints of customers", [2.4, 2.7, -2.2]),
    ("Disputes", [2.1, 1.0, -0.6]),
]


def old_provisions() -> Rows:
    rows = [["Movements in 2024", "Start", "Added", "Used", "End"]]
    lines = [(name, [*values, sum(values)]) for name, values in OLD_PROVISIONS]
    return summed(rows[0], lines, "All")


PENSION = [
    ("Opening", [418.9, -381.6]),
    ("Interest", [19.7, -18.2]),
    ("Paid to pensioners", [-24.1, 24.1]),
    ("Paid in by the group", [0.0, -9.5]),
    ("Change of rates and lives", [-11.8, 0.0]),
]
HELD = (
    ("Government bonds", 168.4),
    ("Company bonds", 97.2),
    ("Shares", 41.3),
    ("Property", 27.9),
    ("Insurance contracts", 22.6),
)
EARLIER = {
    "Cartons": (498.1, 531.6, 560.4),
    "Flexible": (401.7, 430.9, 452.2),
    "Glass": (190.6, 212.8, 231.0),
    "Closures": (158.9, 169.7, 177.3),
}
MARGINS = {
    "Cartons": ("11.6", "10.9", "11.4", "11.3"),
    "Flexible": ("8.9", "8.1", "9.2", "8.8"),
    "Glass": ("11.2", "11.0", "11.7", "12.0"),
    "Closures": ("12.9", "12.4", "13.1", "13.0"),
    "Services": ("7.7", "8.6", "9.0", "9.2"),
}


def segments_five(revenue: Pairs, totals: list[float]) -> Rows:
    rows = [["Sales by segment", "2021", "2022", "2023", "2024", "2025"]]
    rows += [[name, *map(f, old), f(revenue[name][1]), f(revenue[name][0])] for name, old in EARLIER.items()]
    left = [totals[at] - sum(old[at] for old in EARLIER.values()) for at in range(3)]
    return [
        *rows,
        ["Services", *map(f, left), f(revenue["Services"][1]), f(revenue["Services"][0])],
        ["All", *map(f, totals)],
    ]


STREETS = (
    "Mill Lane",
    "Quay Street",
    "Industriestraße",
    "Rue du Moulin",
    "Via del Porto",
    "Storgatan",
    "Calle Nueva",
    "Park Avenue",
    "Bahnhofstraße",
    "Haven",
)


def addresses(places: dict[str, tuple[str, str]]) -> Rows:
    rows = [["Registered as", "Registered office", "Number", "Share capital, thousands", "Since", "Local auditor"]]
    for at, place in enumerate(places):
        capital = RANDOM.choice((25, 50, 100, 250, 400, 1200))
        auditor = "Pellew & Strand" if at % 5 else RANDOM.choice(("Holm & Bruun", "Kanzlei Reuter", "none, exempt"))
        rows.append(
            [
                f"T&V {place}",
                f"{RANDOM.choice(STREETS)} {RANDOM.randrange(1, 190)}",
                f"{RANDOM.randrange(100000, 999999)}",
                f"{capital:,}",
                str(RANDOM.randrange(1961, 2022)),
                auditor,
            ]
        )
    return rows


STAFF_BY_WORK = (
    ("Production", 4_918, 21, 11.2, 19),
    ("Maintenance", 871, 7, 6.4, 31),
    ("Storage and transport", 702, 18, 14.8, 12),
    ("Sales and service", 498, 44, 9.7, 22),
    ("Design and development", 262, 39, 7.1, 38),
    ("Office", 421, 61, 8.3, 16),
)


def workforce(total: int) -> Rows:
    rows = [["Kind of work", "Employees, average", "Women, %", "Leavers, %", "Training, hours each"]]
    rows += [
        [name, f"{count:,}", str(women), f"{gone:.1f}", str(hours)] for name, count, women, gone, hours in STAFF_BY_WORK
    ]
    return [*rows, ["Management", str(total - sum(line[1] for line in STAFF_BY_WORK)), "29", "5.5", "41"]]


def extra_tables(
    revenue: Pairs, profit: Pairs, places: dict[str, tuple[str, str]], known: dict[str, float], history: list[float]
) -> dict[str, Rows]:
    """Return the tables by name; ``known`` holds the totals of the main statements."""
    sold = [sum(pair[at] for pair in revenue.values()) for at in (0, 1)]
    obligation, assets = sum(values[0] for _, values in PENSION), sum(values[1] for _, values in PENSION)
    last = ("Return above interest, actuarial gains", [402.7 - obligation, -371.1 - assets])
    plant = dict(zip(MOVES, (702.5, 118.3, 11.2, 0.0, -66.1, -5.8, -4.0), strict=True))
    earned = known["operating"]
    return {
        "halves": halves(revenue, profit), "countries": split(["Country of the customer", "Year 2025", "Year 2024"], COUNTRIES, "Elsewhere", sold, "All countries"),
        "customers": customers(), "projects": projects(118.3), "emissions": emissions(places), "waste": waste(places), "register": register(),
        "fees": fees(), "old_pay": old_pay(), "awards": awards(), "plant_classes": plant_classes(plant), "workforce": workforce(7_846),
        "goodwill": summed(["Goodwill by segment", "End of 2025", "End of 2024"], GOODWILL, "All segments"),
        "tested": [["Segment tested", "Discount rate, %", "Growth after five years, %", "Excess, millions", "Rate at which it is used up, %"], *([name, rate, more, str(room), gone] for name, rate, more, room, gone in TESTED)],
        "old_provisions": old_provisions(), "pension": summed(["Pension scheme, millions", "Liabilities", "Assets, as negative"], [*PENSION, last], "Closing"),
        "held": split(["Assets of the scheme", "End of 2025"], [(name, [value]) for name, value in HELD], "Bank balances", [371.1], "Scheme assets"),
        "segments_five": segments_five(revenue, history), "margins": [["Margin, %", "2021", "2022", "2023", "2024"], *([name, *values] for name, values in MARGINS.items())],
        "addresses": addresses(places),
        "staff_cost": split(["Cost of people", "Year 2025", "Year 2024"], [("Wages", [254.7, 247.9]), ("Social security", [41.6, 40.2]), ("Pension plans", [17.0, 16.4])], "Share awards and other", [318.6, 309.2], "Cost of people"),
        "bought": split(["Vitrea at fair value", "Millions"], [("Plant", [11.2]), ("Customer relations", [9.3]), ("Stores", [9.8]), ("Sums owed by customers", [11.3]), ("Sums owed to others", [-8.1]), ("Goodwill", [15.1])], "Deferred tax and other", [50.8], "Price with the later payment"),
        "measures": [["Measure", "From", "Figure"], ["EBITDA before exceptional items, millions", "operating profit and depreciation and amortisation", f(earned + 78.4)], ["EBITDA after exceptional items, millions", "the same less exceptional items", f(earned + 78.4 - 9.7)],
                     ["Net debt to EBITDA, times", "net debt without leases", f"{known['net_debt'] / (earned + 78.4):.2f}"], ["Net debt with leases, millions", "net debt and lease liabilities", f(known["net_debt"] + 93.1)], ["Return on capital, %", "operating profit on equity and net debt", f"{earned / (known['equity'] + known['net_debt']) * 100:.1f}"]],
    }  # fmt: skip
