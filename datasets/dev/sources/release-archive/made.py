"""Known issues of the release archive."""

# ruff: noqa: E501 (a row of facts reads best as one line)

from __future__ import annotations

import random

RANDOM = random.Random(41)
PARTS = ("console", "storage", "replication", "plug-ins", "clients", "directory", "quotas", "object store")
WHAT = {
    "console": ("graph empty after midnight", "filter forgets its setting", "page of queues slow", "export has no header", "wrong unit for bytes"),
    "storage": ("compaction late under load", "segment file handle kept open", "checksum counted twice", "slow start after power loss", "sparse files copied in full"),
    "replication": ("lag shown as negative", "retry too eager", "peer name not checked", "batch stops at odd size", "counter reset at restart"),
    "plug-ins": ("output cut at 8 KiB", "exit code ignored", "environment not passed on", "start order not kept", "second copy after reload"),
    "clients": ("reconnect without pause", "header order changes", "time-out in wrong unit", "empty message refused", "certificate path with spaces"),
    "directory": ("nested groups ignored", "cache kept too long", "umlaut in group name", "referral not followed", "time-out blocks log-in"),
    "quotas": ("rounding up to one segment", "alarm repeated each minute", "burst counted late", "zero means none", "tenant name cut at 32 letters"),
    "object store": ("list request too frequent", "region not read from file", "cache not trimmed", "upload not resumed", "proxy setting ignored"),
}  # fmt: skip
RELEASES = ("3.0", "3.1", "3.2", "3.3", "3.4", "4.0", "4.1")
SEVERITIES = ("low", "low", "medium", "medium", "high")


def issues() -> list[list[str]]:
    rows = [["issue", "component", "summary", "severity", "found_in", "fixed_in", "reports", "workaround"]]
    number = 1471
    for round_ in range(5):
        for part in PARTS:
            number += RANDOM.randrange(1, 6)
            found = RANDOM.choice(RELEASES if part != "object store" else RELEASES[5:])
            fixed = RANDOM.choice(("", "", "4.2 (planned)", "4.1.1"))
            workaround = RANDOM.choice(
                ("none", "restart the node", "see the console help", "set by hand", "wait for the next run")
            )
            severity = RANDOM.choice(SEVERITIES)
            rows.append(
                [
                    f"TG-{number}",
                    part,
                    WHAT[part][round_],
                    severity,
                    found,
                    fixed,
                    str(RANDOM.randrange(1, 60)),
                    workaround,
                ]
            )
    return rows


SETTINGS = {
    "node": (
        (
            "name",
            "Name of the node in the cluster. It may have up to 24 letters and must not change later, since segments bear it",
        ),
        (
            "data",
            "Folder of the segments. It must lie on a disk that syncs writes; network shares are refused since 3.2",
        ),
        ("admin_port", "Port for operators. Only addresses of the list `admin_from` get an answer there"),
        ("client_port", "Port for clients. A second one for tests is opened with `client_port_extra`"),
        ("allow_tgp1", "Whether old clients may connect. Each such connection is written to the log once an hour"),
        (
            "min_free_percent",
            "Share of the disk below which a node refuses to start. A running node stops taking messages at half of it",
        ),
    ),
    "queues": (
        ("segment_mib", "Size of a segment. Smaller ones are deleted sooner, larger ones are read faster"),
        ("time_to_live_days", "After this time a message expires. A queue may have a shorter time, never a longer one"),
        ("max_consumers", "How many consumers share a queue. One more gets answer 429 and should wait a minute"),
        ("expire_silently", "Whether expired messages are dropped without a trace instead of becoming dead letters"),
        (
            "max_message_mib",
            "Largest message. Above 16 the memory of the node must be raised by twice the difference for each client",
        ),
        ("delay_max_days", "Longest delay. Delayed messages count in quotas since 4.0"),
    ),
    "plugins": (
        ("directory", "Where plug-ins lie. Files that belong to another user than the gateway are not loaded"),
        ("timeout_ms", "After this time a plug-in is stopped and its message is passed on unchanged"),
        ("max_processes", "How many processes of plug-ins run at once. Further messages wait, at most 2 seconds"),
    ),
    "replication": (
        ("mode", "Either off, one-way or both. A change needs a restart of all nodes within ten minutes"),
        ("peer", "Address of the other site. It is resolved again every 90 seconds"),
        ("batch", "Messages sent at once. On lines slower than 20 Mbit/s use 500"),
        ("retry_seconds", "Pause after a failure. It doubles up to eight minutes"),
    ),
    "object_store": (
        ("enabled", "Whether old segments move to an object store. It cannot be switched off while segments lie there"),
        ("move_after_minutes", "Age at which a segment moves. Below 20 the same segment may be read back at once"),
        ("cache_mib", "Memory for segments that were read back. Each queue that is read at the same time needs 16"),
        (
            "encrypt_per_tenant",
            "Whether each tenant has a key of its own. Keys are changed with `tidegate rekey`, which takes a day for 10 TiB",
        ),
    ),
    "quotas": (
        ("default_messages_per_second", "Limit for tenants without one of their own. Zero means no limit"),
        ("default_disk_gib", "As above, for disk. Dead letters count, but only by half"),
    ),
    "log": (
        (
            "level",
            "One of error, warn, info and debug. Debug writes bodies of messages and is forbidden on production nodes",
        ),
        ("rotate_mib", "A new file begins at this size or at midnight"),
        ("keep_files", "Older files are deleted. Audit entries are in files of their own and are kept for 400 days"),
    ),
    "console": (
        ("enabled", "Whether the console runs. It needs about 300 MiB"),
        ("history_hours", "Length of the graphs. Each hour more costs 2 MiB for a hundred queues"),
        (
            "session_minutes",
            "After this time without a click the console logs off. Auditors stay logged in for twice as long",
        ),
    ),
}


