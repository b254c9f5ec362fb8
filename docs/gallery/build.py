"""Builds the gallery: the reports of this folder, the table of ``../gallery.md``, and the pictures of both.

``python build.py`` builds everything, ``--no-pictures`` leaves the screenshots as they are, for machines without
Chromium. Equal sources give equal reports, byte for byte. The project is installed with its extra ``test`` for this.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import html

import workbench as wb
from workbench.gate.profile.parts import ShareCut
from workbench.report.comparison.comparing import compared
from workbench.report.comparison.contents import ComparisonContents
from workbench.workload.gold import resolve

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
INDEX, IMAGES = HERE.parent / "gallery.md", HERE.parent / "images"
DEV = PROJECT / "datasets" / "dev"
PROFILE = DEV / "gate.json"
BEGIN, END = "<!-- built by gallery/build.py: begin -->", "<!-- built by gallery/build.py: end -->"
PICTURE_BYTES = 150_000
"""Of the pages in one report, so that none has more than 600 kB; by default a report has twenty times as many."""
WIDTH, HEIGHT = 1280, 880
"""Of a screen that is photographed."""
COLUMNS, THUMB_WIDTH, GAP = 3, 620, 16
COLOURS = 96
"""Of a picture's palette: a page of text has few, and the file is a third as large."""


@dataclass(frozen=True)
class Shown:
    """A report of the gallery.

    Attributes
    ----------
    name : str
        Of its file, without the suffix.
    request : str
        Id in the bundled workload.
    what : str
        What the document is.
    language : str
        Of the words of the report.
    tighter : float or None
        The share of the tokens of a tighter profile that is shown beside.
    """

    name: str
    request: str
    what: str
    language: str = "en"
    tighter: float | None = None


SHOWN = (
    Shown("pump-manual", "pump-manual-16", "Manual of a pump, PDF"),
    Shown("annual-report-zh", "zh-annual-report-08", "Filing of a Chinese group, PDF, with Chinese words", "zh"),
    Shown("services-agreement", "master-services-agreement-18", "Contract, Word, side by side", tighter=0.05),
    Shown("clinical-guideline", "clinical-guideline-12", "Clinical guideline, PDF"),
    Shown("maintenance-register", "maintenance-register-15", "Register of work orders, Excel"),
    Shown("grid-courseware", "grid-courseware-07", "Course on power grids, HTML"),
)


@dataclass(frozen=True)
class Told:
    """What a report says in numbers, read from the report itself."""

    question: str
    document: str
    tokens_whole: int
    tokens_read: int
    blocks: int
    blocks_skipped: int
    share: str
    native: bool
    evidence_kept: int
    evidence_lost: int
    verdict: str

    @property
    def sentence(self) -> str:
        """What was kept and skipped, what that saves, and what a reading beside it does."""
        kept = f"{self.blocks - self.blocks_skipped:,} of {self.blocks:,} blocks"
        if self.native:
            return (
                f"Nothing is saved: the gate has all {self.tokens_whole:,} tokens read. Read sparsely, {kept} would "
                f"have been kept and {self.blocks_skipped:,} skipped."
            )
        return (
            f"{kept} kept, {self.blocks_skipped:,} skipped; {self.tokens_read:,} tokens are read instead of "
            f"{self.tokens_whole:,}: {self.share} saved. {self.verdict}"
        ).rstrip()

    @property
    def evidence(self) -> str:
        """How many of the marked blocks with evidence were kept."""
        marked = self.evidence_kept + self.evidence_lost
        return f"{self.evidence_kept} of {marked}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the reports and what tells of them."""
    parser = argparse.ArgumentParser(description="Build the reports of the gallery, and its index.")
    parser.add_argument("--no-pictures", action="store_true", help="leave the screenshots as they are")
    options = parser.parse_args(arguments)
    workload = wb.load_workload(DEV)
    profile = wb.GateProfile.load(PROFILE)
    reader = wb.SparseReader.from_profile(profile)
    reports = {shown.name: report_of(shown, workload, reader, profile) for shown in SHOWN}
    for old in HERE.glob("*.html"):
        old.unlink()
    for name, report in reports.items():
        path = report.save(HERE / f"{name}.html")
        print(f"{path.relative_to(PROJECT).as_posix()}: {path.stat().st_size:,} bytes, {told_by(path).sentence}")
    INDEX.write_text(with_rows(INDEX.read_text(encoding="utf-8")), encoding="utf-8")
    if not options.no_pictures:
        for path in draw():
            print(f"{path.relative_to(PROJECT).as_posix()}: {path.stat().st_size:,} bytes")


