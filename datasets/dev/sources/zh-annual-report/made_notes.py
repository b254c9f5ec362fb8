"""More notes of the annual report, in ten thousand yuan; they are checked against the statements of ``made.py``."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

Rows = list[list[str]]
Lines = tuple[tuple[str, int, int], ...]


def money(value: float) -> str:
    """Return an amount as the report prints it: thousands parted, what is negative in brackets."""
    return f"({-value:,.0f})" if value < 0 else f"{value:,.0f}"


COSTS: dict[str, Lines] = {
    "税金及附加": (
        ("城市维护建设税", 1_486, 1_402),
        ("教育费附加", 1_062, 1_004),
        ("房产税", 1_538, 1_471),
        ("城镇土地使用税", 892, 888),
        ("资源税", 517, 534),
        ("印花税", 317, 305),
    ),
    "销售费用": (
        ("人员费用", 6_108, 6_335),
        ("售后服务费", 2_317, 2_640),
        ("差旅与招待费", 1_284, 1_406),
        ("投标与中介费", 986, 1_122),
        ("广告与展览费", 742, 731),
        ("折旧", 418, 402),
        ("其他销售费用", 591, 554),
    ),
    "管理费用": (
        ("人员费用", 17_920, 17_244),
        ("折旧与摊销", 4_806, 4_712),
        ("修理费", 1_935, 1_880),
        ("信息化费用", 1_488, 1_195),
        ("物业与短期租赁", 1_376, 1_158),
        ("咨询与审计费", 1_214, 1_083),
        ("差旅与会议费", 842, 1_016),
        ("党建与工会经费", 603, 588),
        ("其他管理费用", 1_686, 1_779),
    ),
    "研发费用": (
        ("人员费用", 7_846, 7_120),
        ("材料与燃料", 3_517, 2_934),
        ("试验与检测", 1_608, 1_495),
        ("研发设备折旧", 926, 881),
        ("委托外部研发", 702, 540),
        ("其他研发费用", 333, 317),
    ),
    "财务费用": (
        ("利息支出", 23_868, 26_120),
        ("减：资本化的利息", -1_486, -1_702),
        ("减：利息收入", -1_842, -1_533),
        ("汇兑损益", -214, 318),
        ("手续费与其他", 1_058, 713),
    ),
}
TAX: Lines = (
    ("子公司适用不同税率的影响", -2_964, -2_310),
    ("以前年度所得税的调整", 186, 97),
    ("权益法投资收益的影响", -687, -588),
    ("不可抵扣的费用", 412, 366),
    ("减值不得抵扣的影响", 1_300, 311),
    ("研发费用加计扣除", -2_240, -1_993),
    ("未确认递延税的亏损", 1_498, 2_204),
)
# investee, share, opening, added, share of the result, dividends
ASSOCIATES = (
    ("岚港联营公司", "50 %", 8_420, 2_000, 1_106, 600),
    ("海州净水公司", "40 %", 9_736, 0, 842, 500),
    ("江南燃气热力公司", "30 %", 6_318, 0, 715, 420),
    ("泽州再生资源公司", "25 %", 4_204, 1_300, 286, 0),
    ("青溪水务投资公司", "49 %", 5_440, 0, -201, 0),
)
# kind, opening, added, written down
INTANGIBLE = (
    ("特许经营权", 98_214, 2_915, 5_814),
    ("土地使用权", 19_046, 640, 512),
    ("软件", 2_986, 812, 498),
    ("专利与专有技术", 1_261, 0, 188),
)
# project, opening, received, taken to other income, set off against assets
SUBSIDIES = (
    ("管网漏损治理", 4_210, 3_100, 186, 200),
    ("云塘污水厂三期", 3_680, 900, 212, 200),
    ("热电超低排放改造", 5_104, 0, 326, 700),
    ("智慧水务平台", 1_318, 612, 140, 100),
    ("冷库节能改造", 946, 300, 94, 60),
    ("检测设备更新", 768, 400, 122, 180),
    ("青溪再生水厂", 2_450, 0, 210, 400),
    ("其他项目", 2_430, 0, 280, 490),
)
# assets, debts, capital expenditure, depreciation of the segments, in their order
SEGMENT_FIGURES = (
    (512_640, 301_552, 36_420, 15_860),
    (386_215, 268_470, 24_318, 17_942),
    (148_930, 96_318, 6_180, 3_214),
    (162_408, 88_204, 16_905, 5_206),
    (41_866, 14_752, 4_792, 2_400),
)
COMMON = (58_214, 121_600, 0, 0)
GUARANTEES = (
    ("宁江水务公司", 9_500, "2029 年 6 月", "连带责任"),
    ("松风热力公司", 7_200, "2028 年 3 月", "连带责任"),
    ("梅岭热力公司", 6_000, "2027 年 11 月", "连带责任"),
    ("鹤鸣物流公司", 4_800, "2031 年 9 月", "房产抵押"),
    ("汇川环保装备公司", 4_300, "2026 年 12 月", "连带责任"),
    ("太平水务公司", 3_600, "2030 年 5 月", "收费权质押"),
    ("碧川环保装备公司", 1_900, "2025 年 10 月", "连带责任"),
    ("澄江水务公司", 1_200, "2027 年 4 月", "连带责任"),
)
HOLDERS = (
    ("江南省国有资产投资有限公司", "国有法人", 46.3),
    ("岭南养老基金", "其他", 5.1),
    ("海州港务集团", "国有法人", 3.4),
    ("华川稳健成长基金", "基金", 2.2),
    ("江南银行理财计划", "其他", 1.8),
    ("泽州城市建设投资公司", "国有法人", 1.5),
    ("社会保障组合 114", "其他", 1.1),
    ("仲景澄", "自然人", 0.7),
    ("星渚红利指数基金", "基金", 0.6),
    ("员工持股计划（2021 年）", "其他", 0.5),
)
DEBTORS = (
    ("东滩造纸", "环保装备", 4_085, "1 至 2 年", 409),
    ("江南电网公司", "热电联产", 3_918, "1 年以内", 118),
    ("云塘开发区管委会", "环保装备", 3_305, "1 年以内", 99),
    ("长洲化工", "热电联产", 2_764, "1 年以内", 83),
    ("海州港物流", "物流园区", 1_987, "1 至 2 年", 199),
)
MEETINGS = (
    ("2024-01-19", "通讯", "2024 年度投资计划；智慧水务平台二期立项"),
    ("2024-02-26", "通讯", "回购方案"),
    ("2024-04-17", "现场", "2023 年年度报告、利润分配、内部控制评价报告"),
    ("2024-04-26", "通讯", "2024 年第一季度报告"),
    ("2024-05-16", "现场", "选举专门委员会委员；高级管理人员的考核办法"),
    ("2024-07-18", "现场", "南浦事故的处理与停工整顿方案"),
    ("2024-08-22", "现场", "半年度报告；会计估计变更"),
    ("2024-09-30", "通讯", "临港热电机组替换工程的追加预算 3,200 万元"),
    ("2024-10-28", "通讯", "第三季度报告；承包商管理制度"),
    ("2024-12-20", "通讯", "2025 年预算；收购柳泉固废公司的意向"),
)
# what was made or sold in 2022, 2023, 2024
VOLUMES = (
    ("供水量", "万吨", 40_812, 42_356, 43_669),
    ("售水量", "万吨", 34_608, 36_638, 38_516),
    ("再生水销量", "万吨", 1_906, 2_214, 2_705),
    ("污水处理量", "万吨", 31_264, 31_591, 33_434),
    ("污泥处置量", "万吨", 20.6, 21.3, 22.1),
    ("居民供热面积", "万平方米", 1_684, 1_731, 1_798),
    ("工业蒸汽销量", "万吨", 362, 371, 384),
    ("厂用电率", "%", 8.9, 8.7, 8.4),
    ("污泥干化机交付", "台", 21, 24, 19),
    ("泵站成套设备交付", "套", 146, 152, 118),
    ("常温仓库可租面积", "万平方米", 38.2, 41.5, 44.1),
    ("冷库可租面积", "万平方米", 6.4, 7.2, 9.0),
    ("检测样品", "万件", 96.8, 112.5, 137.2),
)


def _two_years(lines: Lines, whole: str) -> Rows:
    rows = [["项目", "2024 年度", "2023 年度"], *[[name, money(new), money(old)] for name, new, old in lines]]
    return [*rows, [whole, *(money(sum(int(line[year]) for line in lines)) for year in (1, 2))]]


def _moved(head: list[str], lines: list[list[Any]], first: int) -> Rows:
    """Return a table of movements with its sums; cells from ``first`` on are amounts."""
    rows = [head, *[[money(c) if isinstance(c, int) else c for c in line] for line in lines]]
    sums = [sum(int(line[at]) for line in lines) for at in range(first, len(head))]
    return [*rows, ["合计", *[""] * (first - 1), *(money(value) for value in sums)]]


def _tax(before: tuple[int, int], tax: tuple[int, int]) -> Rows:
    base = [round(value * 0.25) for value in before]
    rest = [-tax[y] - base[y] - sum(int(line[y + 1]) for line in TAX) for y in (0, 1)]
    lines: Lines = (("按 25 % 计算的所得税", base[0], base[1]), *TAX, ("其他影响", rest[0], rest[1]))
    return _two_years(lines, "所得税费用（附注）")


def _segments(names: tuple[str, ...], assets: int, debts: int) -> Rows:
    rows = [["分部", "资产总额", "负债总额", "资本性支出", "折旧"]]
    figures = [*SEGMENT_FIGURES, COMMON]
    rows += [[name, *(money(c) for c in cells)] for name, cells in zip((*names, "未分配"), figures, strict=True)]
    sums = [sum(cells[at] for cells in figures) for at in range(4)]
    rows.append(["抵销", money(assets - sums[0]), money(debts - sums[1]), "0", "0"])
    return [*rows, ["合计", money(assets), money(debts), money(sums[2]), money(sums[3])]]


def _last_year(subsidiaries: Rows) -> Rows:
    """Return sales, results and debts of the subsidiaries in the year before."""
    draw = random.Random(2023)
    rows = [["公司", "2023 年收入", "2023 年净利润", "2023 年末总资产", "2023 年末负债率"]]
    for name, _, _, _, assets, sales, profit in subsidiaries[1:]:
        sold = round(int(sales.replace(",", "")) * draw.uniform(0.88, 1.07))
        lost = profit.startswith("(") and draw.random() < 0.4
        lost = lost or name.startswith("宁江") or draw.random() < 0.08
        earned = round(sold * draw.uniform(0.005, 0.11) * (-0.4 if lost else 1))
        owned = round(int(assets.replace(",", "")) * draw.uniform(0.9, 1.04))
        rows.append([name, money(sold), money(earned), money(owned), f"{draw.uniform(31, 76):.1f} %"])
    return rows


def _plants(plants: Rows) -> Rows:
    """Return how the sewage works ran in the year before."""
    draw = random.Random(1923)
    rows = [
        ["厂名", "2023 年日均水量（万吨）", "进水 COD（mg/L）", "出水 COD（mg/L）", "吨水电耗（kWh）", "污泥含水率"]
    ]
    for name, size, flow, *_ in plants[1:]:
        before = min(float(flow) * draw.uniform(0.9, 1.02), float(size) * 0.985)
        cells = [f"{before:.2f}", str(draw.randrange(170, 390)), str(draw.randrange(16, 41))]
        rows.append([name, *cells, f"{draw.uniform(0.24, 0.47):.3f}", f"{draw.uniform(58, 79):.1f} %"])
    return rows


def _short_loans(whole: int, banks: tuple[str, ...]) -> Rows:
    draw = random.Random(138)
    rows, left = [["借款编号", "贷款人", "余额（万元）", "年利率", "到期", "担保方式"]], 14
    while left:
        amount = whole if left == 1 else round(whole / left * draw.uniform(0.6, 1.4) / 100) * 100
        whole, left = whole - amount, left - 1
        back = draw.choice(("信用", "信用", "母公司保证"))
        cells = [f"{draw.uniform(2.7, 3.6):.2f} %", f"2025 年 {draw.randrange(1, 13)} 月", back]
        rows.append([f"D{14 - left:02d}", draw.choice(banks), money(amount), *cells])
    return rows


def _quarters(revenue: Mapping[str, Any]) -> Rows:
    rows = [["分部", "第一季度", "第二季度", "第三季度", "第四季度", "全年（2023）"]]
    rows += [[name, *(money(q) for q in old), money(sum(old))] for name, (_, old, _) in revenue.items()]
    sums = [sum(old[q] for _, old, _ in revenue.values()) for q in range(4)]
    return [*rows, ["合计", *(money(q) for q in sums), money(sum(sums))]]


def notes(made: Mapping[str, Any]) -> dict[str, Rows]:
    """Return the tables of the further notes; ``made`` holds the names of ``made.py``."""
    lines, assets, debts = dict(made["OTHER_LINES"]), dict(made["ASSETS"]), dict(made["DEBTS"])
    for name, parts in COSTS.items():
        assert tuple(-sum(int(part[y]) for part in parts) for y in (1, 2)) == lines[name], name
    associates: list[list[Any]] = [[*line, line[2] + line[3] + line[4] - line[5]] for line in ASSOCIATES]
    intangible: list[list[Any]] = [[*line, line[1] + line[2] - line[3]] for line in INTANGIBLE]
    subsidies: list[list[Any]] = [[*line, line[1] + line[2] - line[3] - line[4]] for line in SUBSIDIES]
    for name, found, start in (("长期股权投资", associates, 2), ("无形资产", intangible, 1)):
        assert tuple(sum(int(line[at]) for line in found) for at in (-1, start)) == assets[name]
    assert tuple(sum(int(line[at]) for line in subsidies) for at in (-1, 1)) == debts["递延收益"]
    assert sum(line[1] for line in GUARANTEES) == 38_500
    assert sum(cells[3] for cells in SEGMENT_FIGURES) == sum(line[4] for line in made["FIXED"].values())
    flows = [(sum(float(row[2]) for row in made["TABLES"]["plants"][1:]), 366)]
    plants = _plants(made["TABLES"]["plants"])
    flows.append((sum(float(row[1]) for row in plants[1:]), 365))
    treated = next(line for line in VOLUMES if line[0] == "污水处理量")
    assert [round(flow * days) for flow, days in flows] == [treated[4], treated[3]]
    moved = ["期初余额", "本期增加"]
    holders = [
        [str(at), *line[:2], f"{made['CAPITAL'][0][1][0] * line[2] / 100:,.0f}", f"{line[2]:.1f} %"]
        for at, line in enumerate(HOLDERS, start=1)
    ]
    return {
        **{f"costs{at}": _two_years(parts, f"{name}合计") for at, (name, parts) in enumerate(COSTS.items(), start=1)},
        "tax": _tax(made["BEFORE_TAX"], made["TAX"]),
        "associates": _moved(["被投资单位", "持股", *moved, "权益法损益", "现金股利", "期末余额"], associates, 2),
        "intangible": _moved(["类别", *moved, "本期摊销", "期末余额"], intangible, 1),
        "subsidies": _moved(["项目", "期初余额", "本期收到", "计入其他收益", "冲减资产", "期末余额"], subsidies, 1),
        "segmentassets": _segments(made["SEGMENTS"], made["TOTAL_ASSETS"][0], made["TOTAL_DEBTS"][0]),
        "lastyear": _last_year(made["TABLES"]["subsidiaries"]),
        "plants2023": plants,
        "shortloans": _short_loans(debts["短期借款"][0], made["BANKS"]),
        "quarters2023": _quarters(made["REVENUE"]),
        "guarantees": [
            ["被担保公司", "担保余额", "到期", "方式"],
            *[[name, money(amount), due, how] for name, amount, due, how in GUARANTEES],
        ],
        "holders": [["名次", "股东", "性质", "持股数（万股）", "比例"], *holders],
        "debtors": [
            ["客户", "分部", "账面余额", "账龄", "坏账准备"],
            *[[who, where, money(gross), age, money(bad)] for who, where, gross, age, bad in DEBTORS],
        ],
        "meetings": [["日期", "方式", "主要议题"], *[list(line) for line in MEETINGS]],
        "volumes": [
            ["项目", "单位", "2022 年", "2023 年", "2024 年"],
            *[[name, unit, *(f"{value:,}" for value in values)] for name, unit, *values in VOLUMES],
        ],
    }
