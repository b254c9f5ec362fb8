"""A report: one HTML file that opens from a mail, asks nobody for anything, and runs nothing of a document."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path

from ..errors import WorkbenchError
from ..structure.atomic import write_text


@dataclass(frozen=True, repr=False)
class Report:
    """A finished report.

    Attributes
    ----------
    title : str
    html : str
        The whole page.
    """

    title: str
    html: str

    def save(self, path: str | Path) -> Path:
        """Write the page to a file, at once or not at all, and return its path.

        Raises
        ------
        WorkbenchError
            If the file cannot be written.
        """
        out = Path(path).expanduser()
        write_text(out, self.html, error=WorkbenchError)
        return out

    def to_pdf(self, path: str | Path) -> Path:
        """Print the page to a PDF with the Chromium of this machine, and return its path.

        Raises
        ------
        MissingDependency
            If there is no Chromium or Chrome.
        WorkbenchError
            If it fails, or the file cannot be written.
        """
        from .pdf import print_to_pdf

        return print_to_pdf(self.html, path)

    def __repr__(self) -> str:
        return f"Report({self.title!r}, {len(self.html.encode('utf-8')):,} bytes)"

    def _repr_html_(self) -> str:
        # Scripts of the page run, but in an origin of their own, apart from the notebook.
        page = html.escape(self.html, quote=True)
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{page}" title="{html.escape(self.title, quote=True)}" '
            'style="width:100%;height:720px;border:1px solid #c6cbd6"></iframe>'
        )
