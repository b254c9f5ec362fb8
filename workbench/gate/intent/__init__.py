"""What a request wants: scope, action and needs, by rules that can be read."""

from __future__ import annotations

from .actions import Action
from .intent import Intent, intent_of

__all__ = ["Action", "Intent", "intent_of"]
