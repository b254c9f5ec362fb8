"""Assets, work orders and spare parts of an invented waterworks: regular rows, and remarks written by hand."""

# ruff: noqa: E501 (a row of a table stands on one line)

from __future__ import annotations

from datetime import date, timedelta
from random import Random

SITES = ("Elmsford intake", "Elmsford filters", "Quarry Hill reservoir", "Brook Lane boosters", "Sallow Bridge wells")
KINDS = {
    "P": ("Pump", ("Ardent Flow", "Kessel", "Northmark"), ("KR 150", "KR 200", "VX 80", "N-32")),
    "V": ("Valve", ("Hale and Burr", "Kessel"), ("DN 300 butterfly", "DN 200 gate", "DN 150 non-return")),
    "M": ("Motor", ("Voltane", "Northmark"), ("45 kW", "75 kW", "22 kW")),
    "C": ("Compressor", ("Ardent Flow",), ("SC 11", "SC 15")),
    "D": ("Dosing unit", ("Pellucid",), ("D-40", "D-60")),
    "I": ("Instrument", ("Pellucid", "Voltane"), ("turbidity", "chlorine", "level", "flow")),
}
COUNTS = {"P": 18, "V": 16, "M": 12, "C": 4, "D": 6, "I": 14}
WORK = {
    "P": ("Replace mechanical seal", "Align coupling", "Grease bearings", "Replace wear ring", "Vibration check"),
    "V": ("Repack gland", "Exercise valve", "Replace actuator", "Clean limit switches"),
    "M": ("Insulation test", "Replace bearings", "Clean fan cowl", "Check terminals"),
    "C": ("Change oil and filter", "Replace belt", "Test safety valve"),
    "D": ("Replace diaphragm", "Clean injector", "Calibrate stroke"),
    "I": ("Calibrate", "Clean sensor", "Replace reagent", "Replace display"),
}
STAFF = ("R. Okafor", "J. Lindqvist", "M. Abadi", "T. Crewe", "S. Prosser")
PREVENTIVE = (
    "Grease bearings",
    "Exercise valve",
    "Insulation test",
    "Change oil and filter",
    "Calibrate",
    "Clean sensor",
)
REMARKS = {
    14: (
        "P-08",
        "corrective",
        "Replace mechanical seal",
        "Seal faces scored by grit; strainer basket split at the weld.",
    ),
    37: ("P-15", "corrective", "Replace wear ring", "Job stopped twice: lifting beam had no valid certificate."),
    61: ("P-08", "corrective", "Replace mechanical seal", "Northmark seal fitted, the Kessel one was on back order."),
    88: ("I-03", "preventive", "Calibrate", "Drift of 0.14 NTU against the reference, outside the limit of 0.10."),
    103: ("P-04", "corrective", "Replace mechanical seal", "Ran dry for about six minutes after the float stuck."),
    127: ("M-07", "corrective", "Replace bearings", "Warranty claim accepted by the maker; no charge for parts."),
    149: ("P-12", "inspection", "Align coupling", "Shaft found 0.21 mm out of true; the limit is 0.05 mm."),
    166: ("C-02", "corrective", "Test safety valve", "Same fault as in spring; the breather is too small."),
    190: ("V-11", "corrective", "Clean limit switches", "Bypass left open overnight; flow figures not valid."),
    213: ("M-02", "corrective", "Replace bearings", "Handed to the contractor Tolland Rewinds, back in five weeks."),
    238: ("P-01", "preventive", "Grease bearings", "Wrong grease in the gun (EP 2, not polyurea); flushed."),
    259: ("V-02", "corrective", "Repack gland", "Asbestos suspected; area closed until the laboratory found none."),
    277: ("D-06", "preventive", "Replace diaphragm", "Not done: asset has been withdrawn."),
}


def assets() -> list[list[str]]:
    """Return the rows of the sheet of assets."""
    random = Random(4071)
    rows = []
    for letter, count in COUNTS.items():
        name, makers, models = KINDS[letter]
        for at in range(1, count + 1):
            installed = date(2004, 1, 1) + timedelta(days=random.randrange(0, 7300))
            rows.append(
                [
                    f"{letter}-{at:02d}",
                    name,
                    random.choice(makers),
                    random.choice(models),
                    random.choice(SITES),
                    installed.isoformat(),
                    random.choice(("A", "B", "B", "C")),
                    str(random.choice((3, 6, 12, 24))),
                    str(random.randrange(6, 420) * 100),
                ]
            )
    return rows


