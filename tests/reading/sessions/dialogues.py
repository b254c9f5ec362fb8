"""Documents, readers and scorers for dialogues, in English and in Chinese."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tests.reading.made import Made
from workbench.documents import Document
from workbench.reading import Reading, SparseReader
from workbench.reading.followup_options import FollowUpOptions
from workbench.reading.sessions import Session
from workbench.reading.stores import SessionStore
from workbench.relevance.lexical import LexicalIndex
from workbench.relevance.scores import RelevanceScores, Scale, Scope, sigmoid
from workbench.structure import RuleTable

SMALL = FollowUpOptions(least_tokens=120)
"""For documents of a few hundred tokens: a first reading has some 200, a follow-up at most 120 as rendered."""

ENGLISH: Mapping[str, tuple[str, ...]] = {
    "Backups": (
        "A backup policy says when a backup begins. It is triggered when the load has been under 20 % for ten minutes. "
        "The interval between two backups is 6 hours. A backup that fails is tried again three times.",
        "Each backup is encrypted with the key ABC-123. Backups are kept for 90 days. Then they are deleted for good.",
        "The operator reads the backup report every morning. It lists what was copied, what was skipped and why. A "
        "report is signed and filed in the red folder.",
        "A trial of the backup is made in March and in September. The plant manager is present. Whatever cannot be "
        "brought back within two hours is noted and mended within a week.",
    ),
    "Alarms": (
        "An alarm sounds when the tank is full. The night shift answers every alarm within 5 minutes.",
        "Alarms that nobody answers are sent to the control room. Its number is 555-0199. The room is never empty.",
        "Yellow lamps mean that a pump runs dry. Red lamps mean fire. Blue lamps are for the maintenance crew alone.",
        "Each alarm is written into the log with date, hour and name. False alarms are counted as well.",
    ),
    "Cleaning": (
        "The filters are cleaned on Mondays. Use no solvent but water. A filter lasts for 18 months.",
        "Worn filters go into the grey container. It is emptied by a company from the next town.",
        "Floors are swept daily and washed on Fridays. Wet floors are marked with a sign.",
        "Gloves and goggles hang beside the basin. Nobody cleans a tank without them.",
    ),
    "Doors": (
        "The doors are locked at 22:00. Visitors are let in by the porter.",
        "A lost key costs $40. The porter keeps a list of all keys and of who has them.",
        "Fire doors stay shut but never locked. They open to the outside.",
    ),
    "Costs": (
        "The plant cost $1,250,000 in 2019. Its upkeep is 3.5 % of that a year.",
        "Energy is not included. It is paid by the town and charged to the plant in December.",
        "Spare parts above $500 need two signatures. Smaller ones are bought from petty cash.",
    ),
}
CHINESE: Mapping[str, tuple[str, ...]] = {
    "备份": (
        "备份策略规定何时开始备份。当负载低于20%并持续十分钟时，系统触发备份。两次备份之间的间隔为6小时。失败的备份重试三次。",
        "每份备份用密钥ABC-123加密。备份保存90天。然后永久删除。",
        "操作员每天早晨阅读备份报告。报告列出已复制、已跳过的内容及原因。报告签字后存入红色文件夹。",
        "每年三月和九月试验备份恢复。厂长到场。两小时内不能恢复的，应当记录并在一周内改正。",
    ),
    "报警": (
        "储罐满时响起报警。夜班在5分钟内应答每次报警。",
        "无人应答的报警转到控制室。控制室电话为555-0199。控制室始终有人。",
        "黄灯表示水泵空转。红灯表示火灾。蓝灯仅供维修人员使用。",
        "每次报警应当记入日志，写明日期、时刻和姓名。误报也要统计。",
    ),
    "清洁": (
        "每周一清洗滤网。除水以外不得使用任何溶剂。滤网使用寿命为18个月。",
        "旧滤网放入灰色容器。容器由邻镇的公司清运。",
        "地面每天清扫，周五冲洗。湿滑地面应当放置标志。",
        "手套和护目镜挂在水池旁。任何人不得在没有防护时清洗储罐。",
    ),
    "门禁": (
        "大门22:00上锁。访客由门卫放行。",
        "钥匙遗失赔偿40元。门卫保存全部钥匙的清单。",
        "防火门保持关闭但不得上锁。防火门向外开启。",
    ),
    "费用": (
        "工厂2019年造价1,250,000元。每年维护费为造价的3.5%。",
        "不含能源费用。能源费由镇政府垫付，十二月向工厂收取。",
        "五百元以上的备件须两人签字。小额备件用备用金购买。",
    ),
}

TOPICS = ("backup", "alarm", "filter", "door", "cost")


def handbook(language: str = "en", name: str = "handbook.txt") -> Document:
    """Headings 1, 6, 11, 16, 20 of the paragraphs 2-5, 7-10, 12-15, 17-19, 21-23."""
    made = Made(name=name, language=language, document_type="technical")
    made.heading("The plant" if language == "en" else "工厂手册")
    for title, paragraphs in (ENGLISH if language == "en" else CHINESE).items():
        made.heading(title, 2).text(*paragraphs)
    return made.document()


class Words:
    """BM25 of the blocks, and no meaning."""

    fingerprint = "words"
    part = "lexical"

    def __init__(self, delay: threading.Event | None = None) -> None:
        self.asked: list[str] = []
        self._wait_for = delay

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Nothing."""

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        del scope, progress
        self.asked.append(question)
        if self._wait_for is not None:
            self._wait_for.wait(60)
        logits = LexicalIndex.of(document.texts, document.language.value).scores(question)
        return RelevanceScores(
            logits=logits,
            relevance=sigmoid(logits - np.float32(3)),
            scale=Scale.UNCALIBRATED,
            parts={self.part: logits.copy()},
            share_read=np.ones(len(logits), np.float32),
            scorer=self.fingerprint,
        )

    def question_vector(self, question: str) -> npt.NDArray[np.float32] | None:
        """None: there is no model."""
        del question


class Meaning(Words):
    """BM25 of the blocks, and vectors of questions that are set by hand: the topics that a question names."""

    fingerprint = "meaning"
    part = "semantic"

    def __init__(self, vectors: Mapping[str, Sequence[float]] | None = None) -> None:
        super().__init__()
        self._vectors = vectors or {}

    def question_vector(self, question: str) -> npt.NDArray[np.float32]:
        known = self._vectors.get(question)
        found = np.array(known if known is not None else [topic in question for topic in TOPICS], np.float32)
        size = float(np.linalg.norm(found))
        return found / np.float32(size) if size else found


def reader_with(scorer: Words) -> SparseReader:
    """A reader without rules, whose first reading has about a third of a handbook."""
    return SparseReader(scorer=scorer, rules=RuleTable("none", ()), token_share=0.34, min_tokens=10)


def session_in(store: SessionStore | None = None, options: FollowUpOptions = SMALL) -> Session:
    return Session("ana", "1", store, options=options)


def said(reading: Reading) -> str:
    """What the session made of the question: the first of its notes."""
    return reading.basis.remarks[0]


def kept_of(reading: Reading) -> list[str]:
    """The texts in focus."""
    texts = reading.document.texts
    return [texts[block][start:end] for block, ranges in (reading.focus or {}).items() for start, end in ranges]
