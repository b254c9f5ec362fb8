"""The figures of the claim: estimates of damage, medical bills, and what each cover pays."""

from __future__ import annotations

import random

Rows = list[list[str]]

# part, how it was settled, price of the part, first estimate of work, final work
OWN_CAR = (
    ("前保险杠蒙皮", "更换", 2_180, 300, 300),
    ("前保险杠骨架", "更换", 960, 120, 120),
    ("左前大灯总成", "更换", 6_450, 180, 180),
    ("右前大灯总成", "修复", 0, 420, 420),
    ("发动机罩", "更换", 3_260, 480, 480),
    ("左前翼子板", "更换", 1_340, 360, 360),
    ("右前翼子板", "钣金", 0, 540, 540),
    ("散热器框架", "更换", 1_780, 460, 460),
    ("水箱散热器", "更换", 2_240, 320, 320),
    ("冷凝器", "更换", 1_690, 280, 280),
    ("电子风扇", "更换", 1_120, 160, 160),
    ("毫米波雷达", "更换", 4_380, 650, 650),
    ("前防撞梁", "更换", 1_460, 240, 240),
    ("左前门", "钣金", 0, 820, 820),
    ("左后视镜", "更换", 1_150, 90, 90),
    ("左前轮毂", "更换", 1_980, 120, 120),
    ("左前减振器", "更换", 1_240, 260, 260),
    ("左下摆臂", "更换", 880, 220, 220),
    ("左转向节", "更换", 1_360, 260, 260),
    ("驾驶员安全气囊", "更换", 5_680, 380, 380),
    ("气囊控制模块", "更换", 3_120, 240, 240),
    ("左安全带", "更换", 1_490, 120, 120),
    ("前风挡玻璃", "更换", 2_860, 360, 360),
    ("全车前部喷漆", "喷漆", 0, 4_200, 4_200),
    ("四轮定位与标定", "工时", 0, 1_100, 1_100),
)
ADDED = (("左纵梁前段", "校正", 0, 2_600), ("高压线束插接器", "更换", 1_870, 540), ("低温散热器", "更换", 1_430, 260))
THIRD_CAR = (
    ("后保险杠蒙皮", "更换", 1_260, 260),
    ("后备厢盖", "钣金", 0, 980),
    ("左后尾灯", "更换", 870, 80),
    ("后围板", "钣金", 0, 1_150),
    ("后防撞梁", "更换", 780, 200),
    ("倒车雷达", "更换", 640, 160),
    ("后部喷漆", "喷漆", 0, 2_100),
    ("出租车专用标识", "更换", 320, 60),
)
DAYS = (
    (1, "2024-09-11"),
    (4, "2024-09-13"),
    (10, "2024-09-29"),
    (12, "2024-10-22"),
    (15, "2024-11-19"),
    (17, "2024-12-03"),
)
SALVAGE = 860
FIRST = sum(price + first for _, _, price, first, _ in OWN_CAR)
OWN = sum(price + last for _, _, price, _, last in OWN_CAR) + sum(price + work for *_, price, work in ADDED) - SALVAGE
THIRD = sum(price + work for *_, price, work in THIRD_CAR)
TOW = 650


def _bills() -> tuple[Rows, int, int]:
    """Return the medical bills, their sum, and how much of it is outside the insured list (all in yuan)."""
    draw = random.Random(911)
    names = (
        "急诊挂号与诊查",
        "急诊 CT",
        "左胫骨平台骨折内固定术",
        "钢板与螺钉",
        "麻醉",
        "住院床位（18 日）",
        "抗感染药",
        "止痛药",
        "促骨愈合药",
        "输液材料",
        "化验",
        "复查 X 线（三次）",
        "磁共振",
        "康复治疗（第一期）",
        "康复治疗（第二期）",
        "支具",
        "换药",
        "门诊药费",
    )
    big = {2: 9_860, 3: 21_400, 4: 3_120, 5: 1_080, 15: 2_350}
    rows, whole, outside = [["序号", "日期", "项目", "金额（元）", "其中医保外（元）"]], 0, 0
    for at, name in enumerate(names):
        cost = big.get(at, draw.randrange(280, 2600, 5))
        beyond = {3: 9_630, 8: cost, 15: 2_350}.get(at, 0)
        day = next(day for last, day in DAYS if at <= last)
        rows.append([str(at + 1), day, name, f"{cost:,}", f"{beyond:,}"])
        whole, outside = whole + cost, outside + beyond
    return [*rows, ["", "", "合计", f"{whole:,}", f"{outside:,}"]], whole, outside