def orders() -> list[list[str]]:
    """Return the rows of the sheet of work orders, in the order in which they were opened."""
    random = Random(9923)
    names = [row[0] for row in ASSETS]
    opened = date(2024, 1, 2)
    rows = []
    for at in range(1, 291):
        opened += timedelta(days=random.choice((0, 1, 1, 1, 2, 2)))
        asset = random.choice(names)
        work = random.choice(WORK[asset[0]])
        kind = "preventive" if work in PREVENTIVE else random.choice(("corrective", "corrective", "inspection"))
        is_open = at > 270 and random.random() < 0.6
        closed = "" if is_open else (opened + timedelta(days=random.randrange(0, 19))).isoformat()
        status = "open" if is_open else "closed"
        hours = random.randrange(2, 37) / 2
        parts = 0 if kind == "inspection" else random.randrange(0, 240) * 5
        remark = ""
        if at in REMARKS:
            asset, kind, work, remark = REMARKS[at]
        if at == 127:
            parts = 0
        if at == 277:
            status, closed, hours, parts = "cancelled", opened.isoformat(), 0.0, 0
        rows.append(
            [
                f"WO-{at:04d}",
                opened.isoformat(),
                asset,
                kind,
                work,
                random.choice(STAFF),
                f"{hours:.1f}",
                str(parts),
                status,
                closed,
                remark,
            ]
        )
    return rows


def spares() -> list[list[str]]:
    """Return the rows of the sheet of spare parts."""
    random = Random(518)
    names = [f"{part} {size}" for part in PARTS for size in PARTS[part]]
    rows = []
    for at, name in enumerate(names, 1):
        low = random.randrange(1, 7)
        stock = random.randrange(0, 15)
        place = f"{random.choice('ABCDE')}{random.randrange(1, 9)}-{random.randrange(1, 5)}"
        price = PRICES[name.split(" ")[0]] * random.uniform(0.7, 1.6)
        rows.append(
            [
                f"SP-{at:03d}",
                name,
                place,
                str(stock),
                str(low),
                f"{price:.2f}",
                str(random.choice((3, 7, 10, 21, 45))),
                random.choice(("Ardent Flow", "Kessel", "Northmark", "Voltane", "Pellucid", "Hale and Burr")),
            ]
        )
    return rows


PRICES = {
    "Mechanical": 140, "Deep": 32, "Wear": 95, "Gland": 18, "Coupling": 24, "Actuator": 410, "Limit": 46, "Diaphragm": 88,
    "Injector": 37, "Turbidity": 52, "Chlorine": 29, "V-belt": 14, "Oil": 33, "Fan": 61, "Terminal": 9, "Float": 27,
}  # fmt: skip
PARTS = {
    "Mechanical seal": ("28 mm", "35 mm", "43 mm", "55 mm"),
    "Deep groove bearing": ("6208", "6210", "6312", "6316"),
    "Wear ring": ("KR 150", "KR 200", "N-32"),
    "Gland packing": ("8 mm", "10 mm", "12 mm"),
    "Coupling insert": ("red 92 Shore", "yellow 80 Shore", "black 98 Shore"),
    "Actuator": ("24 V", "230 V", "400 V"),
    "Limit switch": ("IP 65", "IP 68"),
    "Diaphragm": ("D-40", "D-60"),
    "Injector nozzle": ("1.2 mm", "1.6 mm"),
    "Turbidity standard": ("0 NTU", "10 NTU", "100 NTU"),
    "Chlorine reagent": ("500 ml", "1000 ml"),
    "V-belt": ("SPA 1250", "SPA 1500", "SPB 1800"),
    "Oil filter": ("SC 11", "SC 15"),
    "Fan cowl": ("22 kW", "45 kW", "75 kW"),
    "Terminal block": ("35 A", "63 A"),
    "Float switch": ("5 m cable", "10 m cable", "20 m cable"),
}
ASSETS = assets()
ORDERS = orders()
SPARES = spares()
TABLES = {
    "assets": [
        [
            "Asset",
            "Type",
            "Maker",
            "Model",
            "Site",
            "Installed",
            "Criticality",
            "Service interval (months)",
            "Value (EUR)",
        ],
        *ASSETS,
    ],
    "orders": [
        [
            "Order",
            "Opened",
            "Asset",
            "Kind",
            "Work",
            "Technician",
            "Hours",
            "Parts (EUR)",
            "Status",
            "Closed",
            "Remark",
        ],
        *ORDERS,
    ],
    "spares": [
        ["Part", "Name", "Bin", "Stock", "Minimum", "Unit price (EUR)", "Lead time (days)", "Supplier"],
        *SPARES,
    ],
}

assert sum(float(row[6]) for row in ORDERS) == 2861.0
assert sum(int(row[7]) for row in ORDERS) == 127_880
assert sum(row[8] == "open" for row in ORDERS) == 13
assert sum(float(row[6]) for row in ORDERS if row[2] == "P-08") == 65.0
assert [row[0] for row in ORDERS if row[2] == "C-02"] == ["WO-0005", "WO-0022", "WO-0132", "WO-0166"]
assert sum(int(row[8]) for row in ASSETS) == 1_439_500
assert sum(int(row[3]) < int(row[4]) for row in SPARES) == 8
