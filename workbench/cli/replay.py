"""``workbench replay``: what every request of a workload costs and yields on both paths, as a table of outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import printable

if TYPE_CHECKING:
    import pandas as pd

    from ..reading import SparseReader
    from ..workload import Workload
    from ..workload.endpoint import Ceiling

_ASKING = (
    click.option("--llm-base-url", metavar="URL", help="Ask a model here: what stands before /chat/completions."),
    click.option("--llm-model", metavar="NAME", help="Its name at that endpoint."),
    click.option("--llm-judge", metavar="NAME", help="Judges answers by a rubric [the model itself]."),
    click.option("--llm-key-env", metavar="NAME", help="Environment variable with the API key [OPENAI_API_KEY]."),
    click.option("--llm-parallel", type=int, metavar="N", help="Most calls at once [4]."),
    click.option("--llm-per-minute", type=float, metavar="N", help="Most calls a minute [no limit]."),
    click.option("--llm-most-tokens", type=int, metavar="N", help="Most tokens of this run, in and out [no limit]."),
    click.option("--llm-most-cost", type=float, metavar="SUM", help="Most that this run may cost; needs both prices."),
    click.option("--llm-price-in", type=float, metavar="P", help="Price of a million tokens into the model."),
    click.option("--llm-price-out", type=float, metavar="P", help="Price of a million tokens out of the model."),
    click.option(
        "--transcript", type=click.Path(path_type=Path), metavar="JSONL", help="Every exchange [in the cache]."
    ),
)


def asking_options(command: Any) -> Any:
    """Add what says which language model is asked, and what that may cost."""
    for option in reversed(_ASKING):
        command = option(command)
    return command


@click.command()
@click.argument("workload", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="TABLE", help=".parquet or .csv."
)
@click.option("--profile", type=click.Path(path_type=Path), metavar="JSON", help="Read as a gate profile says.")
@click.option("--rules", metavar="TABLE", help="Rule table: a YAML file, or a name [that of the document's type].")
@click.option("--token-share", type=float, metavar="S", help="Keep the best blocks up to this share [0.2].")
@click.option("--min-tokens", type=int, metavar="N", help="Tokens kept however small the share is [3000].")
@click.option("--model", metavar="NAME", help="Folder or name of another encoder; nothing is fetched.")
@click.option("--no-model", is_flag=True, help="Structure first: words and rules alone decide.")
@click.option("--classifier", metavar="FOLDER", help="A trained classifier as the second stage.")
@click.option("--tokenizer", metavar="NAME", help="What counts tokens [o200k_base].")
@click.option("--advisory", type=float, default=0.5, metavar="P", help="Advisory requests that read sparsely [0.5].")
@click.option("--processes", type=click.IntRange(1), metavar="N", help="Processes that read [one a core].")
@click.option("--progress/--no-progress", default=None, help="Show progress [in a terminal].")
@asking_options
def replay(workload: Path, output: Path, advisory: float, processes: int | None, **others: Any) -> None:
    """Read every request of WORKLOAD on both paths, and keep the outcomes.

    Quality is evidence recall. With --llm-base-url and --llm-model a language model answers on both paths, and its
    answers are graded; text of the documents is then sent to that endpoint, and nowhere else. workbench calibrate takes
    the table.

    Exit codes: 0 written, 1 nothing could be replayed, 2 the command was not understood.
    """
    from ..errors import FileMissing, InvalidOption
    from ..workload import load_workload
    from ..workload.replay import replay as take_both_paths
    from ..workload.replay import save_outcomes

    if output.suffix not in (".parquet", ".csv"):
        raise InvalidOption(f"The outcomes {output.name} must end in .parquet or .csv.")
    if not output.absolute().parent.is_dir():
        raise FileMissing(f"There is no folder {output.parent} to write {output.name} into; make it first.")
    asking = {name: others.pop(name) for name in list(others) if name.startswith("llm_") or name == "transcript"}
    endpoint = endpoint_of(asking)
    reader, options = _reader(others)
    loaded = load_workload(workload)
    progress = others["progress"]
    outcomes = take_both_paths(
        loaded, reader, options=options, advisory_share=advisory, processes=processes, progress=progress
    )
    if endpoint is not None:
        outcomes = _asked(loaded, outcomes, reader, endpoint, asking, progress)
    save_outcomes(outcomes, output)
    for line in summary_lines(outcomes):
        click.echo(line)
    click.echo(f"wrote {printable(str(output))}", err=True)


def _reader(others: dict[str, Any]) -> tuple[SparseReader, Any]:
    """Return the reader, and the options of the signals that a profile names."""
    from ..gate.profile import GateProfile
    from ..gate.signal_options import SignalOptions
    from .choices import Choices

    names = (
        "rules",
        "token_share",
        "min_tokens",
        "model",
        "no_model",
        "classifier",
        "tokenizer",
        "progress",
        "profile",
    )
    reader = Choices(**{name: others[name] for name in names}).reader()
    if others["profile"] is None:
        return reader, SignalOptions(share=reader.share.share, least_tokens=reader.share.min_tokens)
    return reader, SignalOptions.from_dict(GateProfile.load(others["profile"]).gate.options)


def endpoint_of(asking: dict[str, Any]) -> Any:
    """Return the endpoint that is to be asked, None where none was named."""
    given = {name: value for name, value in asking.items() if value is not None}
    if not given:
        return None
    if "llm_base_url" not in given or "llm_model" not in given:
        raise click.UsageError("To ask a model give both --llm-base-url and --llm-model.")
    from ..workload.endpoint import Endpoint

    names = {"llm_judge": "judge_model", "llm_key_env": "api_key_env", "llm_parallel": "parallel"}
    names["llm_per_minute"] = "per_minute"
    chosen = {names[name]: value for name, value in given.items() if name in names}
    return Endpoint(base_url=given["llm_base_url"], model=given["llm_model"], **chosen)


def _asked(
    workload: Workload,
    outcomes: pd.DataFrame,
    reader: SparseReader,
    endpoint: Any,
    asking: dict[str, Any],
    progress: Any,
) -> pd.DataFrame:
    from ..workload.endpoint import ask_workload

    return ask_workload(
        workload,
        outcomes,
        reader,
        endpoint,
        ceiling=ceiling_of(asking),
        transcript=asking["transcript"],
        progress=progress,
    )


def ceiling_of(asking: dict[str, Any]) -> Ceiling:
    """Return the most that asking may cost."""
    from ..workload.endpoint import Ceiling

    return Ceiling(
        most_tokens=asking["llm_most_tokens"],
        most_cost=asking["llm_most_cost"],
        price_in=asking["llm_price_in"],
        price_out=asking["llm_price_out"],
    )


def summary_lines(outcomes: pd.DataFrame) -> Iterator[str]:
    """Yield a table by scenario: what forcing every request would save and lose."""
    head = f"{'scenario':<22}{'requests':>9}{'native tokens':>15}{'saved if forced':>17}{'loss':>8}{'fell back':>11}"
    yield head
    from ..calibration.outcomes import unjudged

    unknown = unjudged(outcomes)
    every = outcomes.assign(scenario="all")
    for table in (outcomes, every):
        for name, rows in table.groupby("scenario", sort=True):
            native, sparse = float(rows["tokens_native"].sum()), float(rows["tokens_sparse"].sum())
            judged = rows[~unknown[rows.index]]
            loss = float((judged["quality_native"] - judged["quality_sparse"]).clip(lower=0).mean())
            saved = f"{100 * (1 - sparse / native):.1f} %" if native else "-"
            back = f"{100 * float(rows['fell_back'].mean()):.0f} %"
            yield f"{printable(str(name))[:21]:<22}{len(rows):>9,}{native:>15,.0f}{saved:>17}{loss:>8.3f}{back:>11}"
    kinds = ", ".join(sorted(outcomes["quality_kind"].unique()))
    yield f"Quality is {kinds}; the loss is the mean of what the sparse path loses."
    if unknown.any():
        yield f"Of {int(unknown.sum()):,} requests no evidence was found: they are in no loss."
    failed = outcomes.attrs.get("failed") or []
    if failed:
        yield f"{len(failed):,} of {len(outcomes) + len(failed):,} requests could not be replayed; a warning says why."
