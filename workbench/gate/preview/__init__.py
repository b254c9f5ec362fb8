"""What an agent is shown of an artifact before it is read, in at most 2,000 tokens."""

from __future__ import annotations

from .preview import Preview, preview_of

__all__ = ["Preview", "preview_of"]
