"""``workbench cache``: what is kept for the next time, and how to drop it."""

from __future__ import annotations

import click

KINDS = {
    "documents": ".blocks",
    "embeddings": ".vectors",
    "parses": ".parse",
    "self-tests": ".backend",
    "compiled": ".openvino",
    "scores": ".scores",
    "outcomes": ".outcome",
    "answers": ".answer",
}
"""What is kept, and the suffix of its entries."""


@click.group()
def cache() -> None:
    """What is kept for the next time: parsed documents, embeddings of their blocks, parsed sentences."""


@cache.command()
def info() -> None:
    """Print where the cache is, what it holds and how large it is."""
    from ..caching import CacheFolder, default_folder

    click.echo(f"folder      {default_folder()}")
    for kind, suffix in KINDS.items():
        found = CacheFolder(suffix).info()
        click.echo(f"{kind:<10}  {found.entries:,} ({found.bytes / 2**20:,.1f} MiB)")


@cache.command()
def clear() -> None:
    """Delete everything from the cache; the documents themselves are not touched."""
    from ..caching import CacheFolder

    removed = sum(CacheFolder(suffix).clear() for suffix in KINDS.values())
    click.echo(f"Removed {removed:,} {'entry' if removed == 1 else 'entries'} from the cache.")
