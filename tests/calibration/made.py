"""Made tables of outcomes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd


def table(
    signals: npt.ArrayLike,
    native: npt.ArrayLike,
    sparse: npt.ArrayLike,
    loss: npt.ArrayLike,
    *,
    documents: Sequence[str] | None = None,
    **more: object,
) -> pd.DataFrame:
    """Outcomes of requests, each about a document of its own unless documents are given."""
    array = np.asarray(signals, float).reshape(-1, 3)
    n = len(array)
    lost = np.asarray(loss, float)
    return pd.DataFrame(
        {
            "request": [f"r{place:05d}" for place in range(n)],
            "document": list(documents) if documents is not None else [f"d{place:05d}" for place in range(n)],
            "s": array[:, 0],
            "c": array[:, 1],
            "r": array[:, 2],
            "tokens_native": np.asarray(native, float),
            "tokens_sparse": np.asarray(sparse, float),
            "quality_native": 1.0,
            "quality_sparse": 1.0 - lost,
            **more,
        }
    )


def workload(requests: int = 400, documents: int = 40, seed: int = 0) -> pd.DataFrame:
    """A workload with long documents that pay, tables that do not, and small files under a constraint."""
    random = np.random.default_rng(seed)
    document = random.integers(0, documents, requests)
    kinds = np.array(["long_document_qa", "native_fit", "pdf_report_qa", "structured_analysis"], object)
    kind = kinds[document % 4]
    long, fit, small = kind == "long_document_qa", kind == "native_fit", kind == "structured_analysis"
    size = np.where(long, 30_000, np.where(fit, 6_000, np.where(small, 600, 9_000))) * random.uniform(
        0.7, 1.4, requests
    )
    exposure = np.clip(np.where(long, 0.85, np.where(fit, 0.1, 0.6)) + random.normal(0, 0.05, requests), 0, 1)
    cost = np.clip(np.where(long, 0.05, np.where(fit, 0.7, 0.25)) + random.normal(0, 0.05, requests), 0, 1)
    risk = np.clip(np.where(fit, 0.8, 0.15) + random.normal(0, 0.08, requests), 0, 1)
    sparse = np.where(fit, size * 3, size * (1 - exposure + cost))
    loses = random.random(requests) < np.where(fit, 0.6, 0.01)
    return table(
        np.column_stack([exposure, cost, risk]),
        np.round(size),
        np.round(sparse),
        np.where(loses, 0.5, 0.0),
        documents=[f"document-{place:03d}.pdf" for place in document],
        scenario=kind,
        document_type=np.where(document % 3 == 0, "合同", "report"),
        constraint=np.where(small, "small_file", ""),
        artifact_bytes=np.round(size * 4),
    )
