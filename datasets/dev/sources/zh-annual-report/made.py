"""The tables of the group's annual report in ten thousand yuan: statements that balance, and notes that agree."""

from __future__ import annotations

import random
import runpy
from pathlib import Path

Rows = list[list[str]]

SEGMENTS = ("供水与污水", "热电联产", "环保装备", "物流园区", "检测服务")
REGIONS = ("江南省", "海州地区", "西南片区", "华北片区", "其他地区")
# revenue by quarter of 2024, of 2023, and cost as a share of revenue in both years
REVENUE = {
    "供水与污水": ((41_286, 44_930, 48_217, 43_655), (39_870, 42_611, 45_902, 41_388), (0.612, 0.618)),
    "热电联产": ((58_944, 31_207, 29_866, 61_350), (55_102, 30_448, 28_790, 57_231), (0.824, 0.851)),
    "环保装备": ((18_326, 24_718, 22_095, 36_441), (21_940, 27_655, 25_380, 39_217), (0.731, 0.722)),
    "物流园区": ((9_114, 9_386, 9_702, 10_155), (8_233, 8_420, 8_911, 9_204), (0.488, 0.497)),
    "检测服务": ((5_602, 6_911, 7_180, 8_944), (4_710, 5_806, 6_122, 7_439), (0.543, 0.551)),
}


def money(value: float) -> str:
    """Return an amount as the report prints it: thousands parted, what is negative in brackets."""
    return f"({-value:,.0f})" if value < 0 else f"{value:,.0f}"


def _change(new: float, old: float) -> str:
    return f"{100 * (abs(new) - abs(old)) / abs(old):.1f} %" if old else "不适用"


SALES = {s: (sum(REVENUE[s][0]), sum(REVENUE[s][1])) for s in SEGMENTS}
COSTS = {s: tuple(round(SALES[s][y] * REVENUE[s][2][y]) for y in (0, 1)) for s in SEGMENTS}
TURNOVER = tuple(sum(SALES[s][y] for s in SEGMENTS) for y in (0, 1))
COST = tuple(sum(COSTS[s][y] for s in SEGMENTS) for y in (0, 1))
OTHER_LINES = (
    ("税金及附加", (-5_812, -5_604)),
    ("销售费用", (-12_446, -13_190)),
    ("管理费用", (-31_870, -30_655)),
    ("研发费用", (-14_932, -13_287)),
    ("财务费用", (-21_384, -23_916)),
    ("其他收益", (4_218, 3_906)),
    ("投资收益", (3_765, 2_841)),
    ("信用减值损失", (-4_927, -3_310)),
    ("资产减值损失", (-6_180, -1_245)),
    ("资产处置收益", (612, 88)),
)
OPERATING = tuple(TURNOVER[y] - COST[y] + sum(v[y] for _, v in OTHER_LINES) for y in (0, 1))
OUTSIDE = (("营业外收入", (934, 1_207)), ("营业外支出", (-1_518, -876)))
BEFORE_TAX = tuple(OPERATING[y] + sum(v[y] for _, v in OUTSIDE) for y in (0, 1))
TAX = tuple(-round(BEFORE_TAX[y] * rate) for y, rate in ((0, 0.2160), (1, 0.2225)))
PROFIT = tuple(BEFORE_TAX[y] + TAX[y] for y in (0, 1))
MINORITY = tuple(round(PROFIT[y] * 0.083) for y in (0, 1))
PARENT = tuple(PROFIT[y] - MINORITY[y] for y in (0, 1))


def _income() -> Rows:
    lines = [("一、营业收入", TURNOVER), ("减：营业成本", tuple(-c for c in COST)), *OTHER_LINES]
    lines += [("二、营业利润", OPERATING), *OUTSIDE, ("三、利润总额", BEFORE_TAX), ("减：所得税费用", TAX)]
    lines += [("四、净利润", PROFIT), ("归属于母公司股东的净利润", PARENT), ("少数股东损益", MINORITY)]
    return _two_years(lines)


def _two_years(lines: list[tuple[str, tuple[int, ...]]], names: tuple[str, str] = ("2024 年度", "2023 年度")) -> Rows:
    return [["项目", *names, "变动"], *[[n, money(v[0]), money(v[1]), _change(v[0], v[1])] for n, v in lines]]


