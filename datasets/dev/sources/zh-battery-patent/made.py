"""The measured values of the patent: lookup tables of the estimator and trials of the embodiments."""

from __future__ import annotations

import math
import random

Rows = list[list[str]]

TEMPERATURES = (-20, -10, 0, 10, 25, 40, 55)
LEVELS = tuple(range(0, 101, 5))


def _open_circuit(level: int, celsius: int) -> float:
    """Return the open-circuit voltage in volts of the cell of the first embodiment."""
    share = level / 100
    base = 3.205 + 0.145 * share - 0.33 * math.exp(-18 * share) + 0.06 * math.exp(-30 * (1 - share))
    return round(base + 0.00018 * (celsius - 25) * (0.4 + share), 3)


def _resistance(level: int, celsius: int) -> float:
    """Return the inner resistance in milliohm."""
    return round(0.42 * math.exp(-0.021 * (celsius - 25)) * (1 + 0.9 * math.exp(-level / 12)), 2)


def _lookup(value: str) -> Rows:
    which = _open_circuit if value == "ocv" else _resistance
    digits = 3 if value == "ocv" else 2
    head = ["荷电状态", *(f"{t} ℃" for t in TEMPERATURES)]
    return [head, *[[f"{n} %", *(f"{which(n, t):.{digits}f}" for t in TEMPERATURES)] for n in LEVELS]]


