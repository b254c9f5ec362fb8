"""What is loaded by an import and by a look at the help: as little as possible."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "IPython",
    "Stemmer",
    "bm25s",
    "bs4",
    "docx",
    "ipywidgets",
    "lxml",
    "numpy",
    "huggingface_hub",
    "openpyxl",
    "openvino",
    "pandas",
    "pdfplumber",
    "peft",
    "plotly",
    "pptx",
    "pyarrow",
    "pypdfium2",
    "quicktok",
    "redis",
    "regex",
    "rich",
    "ruamel",
    "safetensors",
    "spacy",
    "tokenizers",
    "torch",
    "transformers",
}

HELP = """
from workbench.cli import cli
try:
    cli(["--help"], prog_name="workbench")
except SystemExit:
    pass
"""


def modules_after(statements: str) -> set[str]:
    """Top-level names of what a fresh interpreter has loaded after some statements."""
    report = (
        "import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{statements}\n{report}"], capture_output=True, text=True, check=True, timeout=120
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


COMMANDS = ("blocks", "read", "chat", "gate", "import", "replay", "calibrate", "threshold", "report")


@pytest.mark.parametrize(
    "statements",
    [
        "import workbench",
        HELP,
        *(HELP.replace('"--help"', f'"{name}", "--help"') for name in COMMANDS),
    ],
)
def test_import_and_help_load_nothing_heavy(statements: str) -> None:
    loaded = modules_after(statements)
    assert "workbench" in loaded
    assert not loaded & HEAVY


def test_importing_documents_loads_no_parser_and_no_model() -> None:
    loaded = modules_after("import workbench; workbench.open_document")
    assert "numpy" in loaded
    assert not loaded & (HEAVY - {"numpy"})


def test_every_public_name_can_be_had() -> None:
    import workbench

    assert {name for name in workbench.__all__ if getattr(workbench, name, None) is None} == set()
    assert dir(workbench) == sorted(workbench.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    import workbench

    with pytest.raises(AttributeError, match="module 'workbench' has no attribute 'open_doc'"):
        workbench.open_doc  # noqa: B018


def test_import_configures_no_logging() -> None:
    statements = "import logging, workbench.documents; assert not logging.getLogger().handlers"
    assert "workbench" in modules_after(statements)