BILLS, MEDICAL, OUTSIDE = _bills()
OTHER = {
    "住院伙食补助费": (1_800, "18 日 × 100 元"),
    "营养费": (1_800, "60 日 × 30 元"),
    "护理费": (9_000, "60 日 × 150 元"),
    "误工费": (20_160, "120 日 × 168 元"),
    "残疾赔偿金": (113_560, "56,780 元 × 20 年 × 10 %"),
    "精神损害抚慰金": (3_000, "主要责任，十级"),
    "交通费": (600, "凭票酌定"),
}
BIKE, EXPERT = 1_450, 1_800
CTP_MEDICAL = 18_000
DISABILITY = sum(OTHER[name][0] for name in ("护理费", "误工费", "残疾赔偿金", "精神损害抚慰金", "交通费"))
CTP = CTP_MEDICAL + DISABILITY + 2_000
TREATMENT = MEDICAL + OTHER["住院伙食补助费"][0] + OTHER["营养费"][0]
BEYOND = TREATMENT - CTP_MEDICAL
"""Cost of treatment beyond the compulsory cover; 80 % of it is borne by the insured."""
LIABILITY_BODY = round((BEYOND - OUTSIDE) * 0.8)
LIABILITY_OUTSIDE = round(OUTSIDE * 0.8)
LIABILITY_PROPERTY = THIRD - 2_000 + round(BIKE * 0.8)
OWN_PAID = OWN + TOW
PAID = CTP + LIABILITY_BODY + LIABILITY_OUTSIDE + LIABILITY_PROPERTY + OWN_PAID


def _estimate() -> Rows:
    rows = [["序号", "项目", "方式", "配件（元）", "工时（元）", "小计（元）"]]
    lines = [(name, how, price, last) for name, how, price, _, last in OWN_CAR]
    for at, (name, how, price, work) in enumerate([*lines, *ADDED], start=1):
        mark = name + ("（增补）" if at > len(OWN_CAR) else "")
        rows.append([str(at), mark, how, f"{price:,}", f"{work:,}", f"{price + work:,}"])
    return [*rows, ["", "减：残值", "", "", "", f"-{SALVAGE:,}"], ["", "核定合计", "", "", "", f"{OWN:,}"]]


def _third() -> Rows:
    rows = [["序号", "项目", "方式", "配件（元）", "工时（元）", "小计（元）"]]
    for at, (name, how, price, work) in enumerate(THIRD_CAR, start=1):
        rows.append([f"S{at}", name, how, f"{price:,}", f"{work:,}", f"{price + work:,}"])
    return [*rows, ["", "核定合计（三者车）", "", "", "", f"{THIRD:,}"]]


POINTS = (
    ("P1", "标的车左前轮接地点", 11.82, 7.46),
    ("P2", "标的车左后轮接地点", 9.31, 6.02),
    ("P3", "标的车制动痕起点", 7.14, 4.28),
    ("P4", "标的车制动痕终点", 9.82, 5.84),
    ("P5", "电动自行车前轮", 6.05, 8.91),
    ("P6", "电动自行车后轮", 7.12, 9.30),
    ("P7", "血迹中心", 6.71, 10.14),
    ("P8", "散落鱼筐", 5.38, 11.02),
    ("P9", "左前大灯碎片带南端", 8.66, 6.73),
    ("P10", "左前大灯碎片带北端", 10.95, 8.87),
    ("P11", "出租车左后轮", 14.27, 8.12),
    ("P12", "出租车右后轮", 14.61, 6.58),
    ("P13", "反光标志一", 3.40, 0.62),
    ("P14", "反光标志二", 3.42, 12.80),
    ("P15", "信号灯杆中心", -1.85, 13.46),
    ("P16", "人行横道南缘", 0.00, 2.95),
)
SUBJECTS = (
    "路口全景（由南）", "路口全景（由北）", "路口全景（由西）", "标的车前部", "标的车左前角",
    "标的车号牌", "左前轮与转向节", "安全气囊展开", "中控屏幕", "制动痕全长",
    "制动痕起点", "碎片带", "电动自行车全车", "电动自行车前叉", "改装电池铭牌",
    "电动自行车里程表", "出租车左后部", "出租车尾灯", "出租车顶灯", "信号灯相位",
    "存储卡封条", "驾驶证与行驶证", "急救车到场", "纵梁前段（拆检）", "插接器裂纹（拆检）",
    "低温散热器渗漏（拆检）", "右前大灯支架（拆检）", "电池壳体底面",
)  # fmt: skip


