"""Interfaces, measures of the services, prices of sites and forms for the schedules of the agreement."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import random

RANDOM = random.Random(118)
Rows = list[list[str]]

MEASURES = {
    "Order system": (("Order lines accepted in the peak hour", "26,000", "22,500", 6), ("Confirmation sent after an order", "in 90 seconds, 96 %", "92 %", 4), ("Price list loaded", "by 03:15", "03:50", 5), ("Entry screens without an error page", "99.4 %", "98.9 %", 3)),
    "Warehouse system": (("Pick lists printed after release", "in 50 seconds, 95 %", "90 %", 5), ("Scanners connected", "98.5 %", "96.5 %", 4), ("Stock figures handed to orders", "every 6 minutes", "12 minutes", 6), ("Batch trace of a product", "in 20 minutes", "45 minutes", 8)),
    "Payroll system": (("Pay file handed to the bank", "by 14:00 on the day", "15:30", 9), ("Payslips handed to the printer", "two days before pay day", "one day", 4), ("Corrections calculated", "in 3 hours", "7 hours", 3)),
    "Databases": (("Disk space free", "18 %", "12 %", 2), ("Statistics refreshed", "weekly", "every 10 days", 1), ("Copy for tests delivered", "in 2 Business Days", "4 Business Days", 2), ("Queries above 30 seconds", "fewer than 40 a day", "75 a day", 2)),
    "Backup and archive": (("Test restores", "6 a month", "4 a month", 4), ("Tapes found at the count", "100 %", "99.8 %", 6), ("Archive search answered", "in 2 Business Days", "5 Business Days", 2)),
    "Networks": (("Packets lost", "0.3 %", "0.8 %", 3), ("Delay between site and centre", "28 milliseconds", "45 milliseconds", 3), ("Switch to the second path", "in 70 seconds", "3 minutes", 5), ("Firewall change made", "in 2 Business Days", "4 Business Days", 2)),
    "Service desk": (("Solved at first contact", "64 %", "55 %", 3), ("Calls given up by callers", "5 %", "8 %", 2), ("Tickets reopened", "4 %", "7 %", 2), ("Mails answered", "in 4 Business Hours, 90 %", "80 %", 2), ("Satisfaction after a ticket", "4.2 of 5", "3.8 of 5", 3)),
    "Workplaces": (("Printer exchanged", "in 5 Business Hours", "9 Business Hours", 3), ("Terminal exchanged in a cold store", "in 8 Business Hours", "2 Business Days", 3), ("New workplace delivered", "in 6 Business Days", "10 Business Days", 1)),
    "Security monitoring": (("False alarms among those reported", "15 %", "30 %", 2), ("Record sources connected", "100 %", "97 %", 5), ("Finding of a penetration test closed, high", "in 20 days", "35 days", 6), ("Finding closed, medium", "in 60 days", "100 days", 3)),
    "Reporting": (("Figures corrected after delivery", "2 a quarter", "5 a quarter", 1), ("Raw data available for download", "99 %", "97 %", 1)),
}  # fmt: skip


def measures() -> Rows:
    rows = [["No.", "Service", "Measure", "Target", "Minimum", "Points"]]
    for at, (service, lines) in enumerate(MEASURES.items(), start=1):
        rows += [
            [f"M{at}.{rank}", service, what, target, least, str(points)]
            for rank, (what, target, least, points) in enumerate(lines, start=1)
        ]
    return rows


ENDS = (("Order system", "Warehouse north", "order lines"), ("Order system", "Warehouse south", "order lines"), ("Warehouse north", "Order system", "stock"), ("Warehouse south", "Order system", "stock"), ("Order system", "Ledger", "invoices"),
        ("Ledger", "Order system", "credit limits"), ("Order system", "Retailer exchange", "confirmations"), ("Retailer exchange", "Order system", "orders of chains"), ("Payroll system", "Bank", "pay file"), ("Time clocks", "Payroll system", "hours worked"),
        ("Payroll system", "Tax office", "monthly return"), ("Payroll system", "Pension trustee", "contributions"), ("Cinder portal", "Payroll system", "proofs of delivery"), ("Recipes", "Labels", "ingredients"), ("Labels", "Printers", "print jobs"),
        ("Warehouse north", "Hauliers", "loads"), ("Warehouse south", "Hauliers", "loads"), ("Hauliers", "Order system", "delivery receipts"), ("Cold sensors", "Warehouse north", "temperatures"), ("Cold sensors", "Warehouse south", "temperatures"),
        ("Production plan", "Order system", "promises"), ("Order system", "Production plan", "demand"), ("Customs", "Import system", "releases"), ("Import system", "Warehouse south", "arrivals"), ("Directory", "all systems", "users"),
        ("Order system", "Data store", "sales"), ("Payroll system", "Data store", "heads by site"), ("Weather service", "Production plan", "forecast"), ("Scales", "Warehouse north", "weights"), ("Scales", "Warehouse south", "weights"), ("Monitoring", "Service desk", "alarms"))  # fmt: skip


def interfaces() -> Rows:
    rows = [["No.", "From", "To", "What", "Rhythm", "Form", "Longest gap"]]
    for at, (start, end, what) in enumerate(ENDS, start=1):
        rows.append(
            [
                f"IF-{at:02d}",
                start,
                end,
                what,
                RANDOM.choice(("every minute", "every 5 minutes", "hourly", "nightly", "at each event")),
                RANDOM.choice(("file, fixed width", "file, CSV", "message", "call")),
                RANDOM.choice(("15 minutes", "1 hour", "4 hours", "1 day")),
            ]
        )
    return rows


PRICES = (("Connection of a new site, once", 21_500, 13_900, 7_800), ("Line and spare line, a month", 1_870, 1_240, 690), ("Terminal, a month", 18, 18, 18), ("Scanner, a month", 23, 24, 26), ("Label printer, a month", 31, 31, 34),
          ("Visit of a technician in Business Hours", 0, 85, 140), ("Visit outside Business Hours", 190, 220, 290), ("Removal of a site, once", 6_200, 4_100, 2_600), ("Survey of radio coverage", 1_450, 980, 560), ("Extra spare printer, a month", 27, 27, 29))  # fmt: skip


def prices() -> Rows:
    return [
        ["Item", "Class A", "Class B", "Class C"],
        *([name, *(f"{price:,}" for price in row)] for name, *row in PRICES),
    ]


HARDWARE = (
    "Cluster server",
    "Replica server",
    "Storage shelf",
    "Core switch",
    "Firewall pair",
    "Tape library",
    "Key store",
    "Monitoring server",
    "Print server",
    "Jump host",
)


def hardware() -> Rows:
    rows = [["Hardware", "Number", "Lease ends", "Instalment a month", "Dedicated"]]
    total = 0
    for at, name in enumerate(HARDWARE):
        count, price = RANDOM.randrange(1, 9), RANDOM.randrange(90, 1450)
        total += price
        month = ("March", "June", "September", "December")[at % 4]
        rows.append([name, str(count), f"{month} {2027 + at % 4}", f"{price:,}", "yes" if at % 3 else "no"])
    return [*rows, ["All", "", "", f"{total:,}", ""]]


FORMS = {
    "Change request": ("Number and date", "Asked for by", "Clause or schedule affected", "What is to change and why", "Effect on service levels", "Price, once and a month", "Latest date of decision", "Way back if the change fails", "Signed for the Supplier and for the Customer"),
    "Exception from Schedule 7": ("Number of the requirement", "System and site", "Reason", "Measures meanwhile", "Risk as seen by each security officer", "Day on which it ends", "Signed by the owner of the system"),
    "Certificate of acceptance": ("Wave and systems", "Tests passed, with dates", "Tests passed with remarks", "Open incidents by priority", "Days of delay and who caused them", "Delay payment agreed", "Signed by the transition manager and by the Customer"),
    "Incident report, P1 and P2": ("Number of the incident", "First alarm or report", "Users and sites affected", "Stock lost, with photographs", "Cause, as far as it is known", "What was done, by the minute", "What will be done so that it does not return, with dates", "Credits"),
    "Notice of dispute": ("Clause on which the party relies", "Facts", "Sum claimed or withheld", "Papers enclosed", "Person who may settle", "Day on which the next step of Clause 21 begins"),
}  # fmt: skip


def forms() -> str:
    parts = []
    for at, (name, fields) in enumerate(FORMS.items(), start=1):
        parts.append(f"## 14.{at} {name}")
        parts.append("\n".join(f"{rank}. {field}: ______" for rank, field in enumerate(fields, start=1)))
    return "\n\n".join(parts)


TASKS = {
    "Order system": ("Load price lists:H/D", "Change screens:D/A", "Switch to the replica:D/I", "Block a customer:I/D", "Raise the version:D/A"),
    "Warehouse systems": ("Open a new aisle in the plan:H/D", "Exchange batteries of scanners:D/I", "Count stock:I/D", "Restart an instance:D/I", "Trace a batch:H/D"),
    "Payroll system": ("Load tables of tax:D/A", "Start a pay run:H/D", "Release the pay file:I/D", "Close a year:D/A", "Answer an employee:I/D"),
    "Databases": ("Plan growth:D/A", "Delete old orders:D/A", "Tune queries:D/I", "Write reports of its own:H/D"),
    "Backup and archive": ("Check nightly jobs:D/I", "Order a restore:H/D", "Carry tapes:D/I", "Order a legal hold:I/D"),
    "Networks": ("Order lines:D/A", "Patch sockets at sites:H/D", "Open a port in a firewall:D/A", "Survey radio:D/I"),
    "Service desk": ("Reset a password:D/I", "Create a user:D/A", "Name key users:I/D", "Escalate at night:D/I"),
    "Workplaces": ("Buy paper and labels:I/D", "Exchange a printer:D/I", "Clean terminals:H/D"),
    "Security": ("Decide on an exception:H/D", "Isolate a device:D/I", "Tell an authority:H/D", "Choose the tester:D/A", "Revoke a key:D/I"),
}  # fmt: skip


def tasks() -> Rows:
    rows = [["Service", "Task", "Supplier", "Customer"]]
    for service, lines in TASKS.items():
        for line in lines:
            task, who = line.split(":")
            rows.append([service, task, *who.split("/")])
    return rows


GATES = (("Bramhall Mill", "J. Tranter", "main gate"), ("Stretton Park", "A. Mbeki", "gate 3, north road"), ("Keighley Road", "F. Dunmore", "yard"), ("Whitby Quay", "L. Sandahl", "harbour gate"), ("Alnmoor", "P. Keogh", "gate 1"), ("Dunsop", "T. Varga", "bell at dock 2"),
         ("Evesley", "R. Achebe", "gate 2"), ("Thame Cross", "S. Pilling", "reception"), ("Lyndham", "W. Ochoa", "gate 5, bridge of 3.5 t"), ("Portreath Dock", "C. Nance", "port police"), ("Ashby Lane", "H. Ludlow", "bell at office"))  # fmt: skip


def gates() -> Rows:
    rows = [["Place", "Way in", "Contact", "Extension", "Racks", "Printers", "Line number", "In service since"]]
    for name, contact, way in GATES:
        rows.append(
            [
                name,
                way,
                contact,
                str(RANDOM.randrange(2100, 6990)),
                str(RANDOM.randrange(1, 7)),
                str(RANDOM.randrange(4, 23)),
                f"LK-{RANDOM.randrange(10000, 99999)}",
                str(RANDOM.randrange(2009, 2024)),
            ]
        )
    return rows


RISKS = (("Licence of a database cannot be used by a third party", "Customer", "red", "ask the maker; budget of 38,000"), ("Old label printers do not speak the new protocol", "Supplier", "amber", "26 converters in stock"), ("Former supplier loses staff before wave 3", "Customer", "red", "bonus for six persons until December"),
         ("Radio gap in the cold store at Dunsop", "Supplier", "amber", "two more antennas"), ("Key users are on leave in August", "Customer", "green", "list of deputies"), ("Time clocks lose entries", "Customer", "amber", "paper lists for one week"), ("Data store grows faster than planned", "Supplier", "green", "shelf on option until March 2026"),
         ("Retailer exchange changes its certificates in October", "Supplier", "amber", "test in July"), ("Only one road to Portreath Dock", "both", "green", "spares on site"), ("Power at Alnmoor fails twice a year", "Customer", "amber", "generator of 60 kVA hired"), ("Interfaces without papers", "Supplier", "red", "nine of 31 described anew"),
         ("Payroll of two companies that were bought", "Customer", "amber", "not before April 2026"), ("Polish speakers at the desk", "Supplier", "green", "four hired"), ("Fire alarm at Holbeck is renewed in autumn", "Supplier", "amber", "guards for five weeks"))  # fmt: skip
CATALOGUE = (("New user, up to ten a day", 0, "4 Business Hours"), ("Move of a user between sites", 6, "1 Business Day"), ("Shared mailbox", 9, "1 Business Day"), ("New role in the order system", 210, "5 Business Days"), ("New report, simple", 340, "8 Business Days"), ("New report, with data of two systems", 890, "15 Business Days"),
             ("Virtual server, set up", 165, "2 Business Days"), ("Certificate for a website", 70, "1 Business Day"), ("Name in the network", 15, "4 Business Hours"), ("Port in a firewall", 45, "see measure M6.4"), ("Database copy with masked data", 480, "6 Business Days"), ("Restore of a mailbox", 60, "1 Business Day"),
             ("Label layout", 130, "4 Business Days"), ("Label layout, urgent", 310, "5 hours"), ("Import of customers from a file", 275, "3 Business Days"), ("Training at a site, half a day", 420, "10 Business Days"), ("Training by video, an hour", 95, "3 Business Days"), ("Extract for an auditor", 190, "4 Business Days"),
             ("Extension of a record search to older months", 85, "2 Business Days"), ("Loan of a terminal, a week", 24, "2 Business Days"), ("Wipe of a lost device", 0, "30 minutes"), ("Guest access for a day, ten persons", 12, "2 Business Hours"), ("Load test on a Saturday", 2_650, "20 Business Days"), ("Freeze of a system for a stocktaking", 140, "5 Business Days"))  # fmt: skip


UNITS = (("User of a shared terminal", "4.60", "1,100 in the Charges"), ("Scanner beyond 340", "21.00", "none in stock before June"), ("Virtual server with 64 GB", "128.00", "instead of the usual 16 GB"), ("Virtual server, Linux, for tests", "39.50", "switched off at night"),
         ("Mailbox for a room", "1.10", "no archive"), ("Mailbox archive, 50 GB", "2.40", "kept for seven years"), ("Fax number", "6.20", "until 2026"), ("Telephone of the desk in another language", "310.00", "in Business Hours"),
         ("Certificate for a scanner", "0.35", "renewed each year"), ("Line of 100 Mbit/s more", "96.00", "where fibre is in the road"), ("Third path by satellite", "410.00", "12 GB included"), ("Copy in a third place, each TB", "27.00", "encrypted"),
         ("Longer record search, each month", "140.00", "beyond 120 days"), ("Named user of the record store", "33.00", "beyond five"), ("Report in Polish", "75.00", "monthly report only"), ("Database of tests", "58.00", "masked"),
         ("Tape set for legal hold", "19.00", "at the vault"), ("Standby of an administrator on a Sunday", "265.00", "each Sunday"))  # fmt: skip


DATABASES = {"Order system": ("ORD-LIVE", "ORD-REPLICA", "ORD-PRICE", "ORD-HIST", "ORD-EDI", "ORD-TEST", "ORD-TRAIN"), "Warehouse north": ("WN-LIVE", "WN-MOVE", "WN-LABEL", "WN-TEMP", "WN-TEST"), "Warehouse south": ("WS-LIVE", "WS-MOVE", "WS-LABEL", "WS-TEMP", "WS-VOICE", "WS-TEST"),
             "Payroll system": ("PAY-LIVE", "PAY-ARCH", "PAY-SICK", "PAY-CLOCK", "PAY-TEST"), "Production": ("PRD-PLAN", "PRD-RECIPE", "PRD-SCALE", "PRD-TRACE"), "Import": ("IMP-LIVE", "IMP-CUST"), "Data store": ("DS-SALES", "DS-STOCK", "DS-HEADS"), "Service desk": ("SD-TICKET", "SD-KNOW", "SD-CALLS"),
             "Security": ("SEC-LOG", "SEC-KEYS"), "Monitoring": ("MON-LIVE",)}  # fmt: skip


def databases() -> Rows:
    rows = [["Database", "System", "Size, GB", "Growth a year, %", "Version", "Restore tested"]]
    draw = random.Random(38)
    for system, names in DATABASES.items():
        for name in names:
            month = draw.choice(("March", "June", "August", "October", "December"))
            rows.append(
                [
                    name,
                    system,
                    f"{draw.randrange(12, 2100):,}",
                    str(draw.randrange(2, 27)),
                    draw.choice(("11.2", "12.1", "12.4")),
                    f"{month} 2024",
                ]
            )
    return rows


TABLES: dict[str, Rows] = {
    "measures": measures(), "interfaces": interfaces(), "prices": prices(), "hardware": hardware(), "tasks": tasks(), "gates": gates(),
    "databases": databases(),
    "units": [["Unit", "Price", "Remark"], *([*row] for row in UNITS)],
    "risks": [["Risk", "Owner", "Colour", "Measure"], *([*row] for row in RISKS)],
    "catalogue": [["Request", "Price", "Done within"], *([name, f"{price:,}", when] for name, price, when in CATALOGUE)],
}  # fmt: skip
TEXTS = {"forms": forms()}
