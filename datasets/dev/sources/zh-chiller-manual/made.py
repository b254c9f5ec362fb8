"""The regular tables of the chiller manual: ratings, cables, weights, intervals, sensors, spare parts, pressures."""

from __future__ import annotations

import math
import random

Rows = list[list[str]]

SIZES = (100, 120, 140, 160, 180, 200, 220, 240, 280, 320, 360, 400, 440, 480)
KINDS = {"S": (5.62, 1.0), "H": (6.18, 1.0), "D": (3.41, 0.64)}


def _rating(size: int, kind: str) -> dict[str, float | str]:
    """Return what the tables say about one model; every figure follows from size and kind, and a fixed deviation."""
    draw = random.Random(f"LCWS-{size}{kind}")
    cop, share = KINDS[kind]
    cooling = round(size * 3.517 * share)
    power = round(cooling / (cop * draw.uniform(0.97, 1.03)), 1)
    chilled = round(cooling * 3600 / (4.186 * 5 * 1000), 1)
    cooled = round((cooling + power) * 3600 / (4.186 * 5 * 1000), 1)
    current = round(power * 1000 / (math.sqrt(3) * 380 * (0.95 if kind == "H" else 0.88)))
    return {
        "cooling": cooling,
        "power": power,
        "cop": round(cooling / power, 2),
        "chilled": chilled,
        "cooled": cooled,
        "drop_chilled": round(draw.uniform(48, 86)),
        "drop_cooled": round(draw.uniform(42, 79)),
        "charge": round(cooling * draw.uniform(0.13, 0.16)),
        "oil": 14 + round(size / 14) + draw.randrange(4),
        "current": current,
        "start": round(current * (1.0 if kind == "H" else 2.35)),
        "cable": next((c for limit, c in CABLES if current <= limit), "2×(3×240+1×120)"),
        "breaker": next(b for b in (160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250) if b >= current * 1.25),
        "length": 2850 + 5 * size + draw.randrange(0, 60, 10),
        "width": 1180 + round(size * 1.4 / 10) * 10,
        "height": 1650 + round(size * 1.3 / 10) * 10,
        "shipped": 1450 + size * 11 + draw.randrange(0, 90, 5),
        "running": 1700 + size * 13 + draw.randrange(0, 90, 5),
    }


CABLES = (
    (135, "3×50+1×25"),
    (170, "3×70+1×35"),
    (210, "3×95+1×50"),
    (245, "3×120+1×70"),
    (285, "3×150+1×70"),
    (330, "3×185+1×95"),
    (395, "3×240+1×120"),
    (560, "2×(3×150+1×70)"),
)
RATINGS = {(size, kind): _rating(size, kind) for kind in KINDS for size in SIZES}


def _performance(kind: str) -> Rows:
    head = ["型号", "制冷量 kW", "输入功率 kW", "COP", "冷冻水量 m³/h", "冷却水量 m³/h"]
    rows = [[*head, "蒸发器压降 kPa", "冷凝器压降 kPa"]]
    for size in SIZES:
        r = RATINGS[size, kind]
        cells = (r["cooling"], r["power"], r["cop"], r["chilled"], r["cooled"], r["drop_chilled"], r["drop_cooled"])
        rows.append([f"LCWS-{size}{kind}", *(f"{cell:,}" for cell in cells)])
    return rows


def _wide(head: list[str], fields: tuple[str, ...]) -> Rows:
    body = [[f"LCWS-{size}{kind}", *(_cell(r[f]) for f in fields)] for (size, kind), r in RATINGS.items()]
    return [head, *body]