def _photos() -> Rows:
    draw = random.Random(3387)
    rows, minute = [["照片", "内容", "拍摄时间", "拍摄距离（米）", "是否采用"]], 27
    for at, name in enumerate(SUBJECTS, start=1):
        taken = f"09-11 19:{minute:02d}" if at < 24 else f"09-18 10:{minute % 60:02d}"
        minute += draw.choice((0, 1, 1, 2)) if minute < 58 or at >= 23 else 0
        far = f"{8.0 if at < 4 else draw.choice((0.4, 0.8, 1.5, 3.0)):.1f}"
        rows.append([f"Z{at:02d}", name, taken, far, draw.choice(("采用", "采用", "存档"))])
    return rows


MAKER_ONLY = ("毫米波雷达", "驾驶员安全气囊", "气囊控制模块", "左安全带", "左转向节")


def _quotes() -> Rows:
    draw = random.Random(1318)
    rows = [["配件", "服务中心报价（元）", "市场询价（元）", "核定价（元）", "差额（元）"]]
    for name, how, price, *_ in OWN_CAR:
        if how == "更换":
            asked = price + draw.choice((0, 40, 60, 110, 180, 260))
            market = "不询价" if name in MAKER_ONLY else f"{price + draw.choice((0, 0, 0, 20, 35)):,}"
            rows.append([name, f"{asked:,}", market, f"{price:,}", f"{asked - price:,}"])
    return rows


PROGRESS = (
    ("09-13", "进厂，首次定损", "孔维"),
    ("09-16", "前部拆解", "孔维"),
    ("09-18", "拆检，复勘", "孔维、潘立新"),
    ("09-19", "下单配件 22 种", "仓库"),
    ("09-20", "大梁上架测量，左纵梁偏 7 毫米", "潘立新"),
    ("09-21", "纵梁校正，复测偏 1 毫米", "潘立新"),
    ("09-23", "防撞梁、框架安装", "孔维"),
    ("09-24", "钣金：右前翼子板、左前门", "汪泉"),
    ("09-25", "底漆、打磨", "漆工组"),
    ("09-26", "等待配件", "仓库"),
    ("09-29", "冷却回路安装，保压 30 分钟无降", "孔维"),
    ("09-30", "面漆，烘烤 60 ℃ 40 分钟", "漆工组"),
    ("10-06", "内饰、气囊、安全带安装", "许航"),
    ("10-07", "高压系统上电，绝缘检测", "许航"),
    ("10-08", "四轮定位、雷达标定、路试", "许航"),
    ("10-09", "交车，开票", "前台"),
)


