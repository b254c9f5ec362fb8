"""Services, tests and tables of the schedules."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import runpy
from pathlib import Path

Rows = list[list[str]]

SERVICES = (
    ("Hosting of the order system", "runs the order system on a cluster of six servers in the first data centre with a replica in the second",
     "between 04:00 and 23:00 up to 26,000 order lines an hour are accepted", "response of the entry screen below 1.2 seconds for 95 % of calls"),
    ("Hosting of the warehouse system", "runs one instance for the northern and one for the southern sites, so that neither stops the other",
     "340 handheld scanners are served at a time", "a scan is confirmed within 0.6 seconds for 97 % of scans"),
    ("Hosting of the payroll system", "runs the payroll system and its archive of eleven years",
     "a full pay run for all employees ends within 95 minutes", "results are kept in a copy that is not changed until the next pay run"),
    ("Databases", "administers 38 databases, tunes them and plans their growth",
     "growth up to 22 % a year is included", "a restore to any minute of the last 16 days is possible"),
    ("Backup and archive", "backs up all systems each night and the order system every 15 minutes",
     "daily backups are kept for 35 days and monthly ones for 26 months", "tapes leave the site on Tuesdays and Fridays"),
    ("Networks", "runs the lines to eleven sites with two paths each",
     "the second path has at least 40 % of the capacity of the first", "a line is measured every five minutes"),
    ("Service desk", "answers calls, chats and mails around the clock, in English and Polish",
     "up to 3,900 contacts a month are included", "a user's password is reset only after a call back to the number in the directory"),
    ("Workplaces at sites", "keeps 460 shared terminals and 120 label printers working",
     "a spare printer is held at each site", "a terminal in a cold store is exchanged after 30 months"),
    ("Security monitoring", "watches records of access and of the network and reports what is suspicious",
     "an event of the highest class is reported by telephone within 25 minutes", "a penetration test is made every March by a firm that changes every second year"),
    ("Reporting", "delivers a monthly report and holds a review at Mill House each quarter",
     "raw data of the measurements can be downloaded for 14 months", "the yearly report names the ten most frequent causes of incidents"),
)  # fmt: skip


def services() -> str:
    parts = []
    for at, (name, what, first, second) in enumerate(SERVICES, start=1):
        parts.append(f"### A.{at} {name}")
        parts.append(f"A.{at}.1 The Supplier {what}.")
        parts.append(f"A.{at}.2 As a measure of quantity, {first}.")
        parts.append(f"A.{at}.3 As a measure of quality, {second}.")
    return "\n\n".join(parts)


TESTS = (
    ("Load", "a day of December is replayed at 1.3 times its speed", "no queue longer than 90 seconds"),
    ("Failover", "the first data centre is switched off", "work goes on within the times of Clause 18.1"),
    ("Restore", "five files and one database chosen by the Customer are restored", "all of them identical"),
    (
        "Interfaces",
        "the 31 interfaces of the list IF-3 are run once in each direction",
        "at most two of them with errors that do not matter",
    ),
    ("Labels", "4,000 labels are printed at two sites", "no label without a use-by date"),
    ("Access", "rights of 60 users are compared with the list of rights", "no right too many"),
    ("Pay run", "March 2025 is calculated again", "differences below one penny for each employee"),
    ("Desk", "forty calls are made by the Customer's testers", "thirty-six answered as in the script"),
)


def tests() -> str:
    parts = ["## Tests of acceptance"]
    for at, (name, what, passed) in enumerate(TESTS, start=1):
        parts.append(f"**T{at} {name}.** In this test {what}. It is passed with {passed}.")
    return "\n\n".join(parts)


SYSTEMS = (("Order system", 31_400), ("Warehouse system, north", 17_250), ("Warehouse system, south", 15_900),
           ("Payroll system", 8_600), ("Databases", 12_300), ("Backup and archive", 6_750), ("Networks", 14_800),
           ("Service desk", 19_200), ("Workplaces", 9_450), ("Security monitoring", 7_100), ("Reporting", 1_250))  # fmt: skip


def charges() -> Rows:
    rows = [["Item", "Year 1", "Year 2", "Year 3", "Year 4"]]
    totals = [0, 0, 0, 0]
    for name, price in SYSTEMS:
        cells = [round(price * factor / 10) * 10 for factor in (1.0, 0.975, 0.955, 0.94)]
        totals = [total + cell for total, cell in zip(totals, cells, strict=True)]
        rows.append([name, *(f"{cell:,}" for cell in cells)])
    return [*rows, ["Total", *(f"{total:,}" for total in totals)]]


RULES = {
    "Access": (
        "Administrators log in with a key and a second factor; a session ends after 20 minutes without input",
        "Shared accounts are forbidden, except the break-glass account, whose password is changed after each use and at least every 70 days",
        "Rights of leavers are withdrawn within three hours of notice, and those of movers within two Business Days",
        "All rights are reviewed in March and September, and the result is signed by the owner of the system",
    ),
    "Networks": (
        "The networks of office, store and machines are separated by firewalls whose rules are reviewed every 26 weeks",
        "A rule without traffic for 100 days is removed after asking its owner",
        "Remote access goes through one gateway with recording of the screen, kept for 60 days",
        "Wireless networks in stores use certificates on the devices and no passwords",
    ),
    "Servers": (
        "Servers are installed from images that are built anew each month",
        "A server that has missed two patch cycles is cut off from the network after a warning of 24 hours",
        "Services that are not needed are switched off, as listed in the hardening guide HG-5",
        "Clocks differ by at most half a second from the time of the national laboratory",
    ),
    "Malware": (
        "Protection is updated every four hours and reports centrally",
        "Macros from outside are blocked for all users but the eleven named by the finance director",
        "Mail with an attachment that can be run is held back for inspection for at most two hours",
        "A device with a finding is isolated within 15 minutes, day and night",
    ),
    "Records": (
        "Records of log-ins, changes and failures are sent to a store that administrators cannot change",
        "They are searchable for 120 days and archived for three years",
        "A gap of more than ten minutes in the records of a Critical System raises an alarm",
        "The Customer may query the store itself with up to five named users",
    ),
    "Cryptography": (
        "Keys have at least 256 bits for symmetric and 3,072 bits for RSA methods",
        "Certificates are valid for at most 200 days and are renewed when 30 days are left",
        "Keys of backups are kept in two safes in different towns",
        "Methods that the national centre no longer recommends are replaced within nine months",
    ),
    "Development": (
        "Scripts are reviewed by a second person before they are used on a Critical System",
        "Real Personal Data are not used for tests; masked copies are made on the first Saturday of each quarter",
        "Libraries are listed, and those with a known hole above 8.9 are replaced within five days",
        "Changes are frozen from 10 December to 4 January",
    ),
    "Buildings": (
        "Data centres have two factors at the door, a person on guard, and cameras whose pictures are kept for 45 days",
        "Visitors are announced a day before and are never left alone",
        "Diesel for 50 hours is held, and a full test under load is made every two months",
        "Media that leave are destroyed to level H-5, with a certificate for each",
    ),
    "People": (
        "Staff are trained on joining and each October, and must reach 80 % in a test",
        "A sham phishing mail is sent each quarter; who fails twice in a year is trained again",
        "Background checks cover five years and are renewed after four",
        "A breach of these rules is reported to the Customer in the next monthly report without names",
    ),
}


def security() -> str:
    parts = []
    for at, (name, rules) in enumerate(RULES.items(), start=1):
        parts.append(f"## 7.{at} {name}")
        parts += [f"7.{at}.{rank} {rule}." for rank, rule in enumerate(rules, start=1)]
    return "\n\n".join(parts)


PLACES = (
    ("Bramhall Mill", "head office", "A", 412, "none", "05:00-22:00"), ("Stretton Park", "warehouse, north", "A", 268, "north", "around the clock"),
    ("Keighley Road", "warehouse, north", "B", 143, "north", "around the clock"), ("Whitby Quay", "production", "B", 171, "north", "04:00-23:00"),
    ("Alnmoor", "production", "B", 129, "north", "04:00-23:00"), ("Dunsop", "cold store", "C", 46, "north", "06:00-20:00"),
    ("Evesley", "warehouse, south", "A", 237, "south", "around the clock"), ("Thame Cross", "warehouse, south", "B", 118, "south", "around the clock"),
    ("Lyndham", "production", "B", 152, "south", "05:00-21:00"), ("Portreath Dock", "import", "C", 38, "south", "07:00-18:00"),
    ("Ashby Lane", "cold store", "C", 51, "south", "06:00-22:00"),
)  # fmt: skip
VISITS = (
    "Visitors report to the gate and wear white boots in the production halls",
    "The server room is in the cellar, and its key is held by the shift leader",
    "Work on the roof needs a permit from the landlord, asked for six days before",
    "No mains work between 03:00 and 09:00, when the day's orders are loaded",
    "Cold rooms may be entered for at most 40 minutes at a time",
    "The line enters through the neighbour's yard, and access is by appointment only",
    "The label printers stand in a wet area and need housings of class IP 65",
    "Ammonia is used for cooling; an escape mask is carried",
    "The site is closed in the second week of August",
    "Customs officers may take part in any visit",
    "Parking is for electric vans only",
)


def site_rules() -> str:
    parts = []
    for (place, kind, size, users, _, hours), rule in zip(PLACES, VISITS, strict=True):
        parts.append(f"**{place} ({kind}).** Size class {size}, {users} users, open {hours}. {rule}.")
    return "\n\n".join(parts)


SCHEDULES = runpy.run_path(str(Path(__file__).with_name("made_schedules.py")))
TABLES: dict[str, Rows] = {
    **SCHEDULES["TABLES"],
    "sites": [
        ["Site", "Use", "Class", "Users", "Region", "Line, Mbit/s", "Spare line, Mbit/s"],
        *(
            [place, kind, size, str(users), region, str(users * 2), str(round(users * 0.9))]
            for place, kind, size, users, region, _ in PLACES
        ),
    ],
    "charges": charges(),
    "availability": [
        ["System", "Level", "below the level", "below 99.0 %", "below 98.5 %", "below 98.0 %"],
        ["Order system", "99.85 %", "4 %", "9 %", "15 %", "25 %"],
        ["Warehouse system, each", "99.70 %", "3 %", "8 %", "14 %", "24 %"],
        ["Payroll system", "99.30 %", "2 %", "5 %", "9 %", "12 %"],
        ["Networks, each site", "99.60 %", "2 %", "6 %", "10 %", "16 %"],
        ["Service desk telephone", "99.50 %", "1 %", "3 %", "5 %", "7 %"],
    ],
    "rates": [
        ["Grade", "Year 1", "Year 2", "Place"],
        ["Technician", "385", "395", "Leeds or site"],
        ["Administrator", "490", "505", "Leeds"],
        ["Senior administrator", "610", "625", "Leeds"],
        ["Architect", "845", "865", "Leeds or site"],
        ["Project manager", "720", "740", "Leeds or site"],
        ["Security specialist", "910", "930", "Leeds"],
        ["Technician, Erfurt", "310", "320", "Erfurt"],
    ],
    "software": [
        ["Software", "Maker", "Metric", "Quantity", "Maintenance ends"],
        ["Orderline 9", "Vantry Software", "named users", "1,200", "30 June 2027"],
        ["Coldstock WMS 5", "Petersen Logistik", "scanners", "360", "31 December 2026"],
        ["PayCircle", "Marlin Data", "employees", "4,500", "31 March 2028"],
        ["Tablespace EE", "Corvid Systems", "cores", "96", "31 May 2026"],
        ["LabelForge", "Dunmore Labels", "printers", "130", "30 September 2025"],
        ["Mailroom 365", "Vantry Software", "mailboxes", "1,850", "monthly"],
    ],
    "retention": [
        ["Data", "System", "Kept for", "Then"],
        ["Pay records", "Payroll", "6 years after the tax year", "deleted"],
        ["Sickness records", "Payroll", "3 years after the end of employment", "deleted"],
        ["Contacts of trade customers", "Order system", "24 months after the last order", "made anonymous"],
        ["Recordings of calls", "Service desk", "90 days", "deleted"],
        ["Scanner activity by person", "Warehouse", "7 months", "made anonymous"],
        ["Records of administrators' access", "all", "400 days", "deleted"],
    ],
}
TEXTS = {
    "services": services(),
    "tests": tests(),
    "security": security(),
    "site_rules": site_rules(),
    **SCHEDULES["TEXTS"],
}
