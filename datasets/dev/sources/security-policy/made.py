"""The annexes of an invented security policy: retention, exceptions, systems and handling, as tables."""

# ruff: noqa: E501 (a row of a table stands on one line)

from __future__ import annotations

from random import Random

RETENTION = (
    ("R1", "Personnel file, after leaving", "10 years", "HR", "shredding, class P-4"),
    ("R2", "Application papers of persons not hired", "6 months", "HR", "deletion"),
    ("R3", "Payroll", "8 years", "Finance", "deletion"),
    ("R4", "Invoices and ledgers", "10 years", "Finance", "deletion"),
    ("R5", "Contracts, after their end", "12 years", "Legal", "review, then deletion"),
    ("R6", "Access logs of buildings", "90 days", "Facilities", "overwriting"),
    ("R7", "Video of entrances", "72 hours", "Facilities", "overwriting"),
    ("R8", "Video of the vault", "30 days", "Facilities", "overwriting"),
    ("R9", "Authentication logs", "13 months", "Security", "deletion"),
    ("R10", "Logs of administrators' sessions", "3 years", "Security", "deletion"),
    ("R11", "Firewall logs", "6 months", "Networks", "overwriting"),
    ("R12", "Mail archive", "7 years", "Messaging", "deletion"),
    ("R13", "Chat messages", "180 days", "Messaging", "deletion"),
    ("R14", "Recordings of customer calls", "60 days", "Service desk", "overwriting"),
    ("R15", "Recordings of trading calls", "5 years", "Service desk", "deletion"),
    ("R16", "Daily backup", "35 days", "Storage", "overwriting"),
    ("R17", "Monthly backup", "14 months", "Storage", "overwriting"),
    ("R18", "Yearly backup", "10 years", "Storage", "destruction of the medium"),
    ("R19", "Incident file", "6 years", "Security", "review, then deletion"),
    ("R20", "Results of penetration tests", "4 years", "Security", "deletion"),
    ("R21", "Training records", "5 years", "HR", "deletion"),
    ("R22", "Visitor book", "12 months", "Facilities", "shredding, class P-4"),
    ("R23", "Key material no longer in use", "25 years", "Cryptography", "destruction in the module"),
    ("R24", "Source code of withdrawn products", "15 years", "Engineering", "review, then deletion"),
    ("R25", "Video of the loading bays", "7 days", "Facilities", "overwriting"),
    ("R26", "Logs of the key cabinets", "24 months", "Facilities", "deletion"),
    ("R27", "Assessments of suppliers", "6 years", "Purchasing", "deletion"),
    ("R28", "Programs of controllers, superseded", "20 years", "Operations", "review, then deletion"),
    ("R29", "Recordings of the dispatch centre", "12 months", "Operations", "overwriting"),
    ("R30", "Models of threats", "4 years after the system's end", "Engineering", "deletion"),
    ("R31", "Reports on exercises", "8 years", "Continuity", "deletion"),
    ("R32", "Reports of flaws by persons outside", "3 years", "Security", "deletion"),
)
EXCEPTIONS = (
    ("E-017", "AC-05", "Laboratory of the Tannery Street site", "shared account on three instruments", "2025-12-31", "camera, paper log"),
    ("E-021", "CR-02", "Clearing interface to Hallstein Bank", "TLS 1.1 until the partner has moved", "2025-09-30", "leased line, filter on two addresses"),
    ("E-022", "EP-04", "Press office", "USB storage on two computers", "2026-03-31", "scanning station, no share"),
    ("E-026", "PT-01", "Turbine control in Ostra", "patches once a year at overhaul", "2026-10-15", "data diode"),
    ("E-029", "AC-09", "Night desk", "session of 12 hours without new sign-in", "2025-11-30", "badge reader at the desk"),
    ("E-030", "LG-03", "Translation service", "no central logging", "2025-08-31", "monthly export by hand"),
    ("E-033", "BK-02", "Film archive", "no second copy off site", "2026-06-30", "fire doors, insurance of 400,000"),
    ("E-034", "AC-05", "Works council", "shared mailbox without personal sign-in", "2026-01-31", "locked room"),
    ("E-036", "MB-03", "Board members", "own tablets without management", "2025-10-31", "viewer only, no storage"),
    ("E-038", "CR-02", "Badge printers", "SHA-1 signatures", "2025-12-15", "separate segment"),
    ("E-039", "PH-06", "Equipment room of Tannery Street", "up to 29 degrees in summer", "2026-09-30", "second sensor, weekly visit"),
    ("E-041", "CR-02", "Building control, main building", "TLS 1.1 to 212 thermostats", "2026-02-28", "own network, no route outside"),
    ("E-042", "SS-04", "Maker of the turbines", "sessions of six hours during overhauls", "2025-11-15", "employee present throughout"),
    ("E-043", "SD-05", "Tariff team", "write access to operation on the last day of a month", "2026-07-31", "second person, recording"),
    ("E-044", "BC-03", "Sable", "no exercise with real switching in the year of the move", "2025-12-31", "two exercises at the desk"),
    ("E-045", "PH-04", "Visitors' gallery of Ostra", "one guide for 20 visitors", "2026-05-31", "glass wall, camera"),
)  # fmt: skip
OWNERS = ("A. Brandl", "C. Osei", "E. Rautio", "F. Delgado", "H. Zelenko", "M. Achterberg")
SYSTEMS = (
    ("Aurelia", "customer accounts", "C3", 4, 1), ("Basalt", "payments", "C4", 2, 0), ("Cedar", "human resources", "C3", 24, 24),
    ("Dynamo", "turbine control", "C4", 1, 0), ("Ermine", "mail and calendar", "C2", 8, 4), ("Fathom", "data warehouse", "C3", 48, 24),
    ("Garnet", "key management", "C4", 2, 0), ("Hearth", "intranet", "C1", 72, 24), ("Iris", "identity directory", "C4", 1, 1),
    ("Jetty", "file exchange with partners", "C3", 12, 4), ("Kiln", "build and release", "C3", 24, 12), ("Lodestar", "vulnerability scans", "C3", 72, 72),
    ("Mortar", "building access", "C2", 12, 24), ("Nacre", "contract archive", "C3", 48, 24), ("Osprey", "fleet tracking", "C2", 24, 24),
    ("Pumice", "test data", "C1", 120, 72), ("Quern", "tariff calculation", "C3", 8, 1), ("Rampart", "firewalls", "C4", 2, 24),
    ("Sable", "trading desk", "C4", 1, 0), ("Tarn", "ticketing of the service desk", "C2", 8, 8), ("Umber", "call recording", "C3", 24, 4),
    ("Verge", "public web site", "C1", 6, 24), ("Wicket", "remote access", "C3", 4, 24), ("Yarrow", "training platform", "C1", 96, 24),
    ("Zephyr", "wind forecasts", "C2", 6, 12), ("Amber", "dispatch centre", "C4", 3, 0), ("Bramble", "payroll of pensioners", "C3", 72, 24),
    ("Cinder", "alarm system of the gates", "C3", 4, 24), ("Drift", "laboratory results", "C2", 48, 12), ("Ember", "purchase of spare parts", "C2", 24, 8),
)  # fmt: skip
METHODS = (
    ("Symmetric cipher of 128 bits", "allowed", "volumes of class C1 and C2", "2032-12-31"),
    ("Symmetric cipher of 256 bits", "allowed", "everything", "no end"),
    ("Triple cipher of the older kind", "until a date", "smart cards of the weighbridge", "2026-12-31"),
    ("RSA of 2,048 bits", "until a date", "signatures of devices made before 2019", "2025-12-31"),
    ("RSA of 4,096 bits", "allowed", "roots of certificates", "2035-12-31"),
    ("Elliptic curve of 384 bits", "allowed", "code signing in the control network", "2035-12-31"),
    ("Hash of 160 bits", "not allowed", "badge printers by exception only", "ended 2019-06-30"),
    ("Hash of 512 bits", "allowed", "archives", "no end"),
    ("TLS 1.3", "allowed", "all new interfaces", "no end"),
    ("IPsec with keys shared in advance", "until a date", "links to substations, changed every 90 days", "2027-06-30"),
    ("Post-quantum key exchange, hybrid", "allowed", "long-lived archives, links between data centres", "no end"),
    ("Encryption of office files by password", "until a date", "parents and pensioners without a certificate", "2026-03-31"),
    ("Own methods", "not allowed", "nothing", "never allowed"),
)  # fmt: skip
SUBSTITUTES = (
    "lists printed on Fridays", "form in triplicate", "call to the neighbouring desk", "manual switching from the panel", "second provider",
    "work is postponed", "export of the evening before", "keys in the cabinet", "radio", "spreadsheet under two signatures", "none, the stop is accepted",
)  # fmt: skip
ROOMS = (
    ("Main building", "Lobby", "public", "06:00 to 20:00", "reception"), ("Main building", "Canteen", "office", "06:30 to 15:30", "catering"),
    ("Main building", "Rooms 1.01 to 1.30", "office", "05:00 to 22:00", "card"), ("Main building", "Trading floor", "restricted", "05:00 to 23:00", "card, log of names"),
    ("Main building", "Registry for class C4", "critical", "08:00 to 16:00", "card and code, two persons"), ("Main building", "Data centre A", "critical", "always", "card and code"),
    ("Main building", "Loading bay", "restricted", "06:00 to 18:00", "gate opens from inside"), ("Tannery Street", "Laboratory", "restricted", "06:00 to 22:00", "card"),
    ("Tannery Street", "Archive of samples", "office", "08:00 to 17:00", "key 14"), ("Tannery Street", "Equipment room", "restricted", "always", "card, entry by name"),
    ("Ostra", "Control room", "critical", "always", "card and code, shift list"), ("Ostra", "Turbine hall", "restricted", "always", "card, helmet"),
    ("Ostra", "Store for backups", "critical", "07:00 to 17:00", "card and code, two persons"), ("Ostra", "Visitors' gallery", "public", "Saturdays 10:00 to 14:00", "guide"),
    ("Fjordholm", "Gate house of the dam", "restricted", "always", "card"), ("Fjordholm", "Cavern", "critical", "always", "card and vein, miner's lamp"),
    ("Fjordholm", "Workshop", "office", "06:00 to 18:00", "key 3"), ("Lower Ostra", "Second room of the crisis team", "restricted", "always", "key at the fire brigade"),
)  # fmt: skip
FINDINGS = (
    ("F-24-01", "AC-10", "Quern", 2, "rights of 14 leavers confirmed by mistake", "closed 2024-06-11"),
    ("F-24-02", "PH-03", "Ostra", 3, "two master keys without an entry", "closed 2024-09-30"),
    ("F-24-03", "SS-04", "Fathom", 3, "two sessions of a supplier watched by nobody", "open, due 2025-05-31"),
    ("F-24-04", "BK-01", "Sable", 4, "restore failed twice", "closed 2025-01-24"),
    ("F-24-05", "DV-02", "Kiln", 2, "password of a test system in a script", "closed 2024-04-18"),
    ("F-24-06", "LG-01", "Mortar", 1, "clock wrong by 40 seconds", "closed 2024-03-02"),
    ("F-24-07", "SU-03", "Jetty", 2, "proof of deletion missing for one partner", "open, due 2025-06-30"),
    ("F-24-08", "NW-03", "Rampart", 2, "140 rules without a number", "open, due 2025-12-31"),
    ("F-24-09", "CT-01", "Dynamo", 3, "programs changed and not deposited", "open, due 2025-04-30"),
    ("F-24-10", "EP-03", "Engineering", 2, "administrator rights kept for 71 days", "closed 2024-08-09"),
    ("F-24-11", "PT-01", "Verge", 3, "fix installed after 19 days", "closed 2024-07-05"),
    ("F-24-12", "AI-03", "Sales", 1, "transcript kept for nine weeks", "closed 2024-10-21"),
    ("F-24-13", "BC-02", "Nacre", 2, "analysis of business impact too old", "open, due 2025-07-31"),
    ("F-24-14", "SD-03", "Aurelia", 3, "31 findings set aside beyond their time", "closed 2025-02-14"),
    ("F-24-15", "PH-09", "Tannery Street", 2, "bin for media full for 24 days", "closed 2024-11-15"),
    ("F-24-16", "AC-03", "Lodestar", 3, "password of a service account 26 months old", "open, due 2025-04-15"),
    ("F-24-17", "CR-04", "Hearth", 1, "certificate renewed by hand on the last day", "closed 2024-12-01"),
    ("F-24-18", "IN-03", "Service desk", 4, "data protection officer told after 31 hours", "closed 2024-09-12"),
)  # fmt: skip
RISKS = (
    ("K-03", "Failure of the only maker of governor valves", "Operations", 3, 1_900_000, "second source by 2026"),
    ("K-07", "Extortion through a supplier of tier 2", "Security", 4, 640_000, "points raised from 55 to 60"),
    ("K-08", "Loss of the staff who know Quern", "Retail", 5, 380_000, "two trainees, documentation by September"),
    ("K-11", "Flood of the cable cellar at Tannery Street", "Facilities", 2, 1_250_000, "pump, move of the equipment room in 2027"),
    ("K-12", "Wrong tariffs billed for a month", "Retail", 3, 820_000, "comparison with a second calculation"),
    ("K-15", "Withdrawal of the licence of a cloud provider", "Security", 2, 700_000, "plan for leaving, rehearsed in 2025"),
    ("K-16", "Sabotage of a weir by a former employee", "Operations", 1, 2_400_000, "withdrawal of rights at once, key cabinet"),
    ("K-19", "Theft of customer data through a test system", "Security", 3, 510_000, "Pumice cut off from the office network"),
    ("K-20", "Strike of air traffic during an overhaul", "Operations", 4, 230_000, "accepted"),
    ("K-22", "Fault in the clocks of the trading desk", "Trading", 2, 1_560_000, "second receiver"),
)  # fmt: skip

