"""E-mails: ``parts`` says which of a message's parts are its body, and what their bytes say."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
