"""What is told of a file in the container of old Office programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.compound_files import OLE_SIGN, compound_file_error
from workbench.documents.source import Source
from workbench.errors import EncryptedFile, UnsupportedFormat, WorkbenchError

STREAM = "EncryptedPackage".encode("utf-16-le")


@pytest.mark.parametrize(
    ("name", "content", "kind", "message"),
    [
        ("a.doc", b"", UnsupportedFormat, "a.doc is in an Office format from before 2007; save it as .docx"),
        ("a.xls", b"", UnsupportedFormat, "a.xls is in an Office format from before 2007; save it as .xlsx"),
        ("a", b"", UnsupportedFormat, "a is in an Office format from before 2007; save it as .docx, .xlsx or .pptx"),
        ("a.xlsx", b"x" * 9_000 + STREAM, EncryptedFile, "a.xlsx is protected by a password; save a copy without one"),
    ],
)
def test_old_and_encrypted_files_are_told_apart(
    tmp_path: Path, name: str, content: bytes, kind: type[WorkbenchError], message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(OLE_SIGN + content)
    error = compound_file_error(Source(path))
    assert type(error) is kind
    assert str(error).startswith(message)
