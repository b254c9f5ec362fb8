"""Six daily logs of an invented parcel service: regular lines, and the lines of the incident, written by hand."""

# ruff: noqa: E501 (a row of a table stands on one line)

from __future__ import annotations

from random import Random

DAYS = ("2025-03-10", "2025-03-11", "2025-03-12", "2025-03-13", "2025-03-14", "2025-03-15")
HOSTS = {
    "gateway": ("gw-1", "gw-2", "gw-3"),
    "ledger": ("ledger-1", "ledger-2"),
    "planner": ("plan-1", "plan-2"),
    "notifier": ("note-1",),
    "labels": ("label-1", "label-2"),
}
BY_HAND = {
    "2025-03-10": (
        ("06:12:40", "labels", "label-2", "WARN", "printhead temperature 71 C, limit 65 C, throttled to 40 labels a minute"),
        ("14:05:09", "gateway", "gw-3", "INFO", "deploy 5.18.2 finished, previous 5.18.1 kept as fallback"),
        ("22:30:00", "ledger", "ledger-1", "INFO", "base backup finished, 412 GB in 94 minutes"),
    ),
    "2025-03-11": (
        ("09:41:17", "ledger", "ledger-1", "INFO", "secret archive-writer rotated by k.adeyemi, change CHG-8841"),
        ("09:55:02", "ledger", "ledger-2", "WARN", "archive of segment 00A7 refused: signature does not match, will retry"),
        ("16:20:33", "planner", "plan-2", "ERROR", "route solver gave up after 30 s for depot Tarn, 18 parcels left over"),
        ("23:10:48", "ledger", "ledger-2", "WARN", "archive queue 1,904 segments, oldest 13 h"),
    ),
    "2025-03-12": (
        ("01:47:26", "ledger", "ledger-2", "ERROR", "write refused: no space left on device, volume /wal at 100 percent"),
        ("01:47:31", "gateway", "gw-1", "ERROR", "POST /parcels 503, upstream ledger, first of series"),
        ("01:52:00", "notifier", "note-1", "INFO", "page sent to h.solberg, policy ledger-primary"),
        ("02:02:00", "notifier", "note-1", "WARN", "page not acknowledged, policy has no secondary, resent to h.solberg"),
        ("02:14:05", "notifier", "note-1", "INFO", "incident 2217 opened by r.castellan, severity 1"),
        ("02:31:50", "ledger", "ledger-2", "INFO", "r.castellan removed 96 GB of old base backups from /wal-spare"),
        ("02:49:12", "ledger", "ledger-2", "WARN", "failover to ledger-1 refused: replica lags 2,311 s, limit 300 s"),
        ("03:26:44", "ledger", "ledger-1", "INFO", "secret archive-writer set to version 14 by r.castellan, change CHG-8850"),
        ("03:58:19", "ledger", "ledger-2", "INFO", "archive queue empty, writes accepted"),
        ("04:02:30", "gateway", "gw-1", "INFO", "POST /parcels 201, series of errors ended after 27,318 failed requests"),
        ("07:15:00", "notifier", "note-1", "INFO", "incident 2217 closed by r.castellan"),
        ("11:38:21", "labels", "label-1", "WARN", "reprint of 2,046 labels asked for by depot Osk"),
    ),
    "2025-03-13": (
        ("08:00:02", "planner", "plan-1", "INFO", "feature flag night-consolidation switched off by l.marchetti"),
        ("13:44:54", "ledger", "ledger-1", "WARN", "duplicate parcel key WB-7730-1188 found by reconciliation, 61 in all"),
        ("17:09:36", "gateway", "gw-2", "ERROR", "certificate of partner Norrfrakt expires in 36 h"),
    ),
    "2025-03-14": (
        ("05:27:11", "notifier", "note-1", "ERROR", "SMS provider Telora answered 429, 3,870 messages queued"),
        ("06:40:25", "notifier", "note-1", "INFO", "SMS queue empty, delayed messages 3,870, longest delay 71 minutes"),
        ("15:00:00", "ledger", "ledger-2", "INFO", "volume /wal enlarged from 500 GB to 800 GB, change CHG-8863"),
        ("21:18:59", "gateway", "gw-2", "INFO", "certificate of partner Norrfrakt replaced, valid until 2027-03-14"),
    ),
    "2025-03-15": (
        ("03:00:00", "ledger", "ledger-1", "INFO", "failover exercise started by h.solberg"),
        ("03:00:47", "ledger", "ledger-1", "INFO", "failover exercise ended, ledger-1 writable after 47 s, 0 requests lost"),
        ("10:22:35", "planner", "plan-2", "WARN", "map tiles older than 90 days for region Vester"),
    ),
}  # fmt: skip


