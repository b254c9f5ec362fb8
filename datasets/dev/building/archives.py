"""ZIP files whose bytes depend on nothing but what they hold."""

from __future__ import annotations

import io
import re
import zipfile

MOMENT = (2026, 1, 15, 9, 0, 0)
"""The time that every member bears."""
STAMP = "2026-01-15T09:00:00Z"

_TIMES = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(</dcterms:)")


def zip_of(members: dict[str, bytes]) -> bytes:
    """Return an archive with these members, in this order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, MOMENT)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.create_system = 3
            archive.writestr(info, data)
    return out.getvalue()


def settled(package: bytes) -> bytes:
    """Return an Office package with fixed times, in its members and in its core properties."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    core = "docProps/core.xml"
    if core in members:
        members[core] = _TIMES.sub(rb"\g<1>" + STAMP.encode() + rb"\g<2>", members[core])
    return zip_of(members)