def report_of(shown: Shown, workload: wb.Workload, reader: wb.SparseReader, profile: wb.GateProfile) -> wb.Report:
    """Make one report, with the evidence that the workload has marked."""
    request = workload.request(shown.request)
    document = workload.open(request.artifact)
    reading = reader.read(document, request.question, scope=request.scope)
    gold = resolve(request, document).blocks
    return wb.report_on(
        reading,
        language=shown.language,
        profile=profile,
        gold=gold,
        picture_bytes=PICTURE_BYTES,
        comparison=False if shown.tighter is None else beside(reading, reader, profile, gold, shown.tighter),
    )


def beside(
    reading: wb.Reading, reader: wb.SparseReader, profile: wb.GateProfile, gold: Sequence[int], share: float
) -> ComparisonContents:
    """Show a reading beside that of a profile which keeps less."""
    cut = ShareCut(share=share, min_tokens=500)
    tight = profile.model_copy(update={"block": profile.block.model_copy(update={"cut": cut})})
    tighter = wb.SparseReader.from_profile(tight, scorer=reader.scorer)
    other = tighter.read(reading.document, reading.question, scope=reading.scope)
    assert isinstance(reading.cut, wb.TokenShare)
    names = (f"{100 * reading.cut.share:.0f} % of the tokens", f"{100 * share:.0f} % of the tokens")
    return compared(reading, other, names=names, what="profiles", gold=gold)


def told_by(path: Path) -> Told:
    """Read the numbers of a report from its page."""
    page = html.document_fromstring(path.read_text(encoding="utf-8"))
    head, money = page.find_class("head")[0], page.get_element_by_id("r1-money")
    kept, skipped = page.get_element_by_id("r1-kept"), page.get_element_by_id("r1-skipped")
    blocks_kept, blocks_skipped = len(kept.xpath(".//*[@data-status]")), len(skipped.xpath(".//li[@value]"))
    share, verdicts = head.find_class("numbers")[0][1][0], page.xpath("//*[@id='c1-title']")
    return Told(
        question=page.get_element_by_id("r1-question").text_content(),
        document=head.find_class("name")[0].text_content(),
        tokens_whole=int(money.attrib["data-whole"]),
        tokens_read=int(money.attrib["data-kept"]),
        blocks=blocks_kept + blocks_skipped,
        blocks_skipped=blocks_skipped,
        share=plain(share),
        native=bool(head.find_class("native")),
        evidence_kept=len(kept.find_class("evidence")),
        evidence_lost=len(skipped.find_class("lost")),
        verdict="".join(map(plain, verdicts)),
    )


def plain(element: html.HtmlElement) -> str:
    """Return the text of an element with spaces at which a line may break."""
    return " ".join(element.text_content().split())


def with_rows(index: str) -> str:
    """Return the index with a row for each report that is there."""
    rows = [
        "| report | document | question | what came of it | marked evidence kept |",
        "| --- | --- | --- | --- | --- |",
    ]
    for shown in SHOWN:
        told = told_by(HERE / f"{shown.name}.html")
        cells = (
            f"[{shown.name}.html](gallery/{shown.name}.html)",
            f"{shown.what}: `{told.document}`",
            told.question.replace("|", "\\|"),
            told.sentence,
            told.evidence,
        )
        rows.append(f"| {' | '.join(cells)} |")
    before, _, rest = index.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([f"{before}{BEGIN}", "", *rows, "", f"{END}{after}"])


def draw() -> list[Path]:
    """Photograph the first screen of every report: the first one alone, and all of them on one sheet."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    from workbench.report.pdf import browser_here

    screens = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(browser_here()), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        for shown in SHOWN:
            page.goto((HERE / f"{shown.name}.html").as_uri())
            picture = HERE / f"{shown.name}.png"
            page.screenshot(path=picture)
            with Image.open(picture) as taken:
                screens.append(taken.convert("RGB"))
            picture.unlink()
        browser.close()
    height = THUMB_WIDTH * HEIGHT // WIDTH
    rows = -(-len(screens) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (THUMB_WIDTH + GAP) + GAP, rows * (height + GAP) + GAP), "#c6cbd6")
    for number, screen in enumerate(screens):
        row, column = divmod(number, COLUMNS)
        thumb = screen.resize((THUMB_WIDTH, height), Image.Resampling.LANCZOS)
        sheet.paste(thumb, (GAP + column * (THUMB_WIDTH + GAP), GAP + row * (height + GAP)))
    saved = []
    for name, image in (("report-first", screens[0]), ("report-gallery", sheet)):
        path = IMAGES / f"{name}.png"
        image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
        saved.append(path)
    return saved


if __name__ == "__main__":
    main()