def line_of(random: Random, service: str) -> tuple[str, str]:
    """Return level and message of a regular line."""
    n = random.randrange
    if service == "gateway":
        code = random.choice((200, 200, 200, 201, 304, 404, 429))
        path = random.choice(("/parcels", "/labels", "/routes", "/tracking", "/quotes"))
        return (
            "WARN" if code == 429 else "INFO"
        ), f"GET {path}/WB-{n(1000, 9999)}-{n(1000, 9999)} {code} {n(4, 390)} ms"
    if service == "ledger":
        kind = n(3)
        if kind == 0:
            return "INFO", f"checkpoint complete, {n(200, 4000)} buffers, {n(2, 40)} s"
        if kind == 1:
            return "INFO", f"replica lag {n(1, 40)} s"
        return "WARN", f"slow statement {n(900, 4900)} ms on table {random.choice(('parcels', 'events', 'tariffs'))}"
    if service == "planner":
        depot = random.choice(("Osk", "Tarn", "Vester", "Lund", "Brae"))
        return "INFO", f"depot {depot}: {n(20, 260)} routes for {n(900, 9000)} parcels in {n(3, 28)} s"
    if service == "notifier":
        return "INFO", f"batch {n(100, 999)}: {n(50, 900)} e-mails, {n(10, 400)} SMS, {n(0, 9)} bounced"
    return "INFO", f"job {n(10000, 99999)}: {n(10, 900)} labels for depot {random.choice(('Osk', 'Tarn', 'Lund'))}"


def log_of(day: str) -> str:
    """Return the log of one day, sorted by time."""
    random = Random(f"waybridge {day}")
    lines = [
        f"{day}T{time}Z {service:<8} {host:<8} {level:<5} {said}" for time, service, host, level, said in BY_HAND[day]
    ]
    for _ in range(112):
        service = random.choice(("gateway",) * 4 + ("ledger",) * 2 + ("planner", "planner", "notifier", "labels"))
        seconds = random.randrange(86_400)
        if day == "2025-03-12" and 6400 < seconds < 14_600 and service in ("gateway", "ledger"):
            continue
        time = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        level, said = line_of(random, service)
        lines.append(f"{day}T{time}Z {service:<8} {random.choice(HOSTS[service]):<8} {level:<5} {said}")
    return "\n".join(sorted(lines))


ROSTER = [
    ["week", "from", "to", "service", "primary", "secondary", "telephone_primary"],
    ["10", "2025-03-03", "2025-03-10", "ledger", "m.oduya", "r.castellan", "555-0141"],
    ["10", "2025-03-03", "2025-03-10", "gateway", "l.marchetti", "j.brandt", "555-0162"],
    ["10", "2025-03-03", "2025-03-10", "planner", "s.wen", "l.marchetti", "555-0175"],
    ["11", "2025-03-10", "2025-03-17", "ledger", "k.adeyemi", "r.castellan", "555-0118"],
    ["11", "2025-03-10", "2025-03-17", "gateway", "j.brandt", "s.wen", "555-0133"],
    ["11", "2025-03-10", "2025-03-17", "planner", "l.marchetti", "m.oduya", "555-0162"],
    ["12", "2025-03-17", "2025-03-24", "ledger", "h.solberg", "m.oduya", "555-0190"],
    ["12", "2025-03-17", "2025-03-24", "gateway", "s.wen", "j.brandt", "555-0175"],
    ["12", "2025-03-17", "2025-03-24", "planner", "r.castellan", "l.marchetti", "555-0107"],
]
TEXTS = {f"log_{day[-2:]}": log_of(day) for day in DAYS}
TABLES = {"roster": ROSTER}
ERRORS = {day: sum(" ERROR " in line for line in log_of(day).splitlines()) for day in DAYS}

assert dict(zip(DAYS, (0, 1, 2, 1, 1, 0), strict=True)) == ERRORS
