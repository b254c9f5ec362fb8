"""Workloads, readers and outcomes that the tests of the bench share; nothing here needs a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd

from workbench.reading import SparseReader
from workbench.structure import Match, Rule, RuleTable
from workbench.workload import Workload, load_workload
from workbench.workspace import Bench
from workbench.workspace.state import BenchState, Tuned

TITLES = Rule("titles", Match(kinds=("heading",)), 2.0, reason="Titles say what a part is about.")
MONEY = Rule("money", Match(keywords=("euro", "元")), 1.5, reason="Sums are asked for.")
OLD = Rule("old", Match(keywords=("formerly", "以前")), 0.5, reason="What was is seldom asked for.")
TABLE = RuleTable("house", (TITLES, MONEY, OLD))
LEGAL = RuleTable("courts", (MONEY,))

ENGLISH = """# House rules

The rent is 900 euro a month and due on the third.

Formerly the rent was 700 euro.

# Keys

Every tenant has two keys. A lost key costs 45 euro.

The caretaker keeps a spare key for each flat.

# Quiet

From ten at night until six nobody plays music.
"""
CHINESE = """# 租房规定

每月租金为900元，每月三日支付。

以前的租金是700元。

# 钥匙

每位租客有两把钥匙。遗失一把赔偿45元。

管理员为每套房保留一把备用钥匙。

# 安静

晚上十点到早上六点不得播放音乐。
"""
REQUESTS = (
    {"id": "rent", "artifact": "house.md", "question": "How much is the rent a month?",
     "evidence": [{"quote": "The rent is 900 euro a month"}], "scope": "point"},
    {"id": "key", "artifact": "house.md", "question": "What does a lost key cost?",
     "evidence": [{"quote": "A lost key costs 45 euro."}], "scope": "point"},
    {"id": "spare", "artifact": "house.md", "question": "Who keeps a spare one?",
     "turns": ["How many keys has a tenant?"], "evidence": [{"quote": "The caretaker keeps a spare key"}]},
    {"id": "租金", "artifact": "住房.md", "question": "每月租金是多少？", "evidence": [{"quote": "每月租金为900元"}]},
    {"id": "钥匙", "artifact": "住房.md", "question": "遗失钥匙赔偿多少？",
     "evidence": [{"quote": "遗失一把赔偿45元"}]},
    {"id": "pets", "artifact": "住房.md", "question": "可以养狗吗？", "answerable": False},
)  # fmt: skip


def house_in(folder: Path) -> Workload:
    """Write a workload of two short documents, one in English and one in Chinese."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "house.md").write_text(ENGLISH, "utf-8")
    (folder / "住房.md").write_text(CHINESE, "utf-8")
    header = {"workload": "house", "version": 1}
    lines = [json.dumps(entry, ensure_ascii=False) for entry in (header, *REQUESTS)]
    (folder / "workload.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return load_workload(folder)


def words_alone(*, min_tokens: int = 0, share: float = 0.3) -> SparseReader:
    """Return a reader without a model whose rules are three."""
    return SparseReader(scorer=None, rules=TABLE, token_share=share, min_tokens=min_tokens)


def replayed_in(folder: Path, workload: Workload) -> Path:
    """Return a folder as a workspace in which a workload was replayed by words alone."""
    bench = Bench(workload, reader=words_alone(min_tokens=200), folder=folder)
    bench.replay()
    bench.close()
    return folder


def beginning(tables: Mapping[str, RuleTable] | None = None) -> BenchState:
    """Return a state before any operation."""
    return BenchState(tuned=Tuned(tables=MappingProxyType(dict(tables or {"*": TABLE, "legal": LEGAL}))))


def made_outcomes(*, documents: int = 8, each: int = 6, seed: int = 3) -> pd.DataFrame:
    """Return outcomes in which exposure tells well whether sparse reading pays, and some sparse reads lose."""
    drawn = np.random.default_rng(seed)
    count = documents * each
    s, c, r = drawn.uniform(0, 1, (3, count))
    native = np.round(drawn.uniform(5_000, 30_000, count))
    return pd.DataFrame(
        {
            "request": [f"q{number}" for number in range(count)],
            "document": [f"d{number // each}.pdf" for number in range(count)],
            "scenario": np.where(np.arange(count) % 2, "long_document_qa", "native_fit"),
            "s": s,
            "c": c,
            "r": r,
            "constraint": np.where(np.arange(count) % 11 == 0, "small", ""),
            "tokens_native": native,
            "tokens_sparse": np.round(native * (1.2 - s)),
            "quality_native": 1.0,
            "quality_sparse": np.where(r + 0.2 * drawn.uniform(0, 1, count) > 0.8, 0.0, 1.0),
        }
    )