def settings() -> str:
    parts = []
    for section, entries in SETTINGS.items():
        parts.append(f"## Section {section}")
        parts += [f"**{name}.** {said}." for name, said in entries]
    return "\n\n".join(parts)


ANSWERS = (
    ("200", "taken", "-", "the message is on disk of one node"), ("202", "taken by two", "-", "the message is on disk of two nodes"),
    ("204", "empty", "5 s", "the queue holds nothing for this consumer"), ("301", "moved", "0 s", "the tenant lives on another cluster"),
    ("400", "cannot be read", "never", "wrong length or header"), ("401", "who are you", "never", "no or wrong token"),
    ("403", "not allowed", "never", "the rule does not name the group"), ("404", "no such queue", "30 s", "queues appear within half a minute"),
    ("408", "too slow", "1 s", "the body did not arrive within 20 s"), ("409", "in use", "10 s", "another consumer has the transaction"),
    ("411", "no length", "never", "a body needs its length"), ("413", "too large", "never", "above max_message_mib"),
    ("415", "wrong schema version", "never", "the queue has a newer schema"), ("422", "does not fit the schema", "never", "becomes a dead letter"),
    ("423", "held", "never", "the queue is under legal hold"), ("426", "old protocol", "never", "TGP/1 is switched off"),
    ("429", "too many", "60 s", "consumers or quota"), ("431", "headers too large", "never", "above 32 KiB in all"),
    ("440", "transaction expired", "0 s", "begin again; limit of 15 minutes"), ("451", "key withdrawn", "never", "the tenant's key was destroyed"),
    ("500", "fault", "2 s", "see the log under the request number"), ("502", "plug-in failed", "2 s", "message was passed on unchanged"),
    ("503", "not ready", "15 s", "index or metadata are being built"), ("504", "peer silent", "45 s", "two-site mode only"),
    ("507", "disk full", "300 s", "below half of min_free_percent"), ("509", "object store slow", "20 s", "read from cache failed"),
    ("520", "clock differs", "never", "by more than 90 seconds"), ("530", "leader is changing", "3 s", "at most nine seconds in all"),
)  # fmt: skip

MORE = random.Random(4100)
LATER = {
    "console": ("names of tenants in upper case", "time zone of the browser ignored", "log-off loses the search", "two tabs mix their lists", "print view cuts columns", "colours alike for the colour-blind", "help opens in the wrong language"),
    "storage": ("second disk not used", "warning at 80 % comes twice", "empty segments kept", "index rebuilt after copy", "sync slow on encrypted disks", "verify stops at a broken link", "deleted queue counted until restart"),
    "replication": ("filter ignores case", "peer tried at old address", "header x-origin missing for copies", "pause not shown", "certificate of peer read once", "both sites compact at once", "lag jumps after a leap second"),
    "plug-ins": ("memory limit in wrong unit", "signature checked late", "reload forgets order", "time of pause not kept", "header rewritten twice", "version 1 without warning", "test mode writes to queue"),
    "clients": ("error text not translated", "old library sends no length", "batch of one refused", "ping each second", "token renewed too late", "compression off for small messages", "close waits for 20 s"),
    "directory": ("group with slash ignored", "second server not tried", "empty group allows all", "page of 1,000 users", "password with colon", "log-in slow over satellite", "alias shown twice"),
    "quotas": ("dead letters counted in full", "moved tenant keeps old limit", "unit of alarm missing", "limit of zero after import", "day begins in local time", "advise ignores Sundays", "delayed messages counted early"),
    "object store": ("key with plus sign", "bucket in capital letters", "move window crosses midnight", "cache warm-up too long", "rekey stops at 10,000 objects", "list of tenants stale", "checksum header missing"),
}  # fmt: skip


