"""Tables and procedures of the pump manual, one row or page a size."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import random

RANDOM = random.Random(4471)
SIZES = (40, 65, 80, 100, 125, 150, 200, 250)
NAMES = [f"MX-{size}" for size in SIZES]
POWER = (4, 11, 22, 37, 55, 75, 110, 160)
FLOW = (18, 52, 95, 160, 265, 410, 720, 1180)
HEAD = (38, 46, 54, 58, 61, 37, 41, 44)
SHAFT = (28, 33, 38, 43, 48, 55, 65, 75)

Rows = list[list[str]]


def performance() -> Rows:
    rows = [["Size", "Flow m³/h", "Head m", "Efficiency %", "NPSH required m", "Motor kW", "Impeller mm"]]
    npsh = ("1.6", "1.9", "2.3", "2.9", "3.6", "2.7", "3.4", "4.2")
    efficiency = ("61.5", "69.0", "73.5", "76.0", "78.5", "80.0", "82.5", "84.0")
    impeller = (169, 189, 209, 219, 224, 329, 349, 364)
    for at, name in enumerate(NAMES):
        rows.append([name, str(FLOW[at]), str(HEAD[at]), efficiency[at], npsh[at], str(POWER[at]), str(impeller[at])])
    return rows


def limits() -> Rows:
    rows = [["Size", "Max. pressure bar", "Max. temp. °C", "Max. temp. -H °C", "Min. flow m³/h", "Max. speed 1/min"]]
    pressure = (25, 25, 25, 16, 16, 16, 12, 10)
    speed = (3600, 3600, 3600, 3550, 3300, 1800, 1750, 1600)
    for at, name in enumerate(NAMES):
        flow = f"{FLOW[at] * (0.22 + 0.01 * at):.1f}"
        hot = 240 if at < 5 else 210
        rows.append([name, str(pressure[at]), "140", str(hot), flow, f"{speed[at]:,}"])
    return rows


def noise() -> Rows:
    rows = [["Size", "dB(A) at 50 Hz", "dB(A) at 60 Hz", "Pump kg", "Unit kg", "Baseplate"]]
    quiet = (66, 70, 73, 76, 79, 78, 81, 84)
    weight = (38, 54, 71, 96, 131, 204, 318, 466)
    unit = (112, 186, 301, 455, 640, 875, 1290, 1835)
    plate = ("BP-2", "BP-3", "BP-3", "BP-4", "BP-5", "BP-6", "BP-7", "BP-8")
    for at, name in enumerate(NAMES):
        rows.append([name, str(quiet[at]), str(quiet[at] + 4), str(weight[at]), f"{unit[at]:,}", plate[at]])
    return rows


def forces() -> Rows:
    rows = [["Size", "Fx N", "Fy N", "Fz N", "Mx Nm", "My Nm", "Mz Nm"]]
    for at, name in enumerate(NAMES):
        base = 620 + 260 * at + 45 * at * at
        cells = [base, base * 0.85, base * 1.12, base * 0.48, base * 0.35, base * 0.41]
        rows.append([name, *(f"{round(cell / 5) * 5:,}" for cell in cells)])
    return rows


def growth() -> Rows:
    rows = [["Size", "at 140 °C", "at 180 °C", "at 210 °C", "at 240 °C"]]
    for at, name in enumerate(NAMES):
        base = 0.11 + 0.022 * at
        cells = [f"{base * factor:.2f}" for factor in (1.0, 1.42, 1.78)]
        rows.append([f"{name}-H", *cells, f"{base * 2.15:.2f}" if at < 5 else "not permitted"])
    return rows


DRIVE = ("6305", "6306", "6307", "6309", "6310", "6312", "6314", "6316")
FREE = ("6204", "6205", "6206", "6208", "NU 209", "NU 311", "NU 313", "NU 315")
OIL = ("0.18", "0.26", "0.34", "0.52", "0.75", "1.10", "1.65", "2.40")


def bearings() -> Rows:
    rows = [["Size", "Oil l", "Bearing, drive end", "Bearing, pump end", "Grease of motor g"]]
    grease = (6, 8, 11, 15, 21, 28, 40, 55)
    return [*rows, *([name, OIL[at], DRIVE[at], FREE[at], str(grease[at])] for at, name in enumerate(NAMES))]


CASING = (28, 42, 58, 74, 96, 145, 210, 290)
COVER = (11, 14, 18, 22, 27, 34, 46, 62)
COUPLING = (14, 23, 35, 48, 69, 86, 120, 176)
ANCHOR = (38, 55, 72, 95, 130, 185, 260, 355)
NUT = (45, 62, 88, 115, 150, 205, 285, 390)


def torques() -> Rows:
    rows = [["Size", "Casing", "Seal cover", "Impeller nut", "Coupling", "Anchor bolts"]]
    values = zip(NAMES, CASING, COVER, NUT, COUPLING, ANCHOR, strict=True)
    return [*rows, *([str(cell) for cell in cells] for cells in values)]


def old_torques() -> Rows:
    rows = [["Size", "Casing", "Seal cover", "Impeller nut", "Coupling", "Anchor bolts"]]
    for name, casing, cover, nut, coupling, anchor in zip(NAMES, CASING, COVER, NUT, COUPLING, ANCHOR, strict=True):
        rows.append(
            [name, str(round(casing * 0.79)), str(round(cover * 0.86)), str(nut + 3), str(coupling), str(anchor)]
        )
    return rows


def alarms() -> Rows:
    said = (
        ("A-01", "Emergency stop pressed", "Push button or broken line", "Release the button; measure line X2:1-2"),
        (
            "A-02",
            "Safety relay open",
            "Bearing sensor of zone 1, or its wire",
            "Let cool; measure the sensor, 107 Ω at 18 °C",
        ),
        (
            "A-03",
            "Motor overcurrent",
            "Blocked impeller, density too high",
            "Turn the shaft by hand; check the density",
        ),
        ("A-04", "Earth fault of motor", "Moisture in the terminal box", "Measure the insulation, at least 5 MΩ"),
        ("A-05", "Phase missing", "Fuse, loose terminal", "Replace fuse; retighten terminals to 3.2 Nm"),
        (
            "A-06",
            "Bearing temperature above 105 °C",
            "No oil, bearing damaged",
            "Check oil; measure vibration; replace bearings",
        ),
        (
            "A-07",
            "Dry run",
            "Suction valve closed, tank empty",
            "Fill and vent; replace the seal if it ran for over ten seconds",
        ),
        (
            "A-08",
            "Casing pressure above limit",
            "Discharge valve closed, wrong speed",
            "Open the valve; check parameter P-12",
        ),
        (
            "A-09",
            "Vibration above 7.1 mm/s",
            "Broken coupling, imbalance, cavitation",
            "Inspect the coupling before the next start",
        ),
        (
            "A-10",
            "Barrier fluid pressure lost (plan 53B)",
            "Bladder burst, line leaks",
            "Do not start; refill to 2 bar above the seal chamber",
        ),
        ("A-11", "Reverse rotation", "Check valve leaks", "Close discharge valve, wait for standstill"),
        ("A-12", "Memory error of controller", "Controller defective", "Replace; load parameters from the USB stick"),
        (
            "B-20",
            "Bearing temperature above 95 °C, delay 60 s",
            "Oil aged, cooling water missing",
            "Change oil; check the cooling of -H pumps",
        ),
        ("B-21", "Flow below minimum, delay 30 min", "Bypass valve stuck", "Free the valve; check parameter P-22"),
        ("B-22", "Suction pressure low, delay 20 s", "Strainer clogged", "Clean the strainer"),
        (
            "B-23",
            "Discharge pressure low, delay 30 s",
            "Wear rings worn, air",
            "Vent; compare the head with the acceptance log",
        ),
        ("B-24", "Seal leakage above limit, delay 5 min", "Seal worn", "Replace the seal, see 8.3"),
        (
            "B-25",
            "Barrier fluid level low, delay 10 min",
            "Slow leak of the inner seal",
            "Refill; log the amount; over 0.5 l a week replace the seal",
        ),
        ("B-26", "Vibration above 4.5 mm/s, delay 90 s", "Alignment, soft foot", "Measure; align as in 5.2"),
        ("B-27", "Motor winding above 130 °C, delay 10 s", "Too many starts, fan blocked", "Clean the fan; see 7.2"),
        (
            "B-28",
            "Cooling water flow low, delay 3 min",
            "Valve closed, coil scaled",
            "Open; descale with 10 % citric acid for two hours",
        ),
        (
            "B-29",
            "Converter reports a fault, delay 0 s",
            "See manual of the converter",
            "Read its code; acknowledge there first",
        ),
        ("B-30", "Casing heating failed, delay 15 min", "Fuse F7", "Replace fuse F7 (6 A, slow)"),
        ("B-31", "Oil level low, delay 10 min", "Leak, foaming", "Top up with the same kind; look for the leak"),
        (
            "B-32",
            "Tank level low, delay set by P-40",
            "Tank empty",
            "Wait for the tank to fill; starts by itself at P-41",
        ),
        (
            "B-33",
            "Temperature difference across seal above 40 K, delay 2 min",
            "Flush line clogged",
            "Clean the orifice of 3 mm in the flush line",
        ),
        ("C-60", "Maintenance due in 100 h", "Counter", "Plan the work of Table 8"),
        ("C-61", "Maintenance overdue", "Counter", "Do the work; reset with P-85"),
        ("C-62", "Battery of clock low", "Lithium cell", "Replace within 30 days"),
        ("C-63", "USB stick full or not readable", "Wrong format", "Use FAT32, at most 32 GB"),
        ("C-64", "Sensor line broken, value replaced", "Cable", "Repair; the last value is used for at most 24 h"),
        (
            "C-65",
            "Partner pump does not answer",
            "Bus cable, address",
            "Check the address P-33; terminate the bus with 120 Ω",
        ),
        ("C-66", "Local mode for more than 8 h", "Switch forgotten", "Set to remote"),
        ("C-67", "Parameter changed", "For information", "None"),
        ("C-68", "Clock set", "For information", "None"),
        ("C-69", "Start counter of the hour at 80 %", "Control loop hunts", "Widen the hysteresis P-17"),
        (
            "C-70",
            "Exchange of lead and standby refused",
            "Standby pump has an alarm",
            "Acknowledge the alarm of the standby pump",
        ),
        ("C-71", "Ambient above 45 °C", "Ventilation", "Shade or ventilate the controller"),
        ("C-72", "Start refused, 40 s not elapsed", "Start too early", "Wait"),
        ("C-73", "Mains voltage outside ±10 %", "Mains", "Inform the electrician"),
    )
    return [["Code", "Text on display", "Likely cause", "Remedy"], *([*row] for row in said)]


def parameters() -> Rows:
    said = (
        ("P-10", "Nominal current", "name plate", "A", "F"), ("P-11", "Nominal speed", "name plate", "1/min", "F"),
        ("P-12", "Casing pressure, trip", "110 % of order", "bar", "F"), ("P-13", "Suction pressure, alarm", "0.3", "bar", ""),
        ("P-14", "Ramp up", "8", "s", ""), ("P-15", "Ramp down", "12", "s", ""), ("P-16", "Set point of pressure", "order", "bar", ""),
        ("P-17", "Hysteresis of start and stop", "0.4", "bar", ""), ("P-20", "Bypass valve fitted", "yes", "-", "F"),
        ("P-21", "Minimum flow", "Table 3", "m³/h", "F"), ("P-22", "Running time of bypass valve", "18", "s", ""),
        ("P-23", "Dry-run detection by power", "62", "% of nominal", "F"), ("P-24", "Dry-run delay", "4", "s", "F"),
        ("P-30", "Pair operation", "off", "-", ""), ("P-31", "Exchange of lead and standby", "168", "h", ""),
        ("P-32", "Start of standby at demand of", "92", "%", ""), ("P-33", "Bus address", "11", "-", "F"),
        ("P-34", "Bus speed", "19,200", "baud", "F"), ("P-40", "Tank level, stop delay", "25", "s", ""),
        ("P-41", "Tank level, start", "35", "%", ""), ("P-50", "Vibration, alarm", "4.5", "mm/s", "F"),
        ("P-51", "Vibration, trip", "7.1", "mm/s", "F"), ("P-52", "Seal leakage, alarm", "0.6", "l/h", ""),
        ("P-53", "Barrier fluid, lowest pressure above chamber", "1.5", "bar", "F"), ("P-60", "Cooling water, after-run", "20", "min", ""),
        ("P-70", "Language", "English", "-", ""), ("P-71", "Units", "SI", "-", ""), ("P-85", "Reset of maintenance counter", "-", "-", "F"),
        ("P-86", "Heavy duty", "off", "-", ""), ("P-90", "Fitter's code", "see 10.3", "-", "F"),
        ("P-91", "Time of automatic log-off", "15", "min", ""), ("P-95", "Test of dry-run protection", "-", "-", "F"),
    )  # fmt: skip
    return [["No.", "Meaning", "As delivered", "Unit", "Code"], *([*row] for row in said)]


def registers() -> Rows:
    read = (
        ("State word", "-", "bit 0 running, bit 3 locked"), ("Alarm code", "-", "letter in the high byte"), ("Speed", "1/min", "1"),
        ("Motor current", "A", "0.1"), ("Motor power", "kW", "0.1"), ("Discharge pressure", "bar", "0.01"),
        ("Suction pressure", "bar", "0.01"), ("Flow", "m³/h", "0.1"), ("Bearing temperature, drive end", "°C", "0.1"),
        ("Bearing temperature, pump end", "°C", "0.1"), ("Casing temperature", "°C", "0.1"), ("Vibration, drive end", "mm/s", "0.01"),
        ("Vibration, pump end", "mm/s", "0.01"), ("Seal leakage", "l/h", "0.01"), ("Barrier fluid pressure", "bar", "0.01"),
        ("Barrier fluid level", "%", "1"), ("Cooling water flow", "m³/h", "0.01"), ("Oil level", "%", "1"),
        ("Running hours, high word", "h", "65,536"), ("Running hours, low word", "h", "1"), ("Starts, high word", "-", "65,536"),
        ("Starts, low word", "-", "1"), ("Starts in this hour", "-", "1"), ("Hours to maintenance", "h", "1"),
        ("Position of bypass valve", "%", "1"), ("Winding temperature U", "°C", "0.1"), ("Winding temperature V", "°C", "0.1"),
        ("Winding temperature W", "°C", "0.1"), ("Ambient temperature", "°C", "0.1"), ("Supply voltage", "V", "0.1"),
        ("Software version", "-", "0.01"), ("Serial number, high word", "-", "65,536"), ("Serial number, low word", "-", "1"),
    )  # fmt: skip
    written = (
        ("Life sign of the master", "-", "any value"), ("Command word", "-", "bit 0 start, bit 1 stop, bit 2 acknowledge B and C"),
        ("Set point of pressure", "bar", "0.01"), ("Set point of flow", "m³/h", "0.1"), ("Lead pump", "-", "1 or 2"),
        ("Release of standby pump", "-", "0 or 1"), ("Limit of power", "%", "1"),
    )  # fmt: skip
    rows = [["Register", "Meaning", "Unit", "Step or bits", "Access"]]
    rows += [[str(40100 + 2 * at), name, unit, step, "read"] for at, (name, unit, step) in enumerate(read)]
    return rows + [[str(40300 + at), name, unit, step, "write"] for at, (name, unit, step) in enumerate(written)]


def seals() -> str:
    parts: list[str] = []
    tools = ("two levers", "a puller with two arms", "a puller with three arms", "a hydraulic puller")
    for at, name in enumerate(NAMES):
        gap = 6.5 + 1.5 * at
        tool = tools[min(at // 2, 3)]
        minutes = 55 + 20 * at
        parts.append(f"### 8.3.{at + 1} Size {name}")
        parts.append(
            f"Seal of {SHAFT[at]} mm shaft diameter, part {at + 3}20-{SHAFT[at]}. Allow {minutes} minutes "
            f"with {'one fitter' if at < 4 else 'two fitters'}. Oil to be drained: none; liquid in the casing: "
            f"about {0.9 * (at + 1) ** 1.7:.1f} l."
        )
        parts.append(
            "\n".join(
                (
                    f"1. Lock the supply, close both valves and drain the {name} at D1.",
                    f"2. Take out the spacer of the coupling ({100 if at < 4 else 140 if at < 6 else 180} mm). The motor stays where it is.",
                    f"3. Undo the {8 if at < 3 else 12 if at < 6 else 16} bolts of the casing and press the bearing bracket out with "
                    f"{'two' if at < 5 else 'four'} jacking screws {'M8' if at < 3 else 'M12' if at < 6 else 'M16'}.",
                    f"4. Undo the impeller nut with a socket of {24 + 6 * at} mm and pull the impeller with {tool}.",
                    f"5. Take off the seal cover. Pull the rotating part and push out the seat of the {name} seal.",
                    f"6. Clean the shaft sleeve. Grooves deeper than {0.05 + 0.01 * (at // 2):.2f} mm mean a new sleeve.",
                    f"7. Press the new seat in dry, moisten the sleeve with soapy water and push the rotating part on until its rear stands {gap:.1f} mm from the shoulder.",
                    f"8. Assemble in reverse order with the torques for {name}, turn by hand, fill, vent and test for {10 + 5 * (at // 3)} minutes.",
                )
            )
        )
    return "\n\n".join(parts)


PARTS = (
    ("102", "Volute casing"), ("161", "Casing cover"), ("210", "Shaft"), ("230", "Impeller"), ("321.1", "Bearing, drive end"),
    ("321.2", "Bearing, pump end"), ("330", "Bearing bracket"), ("360", "Bearing cover"), ("411", "Casing gasket"),
    ("421", "Radial shaft seal ring"), ("433", "Mechanical seal"), ("502.1", "Wear ring, suction side"),
    ("502.2", "Wear ring, cover side"), ("524", "Shaft sleeve"), ("638", "Constant level oiler"), ("901", "Hexagon bolt, casing"),
    ("922", "Impeller nut"), ("940", "Key of impeller"),
)  # fmt: skip
MATERIALS = ("EN-GJL-250", "1.4408", "1.4462", "C45+N", "FKM", "graphite", "bronze CC495K", "steel 10.9")


def parts_tables() -> tuple[dict[str, Rows], str]:
    tables: dict[str, Rows] = {}
    said: list[str] = []
    for at, name in enumerate(NAMES):
        rows = [["Pos.", "Part", "Number", "Pieces", "Material"]]
        for rank, (position, part) in enumerate(PARTS):
            number = f"{SIZES[at]:03d}-{rank * 7 + 101}-{RANDOM.randrange(100, 990)}"
            pieces = (
                8
                if position == "901" and at < 3
                else 12
                if position == "901" and at < 6
                else 16
                if position == "901"
                else 1
            )
            material = {"411": "graphite", "421": "FKM", "901": "steel 10.9"}.get(
                position, RANDOM.choice(MATERIALS[:4])
            )
            note = {"321.1": DRIVE[at], "321.2": FREE[at]}.get(position, material)
            rows.append([position, part, number, str(pieces), note])
        tables[f"parts_{SIZES[at]}"] = rows
        said.append(f"## 13.{at + 1} Parts of {name}\n\nTable: Spare parts of {name}\n{{{{table parts_{SIZES[at]}}}}}")
    return tables, "\n\n".join(said)


PART_TABLES, PART_TEXT = parts_tables()
TABLES: dict[str, Rows] = {
    "performance": performance(),
    "limits": limits(),
    "noise": noise(),
    "forces": forces(),
    "growth": growth(),
    "bearings": bearings(),
    "torques": torques(),
    "old_torques": old_torques(),
    "alarms": alarms(),
    "parameters": parameters(),
    "registers": registers(),
    **PART_TABLES,
}
TEXTS = {"seals": seals(), "parts": PART_TEXT}