ROLES = (
    ("P-01", "Employee, all", "Ermine, Hearth, Yarrow", "no end", "line manager"), ("P-02", "Clerk, customer accounts", "Aurelia", "12 months", "A. Brandl"),
    ("P-03", "Supervisor, customer accounts", "Aurelia with corrections up to 500", "12 months", "A. Brandl"), ("P-04", "Payment clerk", "Basalt, entry", "6 months", "C. Osei"),
    ("P-05", "Payment approver", "Basalt, release up to 250,000", "3 months", "C. Osei"), ("P-06", "Payment approver, second", "Basalt, release without limit", "3 months", "board"),
    ("P-07", "HR clerk", "Cedar without salaries", "12 months", "E. Rautio"), ("P-08", "Payroll clerk", "Cedar with salaries", "6 months", "E. Rautio"),
    ("P-09", "Operator, control room", "Dynamo, console", "until the shift plan ends", "F. Delgado"), ("P-10", "Engineer, control technology", "Dynamo, programs", "3 months", "F. Delgado"),
    ("P-11", "Reader of the data warehouse", "Fathom, reports", "24 months", "M. Achterberg"), ("P-12", "Analyst", "Fathom, all tables of class C2", "12 months", "M. Achterberg"),
    ("P-13", "Analyst, extended", "Fathom, tables of class C3", "6 months", "M. Achterberg"), ("P-14", "Key officer", "Garnet, with a second officer", "3 months", "board"),
    ("P-15", "Directory administrator", "Iris", "3 months", "C. Osei"), ("P-16", "Partner desk", "Jetty, own partner", "12 months", "E. Rautio"),
    ("P-17", "Developer", "Kiln, own projects", "12 months", "F. Delgado"), ("P-18", "Release manager", "Kiln, release", "6 months", "F. Delgado"),
    ("P-19", "Scanner", "Lodestar", "6 months", "H. Zelenko"), ("P-20", "Gate", "Mortar, cards", "12 months", "A. Brandl"),
    ("P-21", "Contract reader", "Nacre, own division", "24 months", "E. Rautio"), ("P-22", "Contract editor", "Nacre, own division", "12 months", "E. Rautio"),
    ("P-23", "Tariff calculator", "Quern", "6 months", "C. Osei"), ("P-24", "Network engineer", "Rampart, proposals", "6 months", "F. Delgado"),
    ("P-25", "Network approver", "Rampart, approval", "3 months", "F. Delgado"), ("P-26", "Trader", "Sable, up to 5 megawatts", "3 months", "A. Brandl"),
    ("P-27", "Senior trader", "Sable, up to 50 megawatts", "3 months", "A. Brandl"), ("P-28", "Service desk agent", "Tarn, release of locked accounts except C4", "12 months", "C. Osei"),
    ("P-29", "Service desk lead", "Tarn, release of locked accounts of class C4", "6 months", "C. Osei"), ("P-30", "Web editor", "Verge, drafts", "18 months", "F. Delgado"),
    ("P-31", "Web publisher", "Verge, publication", "12 months", "F. Delgado"), ("P-32", "Remote user", "Wicket", "24 months", "line manager"),
)  # fmt: skip
CALENDAR = (
    ("January", "Policies of insurance of tier 1 suppliers are shown", "category managers"), ("January", "Restore of the failed systems of the year before", "owners"),
    ("February", "Comparison of roles and the catalogue", "stewards"), ("March", "Review of the list of countries", "CISO"),
    ("April", "Load test of generators, two hours", "site managers"), ("April", "Shareholders of the root key confirm that they hold their card", "head of cryptography"),
    ("May", "First review by the board", "CISO"), ("May", "Flood boards at Tannery Street are fitted once", "Facilities"),
    ("June", "Rules of firewalls, first round", "networks"), ("June", "Exercise with real switching, hydro stations", "head of continuity"),
    ("July", "Renewal of radio batteries", "Facilities"), ("August", "Standby lists are checked for the holidays", "division heads"),
    ("September", "Exercise with real switching, offices", "head of continuity"), ("September", "Penetration tests of Aurelia and Wicket", "owners"),
    ("October", "Envelopes of the emergency accounts are opened and renewed", "SOC"), ("October", "Audit of leavers, 200 drawn at random", "internal audit"),
    ("November", "Second review by the board", "CISO"), ("November", "Rules of firewalls, second round", "networks"),
    ("December", "Freeze is announced ten days ahead", "head of operations"), ("Each month", "Test call by radio on the first Wednesday", "site managers"),
    ("Each quarter", "Privileged rights", "owners"), ("Each quarter", "Second room of the crisis team is opened", "head of continuity"),
    ("Each week", "Test message from end to end", "SOC"), ("Every two years", "Plans for leaving a tier 1 supplier", "category managers"),
)  # fmt: skip
FLOWS = (
    ("Control network", "Data centre", "measured values", "one way through a diode"), ("Data centre", "Control network", "nothing", "forbidden"), ("Office", "Data centre", "applications by name", "checked for malware"),
    ("Office", "Internet", "web, mail", "through the filter"), ("Office", "Development", "nothing", "forbidden except Kiln"), ("Development", "Data centre", "builds", "through Kiln, signed"),
    ("Development", "Internet", "components", "through Kiln only"), ("Guests", "Internet", "everything", "limited to 20 megabits"), ("Guests", "Office", "nothing", "forbidden"),
    ("Partners", "Data centre", "files", "through Jetty"), ("Makers", "Control network", "nothing", "picture only, see NW-01"), ("Building control", "Data centre", "alarms", "one address, one port"),
    ("Cameras", "Data centre", "pictures", "own storage, no route to the office"), ("Trading desk", "Exchanges", "orders", "two leased lines on different ways"), ("Data centre", "Store at Ostra", "backups", "encrypted, own fibre"),
    ("Laboratory", "Office", "results", "through Jetty, once an hour"), ("Dispatch centre", "Control network", "switching", "two confirmations, own line"), ("Telephones", "Office", "directory", "read-only"),
)  # fmt: skip