def _trials() -> Rows:
    draw = random.Random(2207)
    rows = [
        [
            "试验",
            "方案",
            "温度 ℃",
            "工况",
            "循环次数",
            "荷电误差（最大）",
            "荷电误差（均方根）",
            "健康误差",
            "告警提前量 s",
        ]
    ]
    for at in range(1, 25):
        plan = ("实施例一", "实施例二", "实施例三", "对比例一")[(at - 1) % 4]
        celsius = (-20, 0, 25, 45, 55, 10)[(at - 1) // 4]
        bad = {"实施例一": 1.0, "实施例二": 0.8, "实施例三": 0.9, "对比例一": 2.6}[plan]
        worst = round(bad * draw.uniform(1.5, 2.3) * (1.5 if celsius < 0 else 1), 2)
        mean = round(worst * draw.uniform(0.32, 0.5), 2)
        health = round(bad * draw.uniform(0.7, 1.3), 2)
        ahead = 0 if plan == "对比例一" else draw.randrange(180, 960, 10)
        cycles = draw.choice((100, 300, 500, 800, 1200))
        load = draw.choice(("城市循环", "高速循环", "调频", "恒流"))
        cells = [f"T{at:02d}", plan, str(celsius), load, str(cycles), f"{worst:.2f} %", f"{mean:.2f} %"]
        rows.append([*cells, f"{health:.2f} %", str(ahead)])
    return rows


# temperature of the cells, cycles they reached, loss of capacity in percent after a thousand cycles, knee
AGEING = ((25, 2_500, 4.6, 9_999), (45, 2_500, 7.9, 1_500), (-10, 1_250, 11.4, 9_999), (10, 2_500, 5.3, 9_999))


def _ageing() -> Rows:
    draw = random.Random(404)
    rows = [["组", "温度 ℃", "循环次数", "真实容量 Ah", "估计容量 Ah", "误差", "欧姆内阻增加"]]
    for group, (celsius, last, loss, knee) in zip("ABCD", AGEING, strict=True):
        for cycles in range(250, last + 1, 250):
            lost = loss * (cycles / 1000) ** 0.85 + max(0, cycles - knee) / 1000 * 9
            real = 280 * (1 - lost / 100)
            late = 1.4 if 0 < cycles - knee <= 500 else 0.0
            guess = min(279.9, real * (1 + (draw.uniform(-0.9, 0.9) + late) / 100))
            rows.append([group, str(celsius), str(cycles), f"{real:.1f}", f"{guess:.1f}"])
            rows[-1] += [f"{100 * (guess - real) / real:+.2f} %", f"{lost * draw.uniform(1.3, 1.9):.1f} %"]
    return rows


PLANS = {"实施例五": 0.95, "实施例六": 1.0, "实施例七": 1.25, "实施例八": 0.85, "对比例二": 2.2, "对比例三": 1.5}


def _more() -> Rows:
    draw = random.Random(505)
    head = ["试验", "方案", "温度 ℃", "触发方式", "静置（日）", "荷电误差（最大）", "健康误差", "告警提前量 s"]
    rows, at = [head], 0
    for celsius in (-15, 5, 25, 40):
        for plan, bad in PLANS.items():
            at += 1
            rest = draw.choice((0, 3, 10))
            if plan == "对比例二":
                rest = 30 if celsius in (-15, 25) else rest
            worst = bad * draw.uniform(1.3, 2.0) * (1.4 if celsius < 0 else 1)
            health = bad * draw.uniform(0.6, 1.1) * (2.1 if rest == 30 else 1)
            ahead = draw.randrange(20, 90, 5) if plan == "对比例二" else draw.randrange(230, 840, 10)
            way = draw.choice(("针刺", "加热", "过充"))
            rows.append([f"U{at:02d}", plan, str(celsius), way, str(rest), f"{worst:.2f} %", f"{health:.2f} %"])
            rows[-1].append(str(ahead))
    return rows


SENSORS = (
    ("Q1", "催化燃烧式", "电站", 1.2),
    ("Q2", "催化燃烧式", "船舱", 2.4),
    ("Q3", "催化燃烧式", "加湿机房", 4.6),
    ("Q4", "热导式", "电站", 0.6),
    ("Q5", "热导式", "船舱", 0.9),
    ("Q6", "热导式", "加湿机房", 0.8),
    ("Q7", "电化学式", "电站", 1.5),
    ("Q8", "电化学式", "高海拔", 2.9),
    ("Q9", "电化学式", "工程车辆", 3.3),
)


def _drift() -> Rows:
    draw = random.Random(606)
    rows = [["编号", "原理", "场所", *(f"第 {month} 月" for month in range(2, 13, 2))]]
    for code, kind, place, speed in SENSORS:
        zero, cells = 0.0, []
        for _ in range(6):
            zero += 2 * speed * draw.uniform(0.6, 1.4)
            mark = " *" if zero > 24 else ""
            cells.append(f"{zero:.0f}{mark}")
            zero = 0.0 if mark else zero
        rows.append([code, kind, place, *cells])
    return rows


def _spread() -> Rows:
    draw = random.Random(707)
    rows = [["触发后（min）", *(f"{flow} L/min" for flow in (6, 12, 20, 35, 45))]]
    for minute in (2, 5, 10, 15, 20, 30, 45, 60):
        rise = 1 - math.exp(-minute / 14)
        fall = math.exp(-max(0, minute - 20) / 40)
        peaks = (78, 56, 41, 29, 27)
        rows.append([str(minute), *(f"{25 + peak * rise * fall + draw.uniform(-0.6, 0.6):.1f}" for peak in peaks)])
    return rows


BALANCING = (
    (6.0, 0.4, 95.9),
    (5.0, 0.9, 96.6),
    (4.0, 1.8, 97.2),
    (3.0, 6.1, 97.5),
    (2.5, 11.7, 97.6),
    (2.0, 23.5, 97.6),
)


def _balance() -> Rows:
    rows = [["启动差值", "停止差值", "每周动作（次）", "可用容量", "电路温升（K）"]]
    for start, moves, share in BALANCING:
        rows.append(
            [f"{start:.1f} %", f"{start / 2:.2f} %", f"{moves:.1f}", f"{share:.1f} %", f"{2.1 + 1.3 * moves:.1f}"]
        )
    return rows


TABLES: dict[str, Rows] = {
    "ocv": _lookup("ocv"),
    "resistance": _lookup("resistance"),
    "trials": _trials(),
    "ageing": _ageing(),
    "more": _more(),
    "drift": _drift(),
    "spread": _spread(),
    "balance": _balance(),
}
TEXTS: dict[str, str] = {}
# What requests.yaml says about these tables.
assert TABLES["resistance"][11][:2] == ["50 %", "1.10"]
assert TABLES["trials"][14][0] == "T14" and TABLES["trials"][14][8] == "660"
BASELINE = [float(row[5].removesuffix(" %")) for row in TABLES["trials"] if row[1] == "对比例一"]
assert f"{sum(BASELINE) / len(BASELINE):.2f}" == "4.98"
assert max(float(row[5].removesuffix(" %")) for row in TABLES["trials"][1:] if row[1] != "对比例一") <= 3.5
