"""A workload of made documents that are long enough to skip in: depots, each with its own numbers."""

from __future__ import annotations

import json
import random
from pathlib import Path

from workbench.workload import Workload, load_workload

TOPICS = ("pumps", "lorries", "cranes", "gates", "ladders", "boats", "tanks", "scales", "lamps", "ramps")
FILLER = (
    "Visitors sign the book at the porter's lodge before they walk to the office.",
    "The yard is swept twice a week and gritted when the night frost is announced.",
    "Deliveries wait behind the yellow line until somebody of the shift waves them on.",
    "Old timetables are kept in the cellar for ten years and then thrown away.",
)


def depots_in(folder: Path, *, documents: int = 8, paragraphs: int = 240, test: int = 0) -> Workload:
    """Write a workload: point questions, an unanswerable one, and a count over the whole for each document.

    The last ``test`` documents are of the split "test".
    """
    folder.mkdir(parents=True, exist_ok=True)
    requests = []
    for number in range(documents):
        drawn = random.Random(number)
        name = f"depot-{number}.txt"
        lines = [drawn.choice(FILLER) + f" That is rule {row} of house {number}." for row in range(paragraphs)]
        places = drawn.sample(range(paragraphs), len(TOPICS))
        facts = {}
        for topic, place in zip(TOPICS, places, strict=True):
            facts[topic] = (
                f"House {number} keeps {drawn.randint(100, 999)} {topic} beside the {drawn.choice(TOPICS)} shed."
            )
            lines[place] = facts[topic]
        (folder / name).write_text("\n\n".join(lines), "utf-8")
        split = "test" if number >= documents - test else "dev"
        common = {"artifact": name, "scenario": "long_document_qa", "split": split}
        requests += [
            {"id": f"{number}-{topic}", "question": f"How many {topic} does the house keep?", **common,
             "evidence": [{"quote": facts[topic]}], "scope": "point"}
            for topic in TOPICS[:6]
        ]  # fmt: skip
        requests.append({"id": f"{number}-none", "question": "Who painted the roof?", **common, "answerable": False})
        requests.append(
            {**common, "id": f"{number}-all", "question": "Count all things of every kind.", "scope": "aggregate",
             "scenario": "native_fit", "evidence": [{"quote": fact} for fact in facts.values()]}
        )  # fmt: skip
    lines = [json.dumps(request) for request in requests]
    (folder / "workload.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return load_workload(folder)