def later_issues() -> list[list[str]]:
    """Issues reported since the first list was made."""
    rows = []
    number = 1600
    for round_ in range(7):
        for part in PARTS:
            number += MORE.randrange(1, 5)
            found = MORE.choice(RELEASES[2:] if part != "object store" else RELEASES[5:])
            fixed = MORE.choice(("", "", "", "4.2 (planned)", "4.1.1", "4.0.4"))
            severity = MORE.choice(("low", "low", "low", "medium", "medium", "medium", "high"))
            workaround = MORE.choice(
                ("none", "restart the client", "use the command line", "set by hand", "ask support")
            )
            rows.append(
                [
                    f"TG-{number}",
                    part,
                    LATER[part][round_],
                    severity,
                    found,
                    fixed,
                    str(MORE.randrange(1, 75)),
                    workaround,
                ]
            )
    return rows


COMMANDS = (
    ("advise", "proposes quotas from the metrics of a week", "4.1", "no"), ("check", "looks for what hinders an upgrade", "3.0", "no"), ("clean", "removes copies, temporary files and locks", "4.0.1", "no"),
    ("count", "counts messages by queue", "2.4", "no"), ("drain", "waits until all writers are gone", "2.6", "stop"), ("export", "writes a queue to a file", "3.1", "no"), ("import", "reads such a file; numbers are given anew", "3.1", "no"),
    ("leader", "shows or changes the leader", "3.0", "no"), ("move", "moves a tenant to another cluster", "4.0", "no"), ("purge", "drops all messages of a queue", "2.4", "stop"), ("queue", "creates, renames and deletes queues", "2.4", "no"),
    ("quota", "shows and sets quotas", "3.1", "no"), ("refill", "fills an emptied node from the others", "3.3", "stop"), ("rekey", "changes keys of tenants", "4.1", "no"), ("replay", "puts dead letters back into their queue", "3.1", "no"),
    ("role", "gives and takes roles", "3.4", "no"), ("schema", "loads a schema or tries it on old messages", "4.1", "no"), ("status", "shows nodes, disk and lag", "2.4", "no"), ("trace", "follows one message through the cluster", "3.3", "no"),
    ("verify", "compares checksums", "3.2", "no"),
)  # fmt: skip
METRICS = (
    ("tg_messages_in", "messages a second", "3.4", "none"), ("tg_messages_out", "messages a second", "3.4", "none"), ("tg_depth", "messages by queue", "3.4", "above 400,000"), ("tg_oldest", "seconds by queue", "3.4", "above 1,800"),
    ("tg_dead", "dead letters a minute", "3.4", "above 25"), ("tg_disk_free", "per cent", "3.4", "below 15"), ("tg_segments", "number", "3.4", "above 60,000"), ("tg_verify_bad", "segments", "3.4", "above 0"),
    ("tg_lag", "seconds, by peer", "3.4", "above 120"), ("tg_leader_changes", "an hour", "3.4", "above 3"), ("tg_clients", "connections", "3.4", "above 8,000"), ("tg_clients_v1", "connections", "3.4", "above 0"),
    ("tg_refused", "answers by number, a minute", "3.4", "above 60"), ("tg_plugin_time", "milliseconds, 99 of 100", "3.4", "above 90"), ("tg_plugin_stopped", "an hour", "3.4", "above 5"), ("tg_quota_used", "per cent by tenant", "3.4", "above 85"),
    ("tg_directory_time", "milliseconds", "3.4.2", "above 700"), ("tg_object_reads", "a second", "4.0", "above 40"), ("tg_object_errors", "a minute", "4.0", "above 2"), ("tg_cache_hits", "per cent", "4.0", "below 70"),
    ("tg_transactions", "open", "4.0", "above 1,500"), ("tg_transaction_age", "seconds, longest", "4.0", "above 600"), ("tg_moves", "tenants under way", "4.0", "above 1"), ("tg_schema_bad", "a minute", "4.1", "above 10"),
    ("tg_rekey_left", "objects", "4.1", "none"), ("tg_memory", "MiB", "3.4", "above 85 % of the machine"), ("tg_open_files", "number", "3.4", "above 50,000"), ("tg_clock", "milliseconds from the leader", "4.0.3", "above 900"),
)  # fmt: skip
TABLES = {
    "metrics": [["Name", "Unit", "Since", "Called at"], *([*row] for row in METRICS)],
    "issues": issues() + later_issues(),
    "commands": [
        ["Command", "What it does", "Since", "Care"],
        *([f"tidegate {name}", *rest] for name, *rest in COMMANDS),
    ],
    "answers": [["number", "text", "try again after", "why"], *([*row] for row in ANSWERS)],
}
TEXTS = {"settings": settings()}
