"""The sets by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from . import cuad, financebench, loogle, mmlongbench, mtrag, squad, tatqa
from .cases import Case, Half

Loader = Callable[[str, Path, Half, int | None], Iterator[Case]]

SETS: dict[str, Loader] = {
    "loogle_short": loogle.load,
    "loogle_long": loogle.load,
    "financebench": financebench.load,
    "xquad": squad.load,
    "xquad_pooled": squad.load,
    "xquad_zh": squad.load,
    "xquad_zh_pooled": squad.load,
    "cuad": cuad.load,
    "policyqa": squad.load,
    "covidqa": squad.load,
    "tatqa": tatqa.load,
    "mmlongbench": mmlongbench.load,
    "cmrc_pooled": squad.load,
    "drcd_pooled": squad.load,
    "mtrag": mtrag.load,
    "cuad_unanswerable": cuad.load,
    "mmlongbench_unanswerable": mmlongbench.load,
    "mtrag_unanswerable": mtrag.load,
}


def data_folder() -> Path:
    """Return the folder of the evaluation data: SPARSEREAD_DATA, else ../shared/data beside the project."""
    return Path(os.environ.get("SPARSEREAD_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")


def load(name: str, *, data: Path | None = None, half: Half = "all", limit: int | None = None) -> list[Case]:
    """Return the questions of one set.

    Parameters
    ----------
    name : str
        One of ``SETS``.
    data : path, optional
        Folder of the evaluation data; ``data_folder()`` by default.
    half : {"all", "choose", "report"}
        Which half of the documents. What is tuned on "choose" is told for "report".
    limit : int, optional
        Most documents, in an order that is always the same.

    Returns
    -------
    list of Case
        Document by document.

    Raises
    ------
    ValueError
        For a name that is no set.
    """
    if name not in SETS:
        raise ValueError(f"{name} is no evaluation set; choose from {', '.join(SETS)}.")
    return list(SETS[name](name, data or data_folder(), half, limit))
