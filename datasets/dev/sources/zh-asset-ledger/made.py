"""The asset ledger: machines, vehicles and instruments with depreciation, and what was counted, moved and scrapped."""

from __future__ import annotations

import random
from dataclasses import dataclass

Rows = list[list[str]]

# class letter, name, years of use, lowest and highest cost in yuan, names of things
CLASSES = (
    ("J", "机械设备", 10, 38_000, 1_260_000),
    ("D", "电气设备", 8, 12_000, 380_000),
    ("Y", "仪器仪表", 5, 6_500, 240_000),
    ("C", "车辆", 6, 78_000, 460_000),
    ("B", "办公设备", 3, 3_200, 28_000),
)
THINGS = {
    "J": (
        "数控车床",
        "卧式加工中心",
        "立式钻床",
        "液压机",
        "折弯机",
        "激光切割机",
        "喷砂机",
        "行车",
        "空压机",
        "真空泵",
        "焊接机器人",
    ),
    "D": ("变压器", "低压配电柜", "变频器柜", "充电桩", "柴油发电机", "不间断电源", "电容补偿柜"),
    "Y": ("三坐标测量机", "光谱仪", "硬度计", "粗糙度仪", "示波器", "超声探伤仪", "电子天平", "热像仪"),
    "C": ("叉车", "厢式货车", "通勤客车", "平板车", "洒水车"),
    "B": ("复印机", "投影机", "工作站", "服务器", "会议终端"),
}
SHOPS = ("一号车间", "二号车间", "三号车间", "热处理间", "计量室", "动力站", "研发楼")
PLACES = {
    "J": SHOPS[:4],
    "D": SHOPS[:6],
    "Y": SHOPS,
    "C": ("车队", "成品库", "原料库"),
    "B": ("办公楼", "研发楼", "计量室"),
}
REASONS = {
    "J": ("精度丧失", "主轴断裂", "能耗超标", "淘汰目录"),
    "D": ("能耗超标", "淘汰目录", "火灾受损", "绝缘老化"),
    "Y": ("精度丧失", "无备件", "检定不合格"),
    "C": ("达到使用年限", "排放不达标", "事故受损"),
    "B": ("无备件", "性能不足", "液体浸入"),
}
KEEPERS = ("祁连", "苏朝阳", "葛青", "闵行舟", "尹素", "贾同", "水清", "詹一鸣", "柴文")
STATES = ("在用", "在用", "在用", "在用", "在用", "闲置", "封存", "维修中")


@dataclass(frozen=True)
class Asset:
    """One line of the ledger; amounts in yuan."""

    number: str
    name: str
    kind: str
    model: str
    year: int
    month: int
    cost: int
    place: str
    keeper: str
    state: str
    years: int

    @property
    def depreciated(self) -> int:
        """Straight line, five per cent left over, from the month after it came to the end of 2024."""
        months = min((2024 - self.year) * 12 + 12 - self.month, self.years * 12)
        return round(self.cost * 0.95 * months / (self.years * 12))


def _assets() -> list[Asset]:
    draw = random.Random(2024)
    found = []
    for at in range(1, 301):
        letter, kind, years, low, high = CLASSES[draw.choices(range(5), (9, 6, 6, 3, 6))[0]]
        year = draw.randrange(2011, 2025)
        found.append(
            Asset(
                f"{letter}{year % 100:02d}-{at:04d}",
                draw.choice(THINGS[letter]),
                kind,
                f"{draw.choice('HKLMPRTX')}{draw.choice('ABDEG')}-{draw.randrange(100, 990, 5)}",
                year,
                draw.randrange(1, 13),
                round(draw.uniform(low, high) / 100) * 100,
                draw.choice(PLACES[letter]),
                draw.choice(KEEPERS),
                draw.choice(STATES),
                years,
            )
        )
    return found


ASSETS = _assets()


def _ledger() -> Rows:
    rows = [
        ["资产编号", "名称", "类别", "规格型号", "启用年月", "原值", "累计折旧", "净值", "存放地点", "保管人", "状态"]
    ]
    for a in ASSETS:
        when = f"{a.year}-{a.month:02d}"
        money = [f"{x:,}" for x in (a.cost, a.depreciated, a.cost - a.depreciated)]
        rows.append([a.number, a.name, a.kind, a.model, when, *money, a.place, a.keeper, a.state])
    return rows


def _count() -> Rows:
    draw = random.Random(1231)
    rows = [["盘点编号", "资产编号", "账面地点", "实际地点", "结果", "处理"]]
    for at, a in enumerate(draw.sample(ASSETS, 36), start=1):
        result = draw.choice(("地点不符", "地点不符", "标签脱落", "账外附件", "未见实物"))
        place = draw.choice([p for p in PLACES[a.number[0]] if p != a.place]) if result == "地点不符" else a.place
        done = {
            "地点不符": "补办调拨单",
            "标签脱落": "补贴标签",
            "账外附件": "并入主资产",
            "未见实物": "保管人说明后追查",
        }[result]
        rows.append([f"P{at:02d}", a.number, a.place, "无" if result == "未见实物" else place, result, done])
    return rows


def _scrapped() -> Rows:
    draw = random.Random(99)
    rows = [["报废单号", "名称", "原资产编号", "原值", "已提折旧", "残值收入", "报废原因", "批准日期"]]
    for at in range(1, 25):
        letter, _, _, low, high = draw.choice(CLASSES)
        cost = round(draw.uniform(low, high) / 100) * 100
        worn = round(cost * draw.uniform(0.8, 0.95))
        scrap = round(cost * draw.uniform(0.01, 0.06))
        why = draw.choice(REASONS[letter])
        number = f"{letter}{draw.randrange(4, 15):02d}-{draw.randrange(1000, 1999)}"
        day = f"2024-{draw.randrange(1, 13):02d}-{draw.randrange(1, 28):02d}"
        name = draw.choice(THINGS[letter])
        rows.append([f"BF24-{at:02d}", name, number, f"{cost:,}", f"{worn:,}", f"{scrap:,}", why, day])
    return rows


TABLES: dict[str, Rows] = {"ledger": _ledger(), "count": _count(), "scrapped": _scrapped()}
TEXTS: dict[str, str] = {}
# What requests.yaml says about these tables.
assert (sum(a.cost for a in ASSETS), sum(a.cost - a.depreciated for a in ASSETS)) == (85_040_700, 25_540_100)
SEALED = [a.cost - a.depreciated for a in ASSETS if a.state == "封存" and a.kind == "仪器仪表"]
assert (len(SEALED), sum(SEALED)) == (10, 124_289)
assert sum(int(row[5].replace(",", "")) for row in TABLES["scrapped"][1:]) == 230_057