FLOWS: dict[str, list[tuple[str, tuple[int, int]]]] = {
    "经营活动": [
        ("销售商品、提供劳务收到的现金", (561_204, 548_377)),
        ("收到的税费返还", (3_118, 2_760)),
        ("购买商品、接受劳务支付的现金", (-348_716, -352_980)),
        ("支付给职工的现金", (-61_453, -58_204)),
        ("支付的各项税费", (-27_930, -24_118)),
        ("支付其他与经营活动有关的现金", (-33_207, -31_944)),
    ],
    "投资活动": [
        ("收回投资收到的现金", (12_500, 8_000)),
        ("取得投资收益收到的现金", (2_906, 2_410)),
        ("处置长期资产收回的现金", (1_844, 356)),
        ("购建长期资产支付的现金", (-88_615, -104_270)),
        ("投资支付的现金", (-15_000, -9_600)),
    ],
    "筹资活动": [
        ("吸收投资收到的现金", (6_000, 0)),
        ("取得借款收到的现金", (176_400, 188_900)),
        ("偿还债务支付的现金", (-169_850, -161_320)),
        ("分配股利、偿付利息支付的现金", (-42_618, -40_977)),
    ],
}
NET = {name: tuple(sum(v[y] for _, v in lines) for y in (0, 1)) for name, lines in FLOWS.items()}
START_2023 = 101_433
END_2023 = START_2023 + sum(n[1] for n in NET.values())
CASH = (END_2023 + sum(n[0] for n in NET.values()), END_2023)


def _cash() -> Rows:
    lines: list[tuple[str, tuple[int, ...]]] = []
    for name, flows in FLOWS.items():
        lines += [*flows, (f"{name}产生的现金流量净额", NET[name])]
    lines.append(("现金及现金等价物净增加额", tuple(sum(n[y] for n in NET.values()) for y in (0, 1))))
    lines += [("加：期初现金及现金等价物余额", (END_2023, START_2023)), ("期末现金及现金等价物余额", CASH)]
    return _two_years(lines)


AGING = (
    ("1 年以内", 88_430, 0.03),
    ("1 至 2 年", 21_766, 0.10),
    ("2 至 3 年", 9_204, 0.30),
    ("3 至 5 年", 4_415, 0.60),
    ("5 年以上", 2_130, 1.00),
)
RECEIVABLE = sum(gross - round(gross * share) for _, gross, share in AGING)
# opening cost, added, disposed of, opening depreciation, of the year, taken off
FIXED = {
    "房屋及建筑物": (214_530, 18_902, 1_740, 61_288, 7_014, 622),
    "管网": (386_214, 31_455, 2_036, 118_407, 12_880, 1_118),
    "机器设备": (342_918, 26_730, 8_815, 152_066, 21_433, 6_904),
    "运输工具": (9_644, 1_208, 962, 6_017, 1_090, 880),
    "电子及其他": (18_277, 3_516, 1_404, 11_832, 2_205, 1_286),
}
NET_FIXED = sum(a + b - c - d - e + f for a, b, c, d, e, f in FIXED.values())
ASSETS = (
    ("货币资金", CASH),
    ("应收账款", (RECEIVABLE, 98_716)),
    ("预付款项", (7_318, 8_044)),
    ("存货", (46_205, 52_917)),
    ("合同资产", (31_448, 27_960)),
    ("其他流动资产", (9_126, 8_533)),
    ("长期股权投资", (38_646, 34_118)),
    ("固定资产", (NET_FIXED, sum(a - d for a, _, _, d, _, _ in FIXED.values()))),
    ("在建工程", (94_516, 68_415)),
    ("无形资产", (118_862, 121_507)),
    ("商誉", (14_236, 19_436)),
    ("递延所得税资产", (8_917, 7_604)),
)
DEBTS = (
    ("短期借款", (138_600, 142_350)),
    ("应付账款", (84_217, 91_066)),
    ("合同负债", (27_944, 25_318)),
    ("应付职工薪酬", (14_806, 13_922)),
    ("应交税费", (9_350, 8_117)),
    ("一年内到期的非流动负债", (61_240, 55_890)),
    ("长期借款", (356_900, 345_410)),
    ("应付债券", (60_000, 60_000)),
    ("递延收益", (22_318, 20_906)),
)
TOTAL_ASSETS = tuple(sum(v[y] for _, v in ASSETS) for y in (0, 1))
TOTAL_DEBTS = tuple(sum(v[y] for _, v in DEBTS) for y in (0, 1))
CAPITAL = (("股本", (92_480, 92_480)), ("资本公积", (118_207, 118_207)), ("盈余公积", (31_466, 27_830)))
MINOR_EQUITY = (41_228, 36_705)
RETAINED = tuple(TOTAL_ASSETS[y] - TOTAL_DEBTS[y] - sum(v[y] for _, v in CAPITAL) - MINOR_EQUITY[y] for y in (0, 1))
EQUITY = tuple(TOTAL_ASSETS[y] - TOTAL_DEBTS[y] for y in (0, 1))


