"""Measurements of the research report: drawn once from a fixed seed around the means that the text discusses."""

from __future__ import annotations

import math
import random

RANDOM = random.Random(88)
Rows = list[list[str]]
MIXES = {
    "R0": (0, 9.60, 168, 3.4), "R15": (15, 9.31, 162, 3.3), "R30": (30, 8.83, 153, 3.1), "R45": (45, 8.05, 131, 2.4),
    "R60": (60, 6.90, 104, 1.6),
}  # fmt: skip
"""Share of regrind in per cent, modulus in GPa, strength in MPa, elongation in per cent."""
TEMPERATURES = {23: 1.0, 60: 0.43, 80: 0.17}


def mixes() -> Rows:
    rows = [["Mix", "Regrind %", "E, GPa", "Strength MPa", "Elong. %"]]
    return [
        *rows,
        *(
            [name, str(share), f"{e:.2f}", str(strength), str(long)]
            for name, (share, e, strength, long) in MIXES.items()
        ),
    ]


def life(share: int, temperature: int) -> float:
    worse = {23: 0.0, 60: 0.001, 80: 0.0012}[temperature]
    return float(1_840_000 * (1 - share / 100) ** 1.5 * (TEMPERATURES[temperature] - share * worse))


def cycles() -> Rows:
    rows = [["Mix", "23 °C", "60 °C", "80 °C"]]
    for name, (share, *_) in MIXES.items():
        rows.append([name, *(f"{round(life(share, temperature) / 1000) * 1000:,}" for temperature in TEMPERATURES)])
    return rows


def specimens() -> Rows:
    rows = [["No.", "Mix", "Width", "Load N", "Site"]]
    number = 101
    for name, (_, _, strength, _) in MIXES.items():
        for _ in range(8):
            load = round(strength * 40 + RANDOM.gauss(0, 85))
            site = RANDOM.choice(("middle", "middle", "grip", "edge"))
            rows.append([str(number), name, f"{10 + RANDOM.gauss(0, 0.04):.2f}", f"{load:,}", site])
            number += 1
    return rows


def fatigue() -> Rows:
    rows = [["No.", "Mix", "°C", "Load %", "State", "Cycles"]]
    number = 401
    for name, (share, *_) in MIXES.items():
        slope = 11.2 - 2.5 * share / 60
        for temperature in TEMPERATURES:
            for load in (70, 60, 50, 42):
                for state in ("dry", "wet"):
                    wet = 0.62 if state == "wet" and temperature < 80 else 1.0
                    value = life(share, temperature) * wet * (50 / load) ** slope * RANDOM.lognormvariate(0, 0.22)
                    shown = "runout" if value > 3_000_000 else f"{round(value, -2):,.0f}"
                    rows.append([str(number), name, str(temperature), str(load), state, shown])
                    number += 1
    return rows


def plates() -> Rows:
    rows = [["Plates", "Date", "Mix", "Gates", "Melt °C", "Note"]]
    notes = ("", "", "", "dryer at 79 °C", "weight 0.4 g low", "gate cleaned", "", "short pause")
    first = 1
    for at in range(26):
        last = first + 10
        name = list(MIXES)[at % 5] if at > 3 else "R0"
        note = "thrown away, dryer open" if last < 45 else notes[(at * 5) % 8]
        rows.append(
            [
                f"{first}-{last}",
                f"{3 + at % 26:02d}.{9 + at // 9}.2024",
                name,
                str(1 + at % 2),
                str(283 + (at * 3) % 5),
                note or "-",
            ]
        )
        first = last + 1
    return rows


def water() -> Rows:
    rows = [["Days", *MIXES]]
    for days in (1, 7, 28, 90, 180):
        grown = (days / 180) ** 0.45
        rows.append([str(days), *(f"{(0.31 + share * 0.011) * grown:.2f}" for share, *_ in MIXES.values())])
    return rows


MORE = random.Random(2025_14)


def warm() -> Rows:
    rows = [["Mix", "23 °C", "60 °C", "80 °C", "60 °C, wet", "80 °C, wet"]]
    for name, (_, _, strength, _) in MIXES.items():
        hot = [round(strength * factor * MORE.uniform(0.985, 1.015)) for factor in (0.71, 0.58, 0.6, 0.51)]
        rows.append([name, str(strength), *map(str, hot)])
    return rows


def weibull() -> Rows:
    rows = [["Mix", "Tests", "Runouts", "Shape", "Scale", "10 % life"]]
    for name, (share, *_) in MIXES.items():
        shape = 4.6 - share * 0.031 + MORE.uniform(-0.2, 0.2)
        scale = life(share, 60) * math.log(2) ** (-1 / shape)
        tenth = scale * (-math.log(0.9)) ** (1 / shape)
        shown = [f"{round(value, -3):,.0f}" for value in (scale, tenth)]
        rows.append([name, "8", "0", f"{shape:.2f}", *shown])
    return rows