def _ward() -> Rows:
    draw = random.Random(929)
    rows = [["日期", "体温 ℃", "疼痛评分", "引流量 ml", "处置"]]
    early, late = (
        ("冰敷", "踝泵练习", "换药"),
        ("被动活动 30 度", "被动活动 60 度", "换药，查血", "复查 X 线", "下地扶拐"),
    )
    for day in range(12, 30):
        heat = 38.4 if day == 17 else round(draw.uniform(36.4, 37.4), 1)
        pain = max(1, 8 - (day - 12) // 2 + draw.choice((-1, 0, 0, 1)))
        drain = "无" if day < 13 or day > 21 else str(max(5, 190 - (day - 13) * 24 + draw.randrange(-8, 9)))
        care = {12: "石膏托固定", 13: "手术", 29: "出院"}.get(day) or draw.choice(early if day < 18 else late)
        rows.append([f"2024-09-{day}", f"{heat:.1f}", str(pain), drain, care])
    return rows


WAGES = (5_180, 5_260, 5_340, 5_420, 4_960, 3_620, 5_040, 5_130, 4_880, 5_210, 5_150, 5_290)
"""What the injured was paid from September 2023 to August 2024."""


def _wages() -> Rows:
    rows = [["月份", "计件（元）", "岗位津贴（元）", "实发（元）"]]
    for at, paid in enumerate(WAGES):
        month = f"{2023 + (at + 8) // 12}-{(at + 8) % 12 + 1:02d}"
        rows.append([month, f"{paid - 680:,}", "680", f"{paid:,}"])
    return rows


RESERVES = (
    ("2024-09-12", "首次立案", 60_000, 80_000),
    ("2024-09-19", "拆检后", 66_000, 80_000),
    ("2024-10-08", "病历审阅", 66_000, 96_000),
    ("2024-10-21", "复核结论", 66_000, 104_000),
    ("2024-11-28", "比例批复", 66_000, 112_000),
    ("2024-12-19", "鉴定意见", 66_000, 208_000),
    ("2025-01-08", "核赔前", 66_000, 212_000),
)


TABLES: dict[str, Rows] = {
    "own": _estimate(),
    "third": _third(),
    "bills": BILLS,
    "other": [
        ["项目", "金额（元）", "计算"],
        *[[name, f"{amount:,}", how] for name, (amount, how) in OTHER.items()],
    ],
    "paid": [
        ["险种", "赔付项目", "赔付金额（元）"],
        ["交强险", "医疗费用限额", f"{CTP_MEDICAL:,}"],
        ["交强险", "死亡伤残限额项下", f"{DISABILITY:,}"],
        ["交强险", "财产损失限额", "2,000"],
        ["商业第三者责任险", "超出交强险的医疗费用（医保内）× 80 %", f"{LIABILITY_BODY:,}"],
        ["医保外医疗费用责任险", "医保外医疗费用 × 80 %", f"{LIABILITY_OUTSIDE:,}"],
        ["商业第三者责任险", "三者车与电动自行车损失", f"{LIABILITY_PROPERTY:,}"],
        ["机动车损失保险", "标的车修理费与施救费", f"{OWN_PAID:,}"],
        ["", "赔款合计", f"{PAID:,}"],
    ],
    "points": [
        ["点号", "位置", "X（米）", "Y（米）"],
        *[[at, name, f"{x:.2f}", f"{y:.2f}"] for at, name, x, y in POINTS],
    ],
    "photos": _photos(),
    "quotes": _quotes(),
    "progress": [["日期", "工作", "人员"], *[list(line) for line in PROGRESS]],
    "ward": _ward(),
    "wages": _wages(),
    "reserve": [
        ["日期", "事由", "车损（元）", "人伤与其他（元）", "合计（元）"],
        *[[day, why, f"{car:,}", f"{body:,}", f"{car + body:,}"] for day, why, car, body in RESERVES],
    ],
}
TEXTS: dict[str, str] = {
    "sums": f"标的车首次定损金额为 {FIRST:,} 元，拆检后增补左纵梁等三项，扣除残值 {SALVAGE:,} 元，"
    f"核定金额为 {OWN:,} 元，另有施救费 {TOW:,} 元。",
    "treatment": f"医疗费、住院伙食补助费与营养费三项合计 {TREATMENT:,} 元，其中交强险医疗费用限额内赔付 18,000 元，"
    f"超出部分为 {BEYOND:,} 元。医保外医疗费用 {OUTSIDE:,} 元，不在第三者责任险的赔付范围，由附加险赔付。",
}
assert OTHER["残疾赔偿金"][0] == 56_780 * 20 // 10
assert OTHER["误工费"][0] == 120 * 168
assert DISABILITY < 180_000
assert (FIRST, OWN, THIRD, PAID) == (59_300, 65_140, 8_860, 276_118)
assert (MEDICAL, OUTSIDE) == (59_385, 13_585)
assert (sum(part for *_, part, _ in THIRD_CAR), sum(work for *_, work in THIRD_CAR)) == (3_870, 4_990)
assert sum(WAGES) == 12 * 5_040
assert abs(sum(RESERVES[-1][2:]) - PAID) < PAID * 0.05