def _balance() -> Rows:
    lines = [*ASSETS, ("资产总计", TOTAL_ASSETS), *DEBTS, ("负债合计", TOTAL_DEBTS), *CAPITAL, ("未分配利润", RETAINED)]
    lines += [("少数股东权益", MINOR_EQUITY), ("股东权益合计", EQUITY)]
    lines.append(("负债和股东权益总计", tuple(TOTAL_DEBTS[y] + EQUITY[y] for y in (0, 1))))
    return _two_years(lines, ("2024 年末", "2023 年末"))


def _segments() -> Rows:
    rows = [["分部", "2024 年收入", "2023 年收入", "收入变动", "2024 年成本", "2024 年毛利率", "2023 年毛利率"]]
    for s in SEGMENTS:
        margins = [f"{100 * (1 - COSTS[s][y] / SALES[s][y]):.1f} %" for y in (0, 1)]
        rows.append([s, money(SALES[s][0]), money(SALES[s][1]), _change(*SALES[s]), money(COSTS[s][0]), *margins])
    margins = [f"{100 * (1 - COST[y] / TURNOVER[y]):.1f} %" for y in (0, 1)]
    return [*rows, ["合计", money(TURNOVER[0]), money(TURNOVER[1]), _change(*TURNOVER), money(COST[0]), *margins]]


def _quarters() -> Rows:
    rows = [["分部", "第一季度", "第二季度", "第三季度", "第四季度", "全年"]]
    rows += [[s, *(money(q) for q in REVENUE[s][0]), money(SALES[s][0])] for s in SEGMENTS]
    sums = [sum(REVENUE[s][0][q] for s in SEGMENTS) for q in range(4)]
    return [*rows, ["合计", *(money(q) for q in sums), money(TURNOVER[0])]]


def _regions() -> Rows:
    draw = random.Random(24)
    rows, sums = [["分部", *REGIONS, "合计"]], [0] * len(REGIONS)
    for s in SEGMENTS:
        shares = [draw.uniform(low, high) for low, high in ((0.45, 0.6), (0.12, 0.2), (0.08, 0.14), (0.05, 0.1))]
        parts = [round(SALES[s][0] * share) for share in shares]
        parts.append(SALES[s][0] - sum(parts))
        rows.append([s, *(money(p) for p in parts), money(SALES[s][0])])
        sums = [a + b for a, b in zip(sums, parts, strict=True)]
    return [*rows, ["合计", *(money(x) for x in sums), money(sum(sums))]]


def _aging() -> Rows:
    rows = [["账龄", "账面余额", "计提比例", "坏账准备", "账面价值"]]
    for name, gross, share in AGING:
        bad = round(gross * share)
        rows.append([name, money(gross), f"{share:.0%}".replace("%", " %"), money(bad), money(gross - bad)])
    gross = sum(g for _, g, _ in AGING)
    return [*rows, ["合计", money(gross), "", money(gross - RECEIVABLE), money(RECEIVABLE)]]


def _fixed() -> Rows:
    head = [
        "类别",
        "期初原值",
        "本期增加",
        "本期减少",
        "期末原值",
        "期初折旧",
        "本期计提",
        "本期转出",
        "期末折旧",
        "期末净值",
    ]
    rows, sums = [head], [0] * 9
    for name, (a, b, c, d, e, f) in FIXED.items():
        cells = [a, b, c, a + b - c, d, e, f, d + e - f, a + b - c - d - e + f]
        rows.append([name, *(money(x) for x in cells)])
        sums = [x + y for x, y in zip(sums, cells, strict=True)]
    return [*rows, ["合计", *(money(x) for x in sums)]]


NAMES = "云塘 白沙 青溪 望城 临港 石桥 东平 南浦 柳泉 金渡 安宁 长河 丰山 岱岭 汇川 宁江"
NAMES += " 双溪 高桥 永宁 嘉禾 梅岭 清泉 碧川 太平 兴隆 玉泉 星渚 黛河 澄江 鹤鸣 松风 云岭"
PLACES, MORE = NAMES.split()[:16], NAMES.split()[16:]
KINDS = (("水务", 1.0), ("热力", 1.0), ("环保装备", 0.5), ("物流", 0.4), ("检测", 0.1))


