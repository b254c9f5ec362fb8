"""Figures of the annual report: what is listed is given, every total, margin and balance is calculated."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import random
import runpy
from pathlib import Path

RANDOM = random.Random(2025)
Rows = list[list[str]]
YEARS = ("2025", "2024")


def f(value: float) -> str:
    """Millions with one decimal, negative ones in brackets."""
    shown = f"{abs(value):,.1f}"
    return f"({shown})" if value < -0.04 else shown


REVENUE = {
    "Cartons": (612.4, 588.1), "Flexible": (431.7, 447.9), "Glass": (288.6, 251.3), "Closures": (197.2, 189.5),
    "Services": (74.8, 61.0),
}  # fmt: skip
PROFIT = {
    "Cartons": (71.3, 66.2), "Flexible": (22.8, 39.4), "Glass": (37.9, 30.1), "Closures": (26.4, 24.7),
    "Services": (8.2, 5.6), "Central costs": (-18.6, -17.9),
}  # fmt: skip
ASSETS = {"Cartons": (498.2, 471.6), "Flexible": (352.9, 361.0), "Glass": (341.5, 262.7), "Closures": (141.8, 137.3),
          "Services": (39.4, 31.2)}  # fmt: skip
SPENT = {"Cartons": (34.7, 31.2), "Flexible": (18.9, 27.4), "Glass": (48.1, 22.6), "Closures": (12.2, 11.8),
         "Services": (4.4, 3.0)}  # fmt: skip
TOTAL = tuple(round(sum(pair[at] for pair in REVENUE.values()), 1) for at in (0, 1))
OPERATING = tuple(round(sum(pair[at] for pair in PROFIT.values()), 1) for at in (0, 1))
EXCEPTIONAL, COSTS, INTEREST, TAX = (-9.7, -3.2), (-27.3, -24.8), (2.1, 1.9), (-27.9, -29.6)
BEFORE_TAX = tuple(round(OPERATING[at] + EXCEPTIONAL[at] + COSTS[at] + INTEREST[at], 1) for at in (0, 1))
AFTER_TAX = tuple(round(BEFORE_TAX[at] + TAX[at], 1) for at in (0, 1))
SHARES = (412.0, 409.5)
EARNINGS = tuple(round(AFTER_TAX[at] / SHARES[at] * 100, 1) for at in (0, 1))


def income() -> Rows:
    lines = (
        ("Revenue", TOTAL), ("Operating costs", tuple(OPERATING[at] - TOTAL[at] for at in (0, 1))),
        ("Operating profit before exceptional items", OPERATING), ("Exceptional items", EXCEPTIONAL),
        ("Finance costs", COSTS), ("Finance income", INTEREST), ("Profit before tax", BEFORE_TAX), ("Tax", TAX),
        ("Profit for the year", AFTER_TAX),
    )  # fmt: skip
    rows = [["Millions", "Note", *YEARS]]
    notes = ("2", "3", "2", "4", "5", "5", "", "6", "")
    rows += [[name, note, f(pair[0]), f(pair[1])] for (name, pair), note in zip(lines, notes, strict=True)]
    return [*rows, ["Earnings per share, pence", "7", *map(str, EARNINGS)]]


def by_segment(values: dict[str, tuple[float, float]], head: str) -> Rows:
    rows = [[head, *YEARS, "Change"]]
    rows += [[name, f(new), f(old), f(new - old)] for name, (new, old) in values.items()]
    new, old = (sum(pair[at] for pair in values.values()) for at in (0, 1))
    return [*rows, ["Group", f(new), f(old), f(new - old)]]


NATURE = (("Raw materials", 742.8, 703.5), ("Energy", 148.3, 129.9), ("Wages and salaries", 318.6, 309.2),
          ("Depreciation and amortisation", 78.4, 74.0), ("Freight", 89.7, 86.3))  # fmt: skip


def nature() -> Rows:
    totals = [round(TOTAL[at] - OPERATING[at], 1) for at in (0, 1)]
    other = [totals[at] - sum(float(line[at + 1]) for line in NATURE) for at in (0, 1)]
    rows = [["Operating costs", *YEARS], *([name, f(new), f(old)] for name, new, old in NATURE)]
    return [*rows, ["Other", *map(f, other)], ["Total", *map(f, totals)]]


CASH = (
    ("Profit before tax", BEFORE_TAX[0]), ("Depreciation and amortisation", 78.4), ("Net finance cost", 25.2),
    ("Exceptional items without payment", 4.1), ("Increase in working capital", -19.6), ("Tax paid", -26.1),
    ("Capital expenditure", -118.3), ("Purchase of Vitrea Glasværk", -34.0), ("Sale of the Ludford site", 6.2),
    ("Dividends paid", -41.2), ("Interest paid", -25.5), ("New borrowings", 60.0), ("Repayment of leases", -17.8),
)  # fmt: skip
OPENING_CASH = 94.6
CLOSING_CASH = round(OPENING_CASH + sum(value for _, value in CASH), 1)


def cash() -> Rows:
    rows = [["Millions", "2025"], *([name, f(value)] for name, value in CASH)]
    change = sum(value for _, value in CASH)
    return [
        *rows,
        ["Change in cash", f(change)],
        ["Cash on 1 January", f(OPENING_CASH)],
        ["Cash on 31 December", f(CLOSING_CASH)],
    ]


EQUITY = (("Equity on 1 January", 684.2), ("Profit for the year", AFTER_TAX[0]), ("Other comprehensive income", 6.3),
          ("Dividends", -41.2), ("Share-based payments", 2.9))  # fmt: skip
CLOSING_EQUITY = round(sum(value for _, value in EQUITY), 1)
PLANT = (("On 1 January", 702.5), ("Additions", 118.3), ("Acquired with Vitrea", 11.2), ("Depreciation", -66.1),
         ("Disposals", -5.8), ("Exchange differences", -4.0))  # fmt: skip
INTANGIBLE = (
    ("On 1 January", 231.0),
    ("Acquired with Vitrea", 24.4),
    ("Amortisation", -12.3),
    ("Exchange differences", 1.2),
)


def rolled(lines: tuple[tuple[str, float], ...], last: str) -> Rows:
    rows = [["Millions", "2025"], *([name, f(value)] for name, value in lines)]
    return [*rows, [last, f(sum(value for _, value in lines))]]


LOANS = (
    ("Revolving credit facility", "Bank group led by Harwick Bank", 145.0, "SONIA + 1.35 %", "June 2029"),
    ("Private placement 2018", "US insurers", 92.4, "3.86 %", "September 2028"),
    ("Private placement 2022", "US insurers", 118.7, "4.41 %", "March 2032"),
    ("Schuldschein, fixed", "German savings banks", 61.5, "3.10 %", "November 2027"),
    ("Schuldschein, floating", "German savings banks", 27.9, "EURIBOR + 1.20 %", "November 2027"),
    ("Term loan Vitrea", "Nordvest Bank", 18.2, "4.95 %", "April 2030"),
    ("Green loan Ravensby furnace", "Northern Investment Fund", 42.0, "3.55 %", "December 2033"),
)


def loans() -> Rows:
    rows = [["Facility", "Lender", "Drawn, millions", "Interest", "Due"]]
    rows += [[name, lender, f(drawn), rate, due] for name, lender, drawn, rate, due in LOANS]
    return [*rows, ["Total", "", f(sum(loan[2] for loan in LOANS)), "", ""]]


BORROWED = round(sum(loan[2] for loan in LOANS), 1)


def balance() -> Rows:
    plant, other = sum(v for _, v in PLANT), sum(v for _, v in INTANGIBLE)
    assets = (("Property, plant and equipment", plant), ("Intangible assets", other), ("Right-of-use assets", 88.3),
              ("Inventories", 214.9), ("Trade and other receivables", 287.4), ("Cash", CLOSING_CASH))  # fmt: skip
    total = sum(value for _, value in assets)
    owed = (("Borrowings", BORROWED), ("Lease liabilities", 93.1), ("Pension deficit", 31.6), ("Provisions", 20.1),
            ("Deferred tax", 44.8))  # fmt: skip
    trade = total - CLOSING_EQUITY - sum(value for _, value in owed)
    rows = [["Millions", "31 December 2025"], *([name, f(value)] for name, value in assets), ["Total assets", f(total)]]
    rows += [["Equity", f(CLOSING_EQUITY)], *([name, f(value)] for name, value in owed)]
    return [*rows, ["Trade and other payables", f(trade)], ["Total equity and liabilities", f(total)]]


HISTORY = {"2021": (1288.4, 121.7, 68.9, 8.2), "2022": (1391.0, 126.3, 77.5, 8.8), "2023": (1468.2, 139.6, 84.1, 9.4),
           "2024": (TOTAL[1], OPERATING[1], AFTER_TAX[1], 10.0), "2025": (TOTAL[0], OPERATING[0], AFTER_TAX[0], 10.3)}  # fmt: skip


def history() -> Rows:
    rows = [["", *HISTORY]]
    names = (
        "Revenue, millions",
        "Operating profit, millions",
        "Profit for the year, millions",
        "Dividend per share, pence",
    )
    rows += [[name, *(f(values[at]) for values in HISTORY.values())] for at, name in enumerate(names)]
    rows.append(["Operating margin, %", *(f"{values[1] / values[0] * 100:.1f}" for values in HISTORY.values())])
    staff = ("7,214", "7,390", "7,655", "7,702", "7,846")
    accidents = ("5.1", "4.6", "4.9", "4.2", "3.7")
    return [*rows, ["Employees, average", *staff], ["Accidents per million hours", *accidents]]


PAY = (
    ("Henrietta Voss, chief executive", 742, 518, 391, 74), ("Samir Achterberg, finance director", 486, 322, 204, 49),
    ("Lorna Pettifer, operations director, from 1 April", 291, 187, 0, 29),
    ("Piers Hallam, operations director, to 31 March", 96, 0, 158, 10),
)  # fmt: skip


def pay() -> Rows:
    rows = [["Thousands", "Salary", "Bonus", "Long-term plan", "Pension", "Total"]]
    rows += [[name, *(f"{part:,}" for part in parts), f"{sum(parts):,}"] for name, *parts in PAY]
    sums = [sum(int(line[at]) for line in PAY) for at in range(1, 5)]
    return [*rows, ["Total", *(f"{part:,}" for part in sums), f"{sum(sums):,}"]]


PLACES = {
    "Ludham": ("United Kingdom", "Cartons"), "Ravensby": ("United Kingdom", "Glass"), "Thornaby": ("United Kingdom", "Cartons"),
    "Keld": ("United Kingdom", "Closures"), "Aldwark": ("United Kingdom", "Flexible"), "Penrith": ("United Kingdom", "Cartons"),
    "Gransdorf": ("Germany", "Cartons"), "Ostheim": ("Germany", "Flexible"), "Lessach": ("Austria", "Flexible"),
    "Brno-Lesna": ("Czechia", "Closures"), "Opole": ("Poland", "Cartons"), "Tarnów": ("Poland", "Glass"),
    "Vimeux": ("France", "Cartons"), "Arques": ("France", "Glass"), "Bragança": ("Portugal", "Closures"),
    "Fano": ("Italy", "Flexible"), "Zwolle": ("Netherlands", "Services"), "Hasselt": ("Belgium", "Services"),
    "Horsens": ("Denmark", "Glass"), "Växjö": ("Sweden", "Cartons"), "Lahti": ("Finland", "Cartons"), "Tartu": ("Estonia", "Closures"),
    "Ventspils": ("Latvia", "Flexible"), "Kaunas": ("Lithuania", "Flexible"), "Cork": ("Ireland", "Closures"),
    "Larne": ("United Kingdom", "Cartons"), "Gijón": ("Spain", "Flexible"), "Vic": ("Spain", "Cartons"), "Pécs": ("Hungary", "Closures"),
    "Sibiu": ("Romania", "Cartons"),
}  # fmt: skip
STAFF = {place: RANDOM.randrange(85, 420) for place in PLACES}


def sites() -> Rows:
    rows = [["Site", "Segment", "Employees", "Output, kt", "Electricity, GWh", "Water, thousand m³", "Accidents"]]
    for place, (_, segment) in PLACES.items():
        cells = [
            f"{RANDOM.uniform(8, 96):.1f}",
            f"{RANDOM.uniform(4, 61):.1f}",
            str(RANDOM.randrange(12, 240)),
            str(RANDOM.randrange(0, 7)),
        ]
        rows.append([place, segment, str(STAFF[place]), *cells])
    return rows


def companies() -> Rows:
    rows = [["Company", "Country", "Share held, %", "Business"]]
    for at, (place, (land, _)) in enumerate(PLACES.items()):
        held = 100 if at % 7 else (51, 80, 75, 60, 51)[at // 7]
        kind = RANDOM.choice(("production", "production", "production and sales", "production and holding"))
        rows.append([f"Tarn & Vale {place}", land, str(held), kind])
    return rows


MANAGERS = (
    "A. Ridley", "M. Ferreira", "J. Castellan", "S. Oduya", "K. Brandl", "P. Novák", "E. Lind", "T. Marsden", "B. Kowal", "R. Duchamp",
    "G. Moretti", "H. de Wit", "L. Peeters", "N. Friis", "C. Öberg", "V. Salo", "I. Tamm", "D. Ozols", "Z. Petraitis", "O. Byrne",
    "F. Magee", "Q. Arce", "U. Serra", "W. Horvat", "Y. Ionescu", "A. Thwaite", "M. Lebrun", "J. Weiss", "S. Quint", "K. Rowan",
)  # fmt: skip
GOODS = {
    "Cartons": (
        "folding boxes for frozen food",
        "trays for fruit",
        "boxes for medicines",
        "cartons for drinks",
        "sleeves for yoghurt",
    ),
    "Flexible": (
        "pouches for pet food",
        "films for cheese",
        "wraps for biscuits",
        "bags for coffee",
        "lids for ready meals",
    ),
    "Glass": ("green bottles for wine", "clear jars", "amber bottles", "bottles for spirits"),
    "Closures": ("caps of 28 mm", "tethered caps", "pumps for soap", "child-proof closures", "lids with a spout"),
    "Services": ("pool of crates", "recycling of film"),
}
EVENTS = (
    "A new die cutter was set up in {month} at a cost of {sum} million",
    "The roof was fitted with solar panels of {count} kW in {month}",
    "The permit for waste water was renewed in {month} for {years} years, with a limit of {count} m³ a day",
    "A strike of {years} days in {month} cost {sum} million of output",
    "Night shifts were given up in {month}, and {count} people moved to other shifts",
    "An inspection in {month} found {years} shortcomings, all of them removed within {count} days",
    "A flood wall was finished in {month} and cost {sum} million",
    "The heating was changed to district heat in {month}, which saves {count} tonnes of carbon dioxide a year",
)
PLANS = (
    "A press for eight colours is on order and will arrive in {month} 2026",
    "The lease ends in {month} 2028 and is being negotiated",
    "A second warehouse of {count}0 m² is planned for {month} 2026",
    "The kitchen and the changing rooms are rebuilt until {month} 2026",
    "The change of its boiler is put off to {month} 2027",
    "Training of {count} people on new machines ends in {month} 2026",
)
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "September", "October", "November")


def site_reports() -> str:
    said = []
    for at, (place, (land, segment)) in enumerate(PLACES.items()):
        goods = GOODS[segment][at % len(GOODS[segment])]
        event, plan = EVENTS[(at * 3 + 1) % len(EVENTS)], PLANS[(at * 5 + 2) % len(PLANS)]
        fill = {"month": MONTHS[(at * 7 + 3) % 10], "sum": f"{RANDOM.uniform(0.4, 3.9):.1f}", "count": 40 + 11 * at + RANDOM.randrange(9),
                "years": 2 + (at * 3) % 9}  # fmt: skip
        used = 58 + (at * 17) % 39
        said.append(f"### {place}, {land}")
        said.append(
            f"Managed by {MANAGERS[at]} with {STAFF[place]} employees. The site of the segment {segment} makes mainly {goods} and used "
            f"{used} % of its capacity. {event.format(**fill)}. Waste that was not recycled made up {1.1 + (at * 13 % 47) / 10:.1f} % of the "
            f"material. {plan.format(**(fill | {'month': MONTHS[(at * 3 + 5) % 10]}))}."
        )
    return "\n\n".join(said)


AGES = (("not due", 219.3, 0.4), ("up to 30 days", 38.6, 0.6), ("31 to 60 days", 12.9, 0.9), ("61 to 120 days", 7.1, 1.5),
        ("over 120 days", 6.4, 4.2))  # fmt: skip


def receivables() -> Rows:
    rows = [["Overdue", "Gross", "Allowance", "Net"]]
    rows += [[name, f(gross), f(lost), f(gross - lost)] for name, gross, lost in AGES]
    gross, lost = (sum(float(line[at]) for line in AGES) for at in (1, 2))
    return [*rows, ["Total", f(gross), f(lost), f(gross - lost)]]


PROVISIONS = (("Closure of Lessach line 2", 3.4, 5.8, -1.9), ("Environment, Ludford", 6.6, 0.4, -1.1),
              ("Claims of customers", 2.9, 3.1, -2.2), ("Legal", 2.5, 1.3, -0.7))  # fmt: skip


def provisions() -> Rows:
    rows = [["Provision", "1 January", "Added", "Used", "31 December"]]
    rows += [[name, f(old), f(new), f(used), f(old + new + used)] for name, old, new, used in PROVISIONS]
    sums = [sum(float(line[at]) for line in PROVISIONS) for at in (1, 2, 3)]
    return [*rows, ["Total", *map(f, sums), f(sum(sums))]]


def taxes() -> Rows:
    at_rate = BEFORE_TAX[0] * 0.25
    lines = (("Tax at 25 %", at_rate), ("Costs that are not deductible", 1.9), ("Rates of other countries", -2.3),
             ("Adjustments of earlier years", -0.8))  # fmt: skip
    rest = -TAX[0] - sum(value for _, value in lines)
    rows = [
        ["Millions", "2025"],
        *([name, f(value)] for name, value in lines),
        ["Losses without deferred tax", f(rest)],
    ]
    return [*rows, ["Tax", f(-TAX[0])]]


MEMBERS = (
    ("Ottoline Marsh", "chair", 9, 0, 4), ("Henrietta Voss", "chief executive", 9, 0, 0), ("Samir Achterberg", "finance director", 8, 0, 0),
    ("Lorna Pettifer", "operations director", 7, 0, 0), ("Sir Anselm Croft", "audit chair", 9, 5, 4), ("Ines Valadão", "independent", 8, 5, 0),
    ("Gideon Rask", "remuneration chair", 9, 5, 4), ("Noor Haddad", "senior independent", 9, 4, 4),
)  # fmt: skip


def attendance() -> Rows:
    rows = [["Member", "Role", "Board (9)", "Audit (5)", "Remuneration (4)"]]
    return [
        *rows,
        *(
            [name, role, str(board), str(audit) if audit else "-", str(paid) if paid else "-"]
            for name, role, board, audit, paid in MEMBERS
        ),
    ]


KNOWN = {"operating": OPERATING[0], "net_debt": BORROWED - CLOSING_CASH, "equity": CLOSING_EQUITY}
SITES = runpy.run_path(str(Path(__file__).with_name("made_sites.py")))
NOTES = runpy.run_path(str(Path(__file__).with_name("made_notes.py")))
TABLES: dict[str, Rows] = {
    **SITES["site_tables"](PLACES, STAFF),
    **NOTES["extra_tables"](REVENUE, PROFIT, PLACES, KNOWN, [values[0] for values in HISTORY.values()]),
    "attendance": attendance(),
    "income": income(), "revenue": by_segment(REVENUE, "Revenue, millions"), "profit": by_segment(PROFIT, "Operating profit, millions"),
    "assets": by_segment(ASSETS, "Segment assets, millions"), "spent": by_segment(SPENT, "Capital expenditure, millions"),
    "nature": nature(), "cash": cash(), "equity": rolled(EQUITY, "Equity on 31 December"), "plant": rolled(PLANT, "On 31 December"),
    "intangible": rolled(INTANGIBLE, "On 31 December"), "loans": loans(), "balance": balance(), "history": history(), "pay": pay(),
    "sites": sites(), "companies": companies(), "receivables": receivables(), "provisions": provisions(), "taxes": taxes(),
}  # fmt: skip
TEXTS = {
    "site_reports": site_reports(),
    "revenue": f(TOTAL[0]), "revenue_old": f(TOTAL[1]), "operating": f(OPERATING[0]), "operating_old": f(OPERATING[1]),
    "growth": f"{(TOTAL[0] / TOTAL[1] - 1) * 100:.1f}", "earnings": str(EARNINGS[0]), "net_debt": f(BORROWED - CLOSING_CASH),
    "cover": f"{OPERATING[0] / 25.2:.1f}", "dividend": f"{SHARES[0] * 10.3 / 100:.1f}",
}  # fmt: skip
