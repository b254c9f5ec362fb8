"""Logs of the payment platform, with a schedule of who is on duty, and what the alarms of the month were."""

from __future__ import annotations

import random

Rows = list[list[str]]

SERVICES = ("pay-gateway", "order-core", "risk-engine", "ledger", "notify", "config-hub", "reconcile")
HOSTS = ("hz-a-011", "hz-a-017", "hz-b-004", "hz-b-022", "sz-c-009")
CODES = (
    ("E1021", "连接池耗尽", 0.10),
    ("E2040", "下游超时", 0.30),
    ("E2041", "下游返回 503", 0.15),
    ("E3310", "消息积压", 0.12),
    ("E4102", "证书将到期", 0.05),
    ("E5008", "主从延迟", 0.12),
    ("E6001", "磁盘使用率过高", 0.10),
    ("E7007", "签名校验失败", 0.06),
)
PEOPLE = ("郝思远", "洛冰", "翁立", "谈笑", "纪南", "宫羽", "龙岩松", "白鸽")


def _at(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _log(day: int, incident: dict[int, str]) -> str:
    draw = random.Random(f"2024-11-{day:02d}")
    lines = []
    for minute in sorted({*(draw.randrange(1440) for _ in range(150)), *incident}):
        second = draw.randrange(60)
        stamp = f"2024-11-{day:02d} {_at(minute)}:{second:02d}.{draw.randrange(1000):03d}"
        if minute in incident:
            lines.append(f"{stamp} {incident[minute]}")
            continue
        service, host = draw.choice(SERVICES), draw.choice(HOSTS)
        if draw.random() < 0.16:
            code, name, _ = draw.choices(CODES, [share for _, _, share in CODES])[0]
            took = draw.randrange(800, 9800)
            lines.append(
                f"{stamp} WARN  {service} {host} {code} {name} trace={draw.randrange(16**8):08x} cost={took}ms"
            )
        else:
            ok = draw.randrange(3, 240)
            volume = draw.randrange(800, 42_000)
            lines.append(
                f"{stamp} INFO  {service} {host} 每分钟请求 {volume:,} 平均 {ok}ms 错误 {draw.randrange(0, 4)}"
            )
    return "\n".join(lines) + "\n"


INCIDENTS: dict[int, dict[int, str]] = {
    11: {
        2: "ERROR risk-engine hz-a-011 规则包 r-2411.3 加载失败 校验和不一致，回退到 r-2411.2",
        9: "ERROR ledger hz-b-004 E5008 主从延迟 41s 超过阈值 15s",
        17: "WARN  ledger hz-b-004 只读流量切回主库 操作人 翁立",
        44: "INFO  ledger hz-b-004 主从延迟恢复 0.8s",
        640: "ERROR pay-gateway sz-c-009 E7007 签名校验失败 商户 M-70331 连续 216 次，已临时停用该商户公钥",
    },
    19: {
        861: "INFO  config-hub hz-a-017 发布 变更单 CHG-24117 限流参数 pay.quota 由 9000 改为 900 操作人 谈笑",
        864: "ERROR pay-gateway hz-a-011 限流触发 每秒拒绝 6,412 笔",
        866: "ERROR order-core hz-b-022 E2041 下游返回 503 比例 71.4%",
        872: "WARN  notify hz-a-017 告警电话已拨打 一线 纪南 未接",
        877: "WARN  notify hz-a-017 告警电话已拨打 二线 宫羽 已接",
        889: "INFO  config-hub hz-a-017 回滚 变更单 CHG-24117 操作人 宫羽",
        893: "INFO  pay-gateway hz-a-011 拒绝率恢复到 0.2%",
    },
    26: {
        203: "ERROR reconcile hz-b-022 E6001 磁盘使用率 97% 对账任务 RC-1126 中止",
        245: "INFO  reconcile hz-b-022 清理 /data/tmp 释放 412GB 操作人 龙岩松",
        252: "INFO  reconcile hz-b-022 对账任务 RC-1126 从断点 38% 继续",
        409: "INFO  reconcile hz-b-022 对账任务 RC-1126 完成 差异 17 笔 金额 23,608.40 元",
        1003: "WARN  config-hub hz-a-011 E4102 证书 api.hengsuan.example 剩余 13 天",
    },
}


def _duty() -> Rows:
    rows = [["日期", "班次", "一线", "二线", "备注"]]
    for day in range(1, 31):
        for part, shift in enumerate(("早", "晚")):
            a, b = PEOPLE[(day * 3 + part * 2) % 8], PEOPLE[(day * 5 + part * 3 + 1) % 8]
            b = PEOPLE[(PEOPLE.index(b) + 1) % 8] if a == b else b
            note = "大促保障" if day in {10, 11, 12} else ""
            if (day, shift) == (19, "早"):
                a, b, note = "纪南", "宫羽", "纪南替洛冰"
            rows.append([f"2024-11-{day:02d}", shift, a, b, note or ("节前封网" if day == 29 else "")])
    return rows


KNOWN = {
    75: ["2024-11-19 14:25", "pay-gateway", "E2041", "P1", "12", "28", "宫羽", "否"],
    101: ["2024-11-26 03:23", "reconcile", "E6001", "P2", "9", "49", "龙岩松", "否"],
}
"""Alarms of which the reviews and logs tell."""


def _alarms() -> Rows:
    draw = random.Random(3011)
    rows = [["告警编号", "时间", "服务", "代码", "级别", "确认用时（分）", "恢复用时（分）", "处理人", "是否误报"]]
    for at in range(1, 121):
        minute = round(at * 43_200 / 121) + draw.randrange(30)
        code, _, _ = draw.choices(CODES, [share for _, _, share in CODES])[0]
        when = f"2024-11-{1 + minute // 1440:02d} {_at(minute % 1440)}"
        level = draw.choices(("P1", "P2", "P3"), (1, 4, 8))[0]
        ack, fixed = draw.randrange(1, 25), draw.randrange(4, 180)
        false = "是" if draw.random() < 0.14 else "否"
        who = draw.choice(PEOPLE)
        drawn = [when, draw.choice(SERVICES), code, level, str(ack), str(ack + fixed), who, false]
        rows.append([f"A24-{at:04d}", *KNOWN.get(at, drawn)])
    return rows


TABLES: dict[str, Rows] = {"duty": _duty(), "alarms": _alarms()}
TEXTS: dict[str, str] = {f"log{day}": _log(day, INCIDENTS.get(day, {})) for day in (11, 19, 26, 28)}
# What requests.yaml says about these tables.
assert sum(row[8] == "是" for row in TABLES["alarms"][1:]) == 16
assert TEXTS["log28"].count("E2040") == 6