FIGURES = (
    ("Reports of phishing by employees", "410 o", "655 o", "980", "1,214", "1,377"), ("Share who clicked, per cent", "19", "16", "11", "8", "6"), ("Incidents of level 1", "301 o", "288 o", "240", "231", "205"), ("Incidents of level 2", "9 o", "11 o", "8", "7", "8"),
    ("Incidents of level 3", "3", "1", "2", "3", "4"), ("Hours of Iris out of service", "7.5", "2.0", "1.2", "0.4", "3.6"), ("Fixes in time, per cent", "78 o", "84 o", "89", "91", "93"), ("Systems without support", "44", "37", "29", "18", "13"),
    ("Lost devices", "71", "52", "55", "49", "48"), ("Lost cards", "388", "361", "402", "420", "412"), ("Visitors in the critical zone", "66", "31", "84", "97", "103"), ("Rehearsals of restores, failed", "1 of 9", "0 of 9", "3 of 11", "1 of 12", "see F.4"),
    ("Supplier assessments", "12", "18", "24", "29", "33"), ("Exceptions granted", "8", "12", "9", "14", "11"), ("Exceptions refused", "2", "5", "6", "4", "9"), ("Findings of grade 4", "5", "3", "4", "1", "2"),
    ("Open findings at the end of the year", "31", "27", "19", "12", "8"), ("Hours of training for each employee", "1.1", "1.4", "1.9", "2.2", "2.0"), ("Stewards", "40", "48", "57", "60", "61"), ("Requests of persons for their data", "77", "91", "140", "166", "183"),
    ("Of these answered late", "6", "4", "9", "2", "3"), ("Emergency changes, per cent", "9.6", "8.1", "7.0", "5.2", "5.8"), ("Rewards paid for flaws", "none", "8,400", "22,700", "39,950", "61,300"), ("Alarms for each operator in ten minutes", "9.1 o", "7.7 o", "6.2", "5.8", "5.5"),
)  # fmt: skip
TIER_ONE = (
    ("Northline Fibre", "links between sites", "certificate", "2026-03", "Wicket, Rampart"), ("Castellan Cleaning", "cleaning", "81 points", "2024-09", "none"), ("Vogt Hydraulics", "governor valves", "76 points", "2024-05", "Dynamo"), ("Hexagon Billing", "calculation of bills", "certificate", "2025-12", "Quern, Aurelia"),
    ("Meridian Clearing", "payments", "certificate", "2026-08", "Basalt"), ("Sund Turbines", "turbines and their control", "79 points", "2024-11", "Dynamo"), ("Alder Cards", "badges", "88 points", "2023-10", "Mortar"), ("Polar Data Halls", "second data centre", "certificate", "2027-01", "all"),
    ("Quillon Software", "directory", "certificate", "2025-10", "Iris"), ("Tarnow Telecom", "telephones", "certificate", "2026-05", "Umber"), ("Breck Fuels", "diesel for generators", "77 points", "2024-02", "none"), ("Lyng Weather", "forecasts", "neither", "until 2025-09", "Zephyr"),
    ("Ferrous Safes", "safes and alarm", "90 points", "2024-04", "Cinder"), ("Osterby Security", "gate and patrols", "84 points", "2024-06", "Mortar"), ("Kestrel Exchange", "market access", "certificate", "2026-02", "Sable"), ("Bluewater Metering", "meters", "75 points", "2024-08", "Fathom"),
    ("Ravn Aviation", "flights to Fjordholm", "neither", "until 2025-11", "none"), ("Solberg Payroll", "payroll of pensioners", "certificate", "2025-07", "Bramble"), ("Ember Parts Union", "spare parts", "80 points", "2024-12", "Ember"),
)  # fmt: skip