SHARES_OF_WELDS = {"R0": (58, 0.41), "R15": (53, 0.36), "R30": (47, 0.27), "R45": (37, 0.11), "R60": (29, 0.04)}


def welds() -> Rows:
    rows = [["Mix", "Weld, MPa", "% of plain", "Life ratio, 23 °C", "Life ratio, 60 °C"]]
    for name, (share, ratio) in SHARES_OF_WELDS.items():
        rows.append([name, str(round(MIXES[name][2] * share / 100)), str(share), f"{ratio:.2f}", f"{ratio * 0.86:.2f}"])
    return rows


def welded() -> Rows:
    rows = [["No.", "Mix", "°C", "Load %", "Cycles", "Broke at"]]
    number = 601
    for name, (_, ratio) in SHARES_OF_WELDS.items():
        for temperature in TEMPERATURES:
            for load in (60, 50, 42, 36):
                slope = 11.2 - 2.5 * MIXES[name][0] / 60
                value = life(MIXES[name][0], temperature) * ratio * (50 / load) ** slope * MORE.lognormvariate(0, 0.28)
                shown = "runout" if value > 3_000_000 else f"{round(value, -2):,.0f}"
                at_weld = MORE.random() < {"R0": 0.12, "R15": 0.17, "R30": 0.38, "R45": 0.92, "R60": 1.0}[name]
                where = "-" if shown == "runout" else "weld" if at_weld else "plain"
                rows.append([str(number), name, str(temperature), str(load), shown, where])
                number += 1
    return rows


STATES = (
    ("granules", 0, 0),
    ("plate", -2, -1),
    ("tested at 23 °C", -2, -2),
    ("tested at 60 °C", -4, -4),
    ("tested at 80 °C", -9, -7),
)
NUMBERS = {"R0": (142, 34), "R15": (135, 31), "R30": (129, 27), "R45": (118, 19), "R60": (107, 12)}


def pieces() -> Rows:
    rows = [["Piece", "Mix", "State", "1", "2", "3", "Onset"]]
    for name, (number, onset) in NUMBERS.items():
        for at, (state, less, sooner) in enumerate(STATES):
            middle = number + less + MORE.randrange(-1, 2) * (at > 0)
            values = (middle - 1, middle + 1, middle)
            rows.append([f"V{len(rows):02d}", name, state, *map(str, values), str(max(onset + sooner, 4))])
    return rows


CLASSES = ("below 50", "50-100", "100-150", "150-200", "200-300", "300-400", "400-600", "above 600")


def fibres() -> Rows:
    counted = {}
    for name, (share, *_) in MIXES.items():
        middle = 2.2 + 1.9 * (1 - share / 100)
        weights = [math.exp(-((at - middle) ** 2) / 4.4) * MORE.uniform(0.93, 1.07) for at in range(len(CLASSES))]
        parts = [round(weight / sum(weights) * 100, 1) for weight in weights]
        parts[-1] = round(100 - sum(parts[:-1]), 1)
        counted[name] = parts
    rows = [["Length, µm", *MIXES]]
    rows += [[label, *(f"{parts[at]:.1f}" for parts in counted.values())] for at, label in enumerate(CLASSES)]
    return [*rows, ["All", *(f"{sum(parts):.1f}" for parts in counted.values())]]


def weights() -> Rows:
    rows = [["No.", "Mix", "Before", "Conditioned", "After test", "Replaced"]]
    for at in range(30):
        name = list(MIXES)[at % 5]
        before = 8.21 + MORE.gauss(0, 0.05)
        full = before * (1.017 + MIXES[name][0] * 0.00012 + MORE.gauss(0, 0.0006))
        lost = MORE.choice((0.02, 0.03, 0.05, 0.07, 0.14)) / 100
        rows.append(
            [
                str(501 + at),
                name,
                f"{before:.3f}",
                f"{full:.3f}",
                f"{full * (1 - lost):.3f}",
                "r" if lost > 0.001 else "-",
            ]
        )
    return rows


TABLES = {
    "warm": warm(),
    "weibull": weibull(),
    "welds": welds(),
    "welded": welded(),
    "fibres": fibres(),
    "weights": weights(),
    "pieces": pieces(),
    "mixes": mixes(),
    "cycles": cycles(),
    "specimens": specimens(),
    "water": water(),
    "fatigue": fatigue(),
    "plates": plates(),
}
TEXTS: dict[str, str] = {}