def _subsidiaries() -> Rows:
    draw = random.Random(62)
    rows = [["公司", "主要业务", "注册资本", "持股比例", "总资产", "营业收入", "净利润"]]
    for at, place in enumerate((*PLACES, *MORE)):
        kind = (at * 3 + at // 16) % 5
        name, size = KINDS[kind]
        capital = round(size * draw.choice((3_000, 5_000, 8_000, 12_000, 20_000, 32_000)))
        share = draw.choice((100, 100, 100, 80, 70, 65, 51))
        assets = round(capital * draw.uniform(1.6, 4.2))
        sales = round(assets * draw.uniform(0.2, 0.6))
        profit = round(sales * draw.uniform(-0.05, 0.14))
        cells = [f"{capital:,}", f"{share} %", f"{assets:,}", f"{sales:,}", money(profit)]
        rows.append([f"{place}{name}公司", SEGMENTS[kind], *cells])
    return rows


def _plants() -> Rows:
    draw = random.Random(35)
    rows = [
        ["厂名", "设计规模（万吨/日）", "平均日处理量（万吨）", "负荷率", "出水标准", "单价（元/吨）", "特许经营到期"]
    ]
    for at, place in enumerate(PLACES):
        size = draw.choice((2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 15.0))
        flow = round(size * draw.uniform(0.68, 1.04), 2)
        price = round(draw.uniform(1.38, 3.26), 2)
        kind = draw.choice(("一级 A", "一级 A", "准四类"))
        rows.append(
            [f"{place}污水厂", f"{size:.1f}", f"{flow:.2f}", f"{100 * flow / size:.1f} %", kind, f"{price:.2f}"]
        )
        rows[-1].append(f"{2031 + (at * 7) % 19} 年 {1 + (at * 5) % 12} 月")
    return rows


PROJECTS = (
    ("云塘污水厂三期", 42_600, 18_320, 9_415, 0),
    ("临港热电机组替换", 68_900, 21_744, 16_208, 4_130),
    ("管网漏损治理", 35_200, 9_866, 12_570, 14_902),
    ("智慧水务平台", 6_800, 2_115, 1_640, 0),
    ("临港物流园二期", 28_400, 7_038, 8_224, 6_615),
    ("青溪再生水厂", 19_700, 5_290, 7_733, 0),
    ("岱岭检测实验室", 8_300, 1_042, 3_916, 4_958),
    ("装备公司智能焊接线", 5_600, 3_000, 1_905, 4_905),
)


def _projects() -> Rows:
    rows = [["工程", "预算", "期初余额", "本期增加", "转入固定资产", "期末余额", "累计投入占预算"]]
    sums = [0, 0, 0, 0, 0]
    for name, budget, start, added, moved in PROJECTS:
        cells = [budget, start, added, moved, start + added - moved]
        rows.append([name, *(money(c) for c in cells), f"{100 * (start + added) / budget:.1f} %"])
        sums = [x + y for x, y in zip(sums, cells, strict=True)]
    return [*rows, ["合计", *(money(c) for c in sums), ""]]


PEOPLE = (
    ("贺一舟", "董事长", 10, 10, 0, 168.0),
    ("岑若安", "董事、总经理", 10, 10, 0, 155.5),
    ("翟明", "董事、财务总监", 10, 9, 1, 121.0),
    ("路承", "董事", 10, 8, 2, 0.0),
    ("薛映秋", "董事", 10, 9, 1, 0.0),
    ("傅国祯", "职工董事", 10, 10, 0, 64.2),
    ("温以宁", "独立董事", 10, 10, 0, 15.0),
    ("戚振华", "独立董事", 10, 7, 3, 15.0),
    ("顾言蹊", "独立董事", 6, 6, 0, 8.8),
)


def _companies() -> str:
    """Return a paragraph about each subsidiary."""
    draw = random.Random(832)
    said = []
    for name, segment, _, _, _, sales, _ in _subsidiaries()[1:]:
        staff, one = draw.randrange(38, 460), draw.uniform(12, 47)
        matter = draw.choice(MATTERS).format(
            a=draw.randrange(120, 2_900), b=draw.randrange(2, 12), c=draw.uniform(1, 9)
        )
        said.append(
            f"**{name}**：从事{segment}业务，年末员工 {staff} 人，全年营业收入 {sales} 万元，"
            f"第一大客户占 {one:.1f} %。{matter}"
        )
    return "\n\n".join(said)


MATTERS = (
    "{b} 月完成设备大修，支出 {a:,} 万元，检修期间由邻近公司代为供应，未影响合同履行。",
    "与主要客户的合同在 2025 年 {b} 月到期，续约谈判正在进行，涉及年收入约 {a:,} 万元。",
    "当地主管部门 {b} 月起对其实施新的排放限值，达标改造预算 {a:,} 万元，由自有资金解决。",
    "报告期内应收款回收 {a:,} 万元，年末逾期比例为 {c:.1f} %，较上年末下降。",
    "{b} 月取得高新技术企业证书，所得税率降为 15 %，当年减少税费 {a:,} 万元。",
    "收到技术改造补助 {a:,} 万元，计入递延收益，按 {b} 年分期结转。",
    "客户提前终止一份服务合同，支付补偿 {a:,} 万元，空出的产能于 {b} 月租给同行。",
    "因暴雨停产 {b} 天，直接损失 {a:,} 万元，其中保险赔付约 {c:.1f} 成。",
)
BANKS = ("江南银行", "海州商业银行", "华川银行", "岭南开发银行", "泽州农商行", "云衡财务公司")


def _quarterly() -> Rows:
    """Return the sales of every subsidiary by quarter."""
    draw = random.Random(4)
    rows = [["公司", "第一季度", "第二季度", "第三季度", "第四季度", "全年收入"]]
    for name, *_, sales, _ in _subsidiaries()[1:]:
        whole = int(sales.replace(",", ""))
        parts = [round(whole * draw.uniform(0.2, 0.27)) for _ in range(3)]
        rows.append([name, *(money(x) for x in (*parts, whole - sum(parts))), sales])
    return rows


def _loans() -> Rows:
    draw = random.Random(3569)
    rows = [["借款编号", "贷款人", "余额（万元）", "年利率", "利率方式", "到期", "担保方式"]]
    long, left = dict(DEBTS)["长期借款"][0], 24
    while left:
        amount = long if left == 1 else round(long / left * draw.uniform(0.5, 1.4) / 100) * 100
        long, left = long - amount, left - 1
        way = draw.choice(("浮动", "浮动", "固定"))
        due = f"{draw.randrange(2026, 2040)} 年 {draw.randrange(1, 13)} 月"
        back = draw.choice(("信用", "收费权质押", "母公司保证", "房地产抵押"))
        rows.append(
            [f"L{24 - left:02d}", draw.choice(BANKS), f"{amount:,}", f"{draw.uniform(3.1, 4.4):.2f} %", way, due, back]
        )
    return rows


TABLES: dict[str, Rows] = {
    "income": _income(),
    "balance": _balance(),
    "cash": _cash(),
    "segments": _segments(),
    "quarters": _quarters(),
    "regions": _regions(),
    "aging": _aging(),
    "fixed": _fixed(),
    "subsidiaries": _subsidiaries(),
    "plants": _plants(),
    "projects": _projects(),
    "loans": _loans(),
    "quarterly": _quarterly(),
    "people": [
        ["姓名", "职务", "应出席（次）", "亲自出席（次）", "委托出席（次）", "税前报酬（万元）"],
        *[[name, job, str(a), str(b), str(c), f"{pay:.1f}"] for name, job, a, b, c, pay in PEOPLE],
    ],
}
TABLES.update(runpy.run_path(str(Path(__file__).with_name("made_notes.py")))["notes"](globals()))
TEXTS: dict[str, str] = {
    "companies": _companies(),
    "year": f"报告期内，集团实现营业收入 {money(TURNOVER[0])} 万元，比上年增长 {_change(*TURNOVER)}；"
    f"归属于母公司股东的净利润 {money(PARENT[0])} 万元，上年为 {money(PARENT[1])} 万元；"
    f"经营活动产生的现金流量净额 {money(NET['经营活动'][0])} 万元。年末资产负债率为 "
    f"{100 * TOTAL_DEBTS[0] / TOTAL_ASSETS[0]:.1f} %。",
}
assert sum(int(row[2].replace(",", "")) for row in TABLES["loans"][1:]) == dict(DEBTS)["长期借款"][0]
# The statements balance and the notes agree with them.
assert tuple(TOTAL_DEBTS[y] + EQUITY[y] for y in (0, 1)) == TOTAL_ASSETS
DIVIDEND = 23_120
assert PARENT[0] - DIVIDEND == RETAINED[0] - RETAINED[1] + CAPITAL[2][1][0] - CAPITAL[2][1][1]
assert sum(start + added - moved for _, _, start, added, moved in PROJECTS) == dict(ASSETS)["在建工程"][0]
assert all(int(row[6].replace(",", "")) == SALES[row[0]][0] for row in TABLES["regions"][1:-1])
# What requests.yaml says about these tables.
LOSSES = [row[6] for row in TABLES["subsidiaries"] if row[6].startswith("(")]
assert (len(LOSSES), sum(int(loss.strip("()").replace(",", "")) for loss in LOSSES)) == (7, 2_821)
assert round(sum(float(row[1]) for row in TABLES["plants"][1:]), 1) == 113.0