QUESTIONS = (
    ("1", "Is there a person in charge of security who does not report to the head of computing?", "3", "organisation chart"), ("3", "Is the policy known to all, and when was it last changed?", "1", "policy"), ("4", "Are new employees checked before they receive access?", "2", "procedure"),
    ("6", "Are there second factors for remote access?", "4", "picture of the settings"), ("7", "Are rights reviewed at least once a year?", "3", "last protocol"), ("9", "Are accounts of leavers closed within three days?", "3", "list of ten leavers"), ("10", "Are administrators' sessions recorded?", "2", "sample"),
    ("12", "Are fixes for critical flaws installed within 14 days?", "4", "report of a scan"), ("13", "Is there a list of all devices?", "2", "extract"), ("15", "Are portable computers encrypted?", "3", "report"), ("16", "Is there protection against malware on servers?", "2", "report"),
    ("18", "Are backups kept apart from the network?", "4", "drawing"), ("19", "Was a restore rehearsed in the last 12 months?", "4", "protocol"), ("21", "Are logs kept for at least six months?", "2", "settings"), ("22", "Does somebody look at them on Sundays?", "2", "shift plan"),
    ("24", "Is there a plan for incidents with names and numbers?", "3", "plan"), ("25", "Was the plan exercised?", "2", "protocol"), ("27", "Are customers told within 12 hours?", "4", "contract or template"), ("28", "Were there incidents in the last three years?", "0", "list, no points either way"),
    ("30", "Is development separated from operation?", "2", "drawing"), ("31", "Is code reviewed?", "2", "sample"), ("33", "Are components listed?", "2", "sample"), ("35", "Is there a penetration test every year?", "3", "summary"), ("36", "Were its findings cured?", "3", "proof"),
    ("38", "Are premises locked and watched?", "2", "photographs"), ("40", "Are media destroyed with proof?", "2", "proof"), ("41", "Are subcontractors known and bound?", "4", "list"), ("43", "Are data kept within the union?", "3", "list of places"), ("45", "Is the firm insured?", "2", "policy"), ("47", "May we visit?", "3", "yes or no"),
)  # fmt: skip