def _cell(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"


MAINTENANCE: Rows = [
    ["项目", "首次", "周期", "执行人"],
    ["记录运行数据", "每日", "每 2 h", "运行人员"],
    ["检查油位与视镜", "每日", "每日", "运行人员"],
    ["清洗水系统 Y 型过滤器", "72 h", "3 个月", "运行人员"],
    ["变频器散热水路滤网（H 型）", "500 h", "6 个月", "运行人员"],
    ["油样化验", "500 h", "2,000 h 或 6 个月", "授权单位"],
    ["更换油过滤器", "500 h", "4,000 h 或 12 个月", "授权单位"],
    ["更换润滑油（S、H 型）", "首次化验后决定", "8,000 h 或 24 个月", "授权单位"],
    ["更换润滑油（D 型）", "首次化验后决定", "6,000 h 或 18 个月", "授权单位"],
    ["更换干燥过滤器滤芯", "1,000 h", "8,000 h 或 24 个月", "授权单位"],
    ["检漏", "1 个月", "3 个月", "授权单位"],
    ["复紧动力端子", "3 个月", "12 个月", "授权单位"],
    ["核对温度传感器", "12 个月", "12 个月", "授权单位"],
    ["核对压力传感器", "24 个月", "24 个月", "授权单位"],
    ["校验安全阀", "12 个月", "12 个月", "检验机构"],
    ["校验高压开关", "6 个月", "12 个月", "授权单位"],
    ["清洗冷凝器管束", "视小温差", "12 个月", "授权单位"],
    ["蒸发器管束涡流探伤", "36 个月", "36 个月", "检验机构"],
    ["冷凝器管束涡流探伤", "24 个月", "24 个月", "检验机构"],
    ["测量电机绝缘", "6 个月", "12 个月", "授权单位"],
    ["测量振动", "调试时", "6 个月", "授权单位"],
    ["压缩机解体检查（S、D 型）", "-", "40,000 h", "澜川"],
    ["压缩机解体检查（H 型）", "-", "48,000 h", "澜川"],
    ["更换轴承", "-", "解体时", "澜川"],
]
TORQUE: Rows = [
    ["部位", "螺栓", "力矩 N·m", "说明"],
    ["动力端子", "M10", "28", "断电状态"],
    ["动力端子", "M12", "48", "断电状态"],
    ["接触器主接线", "M8", "14", "断电状态"],
    ["冷凝器端盖", "M20", "185", "对角分三次"],
    ["蒸发器端盖", "M20", "160", "对角分三次"],
    ["压缩机吸气法兰", "M16", "130", "更换垫片"],
    ["压缩机排气法兰", "M16", "145", "更换垫片"],
    ["油过滤器端盖", "M12", "72", "更换 O 形圈"],
    ["机组地脚螺栓", "M24", "310", "运行 72 h 后复紧"],
]
PARTS = (
    ("油过滤器滤芯", "易损件", 24),
    ("干燥过滤器滤芯", "易损件", 36),
    ("油加热器", "电气", 60),
    ("滑阀电磁阀", "电气", 60),
    ("温度传感器", "电气", 60),
    ("压力传感器 0-2.5 MPa", "电气", 60),
    ("压力传感器 0-1.6 MPa", "电气", 60),
    ("流量开关", "电气", 48),
    ("油位开关", "电气", 60),
    ("高压开关", "电气", 60),
    ("电子膨胀阀步进电机", "电气", 60),
    ("接触器 185 A", "电气", 72),
    ("接触器 330 A", "电气", 72),
    ("主板 C5", "电气", 72),
    ("显示屏", "电气", 72),
    ("变频器直流电容组", "电气", 24),
    ("变频器冷却水泵", "机械", 48),
    ("冷凝器端盖垫片", "易损件", 36),
    ("蒸发器端盖垫片", "易损件", 36),
    ("轴封 O 形圈组", "易损件", 24),
    ("吸气过滤网", "机械", 120),
    ("安全阀 1.75 MPa", "机械", 60),
    ("安全阀 1.40 MPa", "机械", 60),
    ("时钟电池 CR2032", "易损件", 36),
)


def _spares() -> Rows:
    draw = random.Random(417)
    rows = [["备件号", "名称", "类别", "单回路数量", "双回路数量", "库存期（月）", "参考价（元）"]]
    for at, (name, kind, months) in enumerate(PARTS):
        one = draw.choice((1, 1, 2, 2, 4))
        price = draw.randrange(60, 900, 5) * (1 if kind == "易损件" else 6)
        number = f"LP-{3100 + 7 * at + draw.randrange(6)}"
        rows.append([number, name, kind, str(one), str(2 * one), str(months), f"{price:,}"])
    return rows


PARAMETERS: Rows = [
    ["参数", "名称", "范围", "出厂值", "权限"],
    ["P-01", "冷冻水出水设定（S、H）", "4 ~ 18 ℃", "7.0 ℃", "二级"],
    ["P-02", "载冷剂出口设定（D）", "-10 ~ 5 ℃", "-5.0 ℃", "二级"],
    ["P-03", "回差", "0.5 ~ 3.0 ℃", "1.0 ℃", "二级"],
    ["P-04", "负荷限制", "30 ~ 100 %", "100 %", "二级"],
    ["P-05", "加载延时", "10 ~ 120 s", "30 s", "三级"],
    ["P-06", "停机后再启动延时", "10 ~ 60 min", "15 min", "三级"],
    ["P-07", "油温预热下限", "25 ~ 45 ℃", "30 ℃", "三级"],
    ["P-08", "防冻值", "-15 ~ 5 ℃", "3.5 ℃", "三级"],
    ["P-09", "最大电流限制", "50 ~ 105 %", "100 %", "三级"],
    ["P-10", "冷却水温控制设定", "18 ~ 32 ℃", "24 ℃", "二级"],
    ["P-11", "主机轮换周期", "24 ~ 720 h", "168 h", "二级"],
    ["P-12", "来电自启动", "开 / 关", "关", "二级"],
    ["P-13", "来电自启动延时", "60 ~ 900 s", "180 s", "二级"],
    ["P-14", "冷冻水泵停机延时", "1 ~ 15 min", "3 min", "二级"],
    ["P-15", "冷却水泵停机延时", "1 ~ 15 min", "5 min", "二级"],
    ["P-16", "温度传感器类型", "1 / 2", "1", "三级"],
    ["P-17", "压力传感器修正", "-2 ~ 2 %", "0 %", "三级"],
    ["P-18", "膨胀阀最小开度", "5 ~ 30 %", "12 %", "三级"],
    ["P-19", "目标吸气过热度", "1 ~ 8 ℃", "2.5 ℃", "三级"],
    ["P-20", "通信地址", "1 ~ 247", "1", "二级"],
    ["P-21", "报警记录条数", "100 ~ 500", "200", "三级"],
    ["P-22", "夜间降噪时段负荷", "30 ~ 80 %", "60 %", "二级"],
]


def _registers() -> Rows:
    names = (
        "机组状态",
        "报警代码",
        "冷冻水进水温度",
        "冷冻水出水温度",
        "冷却水进水温度",
        "冷却水出水温度",
        "回路 1 蒸发压力",
        "回路 1 冷凝压力",
        "回路 1 排气温度",
        "回路 1 油压差",
        "回路 1 油温",
        "回路 1 电流百分比",
        "回路 1 滑阀位置",
        "回路 2 蒸发压力",
        "回路 2 冷凝压力",
        "回路 2 排气温度",
        "回路 2 油压差",
        "回路 2 油温",
        "回路 2 电流百分比",
        "回路 2 滑阀位置",
        "累计运行小时（高位）",
        "累计运行小时（低位）",
        "启动次数",
        "累计电量（高位）",
        "累计电量（低位）",
        "出水温度设定",
        "负荷限制设定",
        "启停指令",
        "报警复位",
    )
    rows = [["地址", "名称", "比例", "读写"]]
    for at, name in enumerate(names):
        scale = "0.1" if "温度" in name else "0.001 MPa" if "压" in name else "1"
        writable = any(word in name for word in ("设定", "指令", "复位"))
        rows.append([str(40001 + 2 * at), name, scale, "读写" if writable else "只读"])
    return rows


def _sensors() -> Rows:
    places = (
        ("21", "冷冻水进水温度", "C"),
        ("22", "冷冻水出水温度", "A"),
        ("23", "冷却水进水温度", "C"),
        ("24", "冷却水出水温度", "C"),
        ("31", "回路 1 蒸发压力", "A"),
        ("32", "回路 1 冷凝压力", "A"),
        ("33", "回路 1 吸气温度", "B"),
        ("34", "回路 1 排气温度", "A"),
        ("35", "回路 1 油压", "A"),
        ("36", "回路 1 油温", "B"),
        ("37", "回路 1 滑阀位置", "C"),
        ("41", "回路 2 蒸发压力", "A"),
        ("42", "回路 2 冷凝压力", "A"),
        ("43", "回路 2 吸气温度", "B"),
        ("44", "回路 2 排气温度", "A"),
        ("45", "回路 2 油压", "A"),
        ("46", "回路 2 油温", "B"),
        ("47", "回路 2 滑阀位置", "C"),
        ("51", "室外温度", "C"),
        ("52", "热回收水温", "C"),
    )
    rows = [["代码", "等级", "传感器", "状态", "接线端子"]]
    for at, (number, name, level) in enumerate(places):
        for end, state in (("1", "开路"), ("2", "短路")):
            rows.append(
                [f"S{number}{end}", level, name, state, f"X{3 + at // 8}:{2 * (at % 8) + 1}/{2 * (at % 8) + 2}"]
            )
    return rows


def _ntc() -> Rows:
    def ohms(celsius: int) -> str:
        return f"{10_000 * math.exp(3950 * (1 / (celsius + 273.15) - 1 / 298.15)) / 1000:.2f}"

    columns = [list(range(start, start + 40, 2)) for start in (-20, 20, 60)]
    return [
        ["温度 ℃", "阻值 kΩ", "温度 ℃ ", "阻值 kΩ ", "温度 ℃  ", "阻值 kΩ  "],
        *[[cell for t in row for cell in (str(t), ohms(t))] for row in zip(*columns, strict=True)],
    ]


def _saturation() -> Rows:
    def pressure(celsius: int, boiling: float, slope: float) -> str:
        return f"{0.101325 * math.exp(slope * (1 / (boiling + 273.15) - 1 / (celsius + 273.15))) - 0.1:.3f}"

    rows = [["饱和温度 ℃", "R134a 表压 MPa", "R513A 表压 MPa"]]
    return [*rows, *([str(t), pressure(t, -26.1, 2640.0), pressure(t, -29.2, 2585.0)] for t in range(-18, 61))]


TABLES: dict[str, Rows] = {
    "perf_s": _performance("S"),
    "perf_h": _performance("H"),
    "perf_d": _performance("D"),
    "electric": _wide(
        ["型号", "额定电流 A", "启动电流 A", "断路器 A", "推荐电缆 mm²"], ("current", "start", "breaker", "cable")
    ),
    "dims": _wide(
        ["型号", "长 mm", "宽 mm", "高 mm", "运输重量 kg", "运行重量 kg", "制冷剂 kg", "润滑油 L"],
        ("length", "width", "height", "shipped", "running", "charge", "oil"),
    ),
    "maintenance": MAINTENANCE,
    "torque": TORQUE,
    "ntc": _ntc(),
    "spares": _spares(),
    "params": PARAMETERS,
    "registers": _registers(),
    "faults_sensor": _sensors(),
    "saturation": _saturation(),
}
TEXTS: dict[str, str] = {}

# What requests.yaml says about these tables.
assert sum(int(row[4]) * int(row[6].replace(",", "")) for row in TABLES["spares"][1:]) == 153530
assert 1.5 * float(RATINGS[400, "H"]["running"]) == 10425.0
