"""``workbench cache``: what parsed documents take up, and how to drop them."""

from __future__ import annotations

import click


@click.group()
def cache() -> None:
    """Parsed documents that are kept for the next time."""


@cache.command()
def info() -> None:
    """Print where the cache is, how many documents it holds and how large it is."""
    from ..documents.cache import DocumentCache

    found = DocumentCache().info()
    click.echo(f"folder     {found.folder}")
    click.echo(f"documents  {found.entries:,}")
    click.echo(f"size       {found.bytes / 2**20:,.1f} MiB")


@cache.command()
def clear() -> None:
    """Delete every parsed document from the cache; the documents themselves are not touched."""
    from ..documents.cache import DocumentCache

    removed = DocumentCache().clear()
    click.echo(f"Removed {removed:,} parsed document{'' if removed == 1 else 's'}.")