def continuity() -> list[list[str]]:
    """Return how work goes on without each system, and how the last exercise went."""
    random = Random(1304)
    rows = [["System", "Without it", "For at most", "Last exercise", "Persons needed"]]
    for at, (name, _, rank, hours, _) in enumerate(SYSTEMS):
        longest = f"{hours * random.choice((2, 3, 4))} hours"
        day = f"2024-{random.randrange(2, 12):02d}-{random.randrange(3, 27):02d}" if rank != "C1" else "none required"
        rows.append([name, SUBSTITUTES[(5 * at + 3) % len(SUBSTITUTES)], longest, day, str(random.randrange(1, 9))])
    return rows


TABLES = {
    "methods": [["Method", "State", "For what", "Until"], *map(list, METHODS)],
    "continuity": continuity(),
    "questions": [["No.", "Question", "Points", "Proof"], *map(list, QUESTIONS)],
    "figures": [["Indicator", "2020", "2021", "2022", "2023", "2024"], *map(list, FIGURES)],
    "tierone": [["Supplier", "What it delivers", "Proof", "Date", "Systems concerned"], *map(list, TIER_ONE)],
    "roles": [["Role", "Name", "What it opens", "Lasts", "Approved by"], *map(list, ROLES)],
    "calendar": [["When", "What", "By whom"], *map(list, CALENDAR)],
    "flows": [["From", "To", "What", "How"], *map(list, FLOWS)],
    "zones": [["Site", "Room", "Zone", "Open", "How one enters"], *map(list, ROOMS)],
    "findings": [["No.", "Control", "Unit or system", "Grade", "What was found", "State"]]
    + [[no, control, unit, str(grade), what, state] for no, control, unit, grade, what, state in FINDINGS],
    "risks": [["No.", "Risk", "Division", "Likelihood (1 to 5)", "Expected yearly loss", "Measure"]]
    + [[no, what, unit, str(often), f"{loss:,}", measure] for no, what, unit, often, loss, measure in RISKS],
    "retention": [["No.", "Record", "Kept for", "Owner", "Way of disposal"], *map(list, RETENTION)],
    "exceptions": [
        ["No.", "Control", "Unit", "What is allowed", "Until", "Compensating measure"],
        *map(list, EXCEPTIONS),
    ],
    "systems": [["System", "Purpose", "Class", "Recovery time (h)", "Loss of data (h)", "Owner"]]
    + [
        [name, what, rank, str(rto), str(rpo), OWNERS[at % 6]]
        for at, (name, what, rank, rto, rpo) in enumerate(SYSTEMS)
    ],
    "handling": [
        ["Act", "C1 public", "C2 internal", "C3 confidential", "C4 strictly confidential"],
        ["Sending by e-mail outside", "free", "free", "encrypted", "forbidden"],
        ["Printing", "free", "free", "with release at the printer", "in the secure room only"],
        ["Cloud storage", "any approved", "any approved", "approved, in the country", "forbidden without exemption"],
        ["Talking in public", "free", "with care", "forbidden", "forbidden"],
        ["Removable media", "free", "encrypted", "encrypted and registered", "two-person rule"],
        ["Disposal of paper", "bin", "P-3", "P-4", "P-5, witnessed"],
        ["Marking", "none", "none", "footer on each page", "header, footer and copy number"],
    ],
}

assert sum(rank == "C4" for _, _, rank, _, _ in SYSTEMS) == 7
assert sorted(name for name, _, _, hours, _ in SYSTEMS if hours <= 2) == [
    "Basalt", "Dynamo", "Garnet", "Iris", "Rampart", "Sable"
]  # fmt: skip
assert sum(row[4] < "2026" for row in EXCEPTIONS) == 8
assert [row[0] for row in EXCEPTIONS if row[1] == "AC-05"] == ["E-017", "E-034"]
assert (len(RETENTION), len(EXCEPTIONS), len(SYSTEMS)) == (32, 16, 30)
assert sum(grade >= 3 and state.startswith("open") for _, _, _, grade, _, state in FINDINGS) == 3
