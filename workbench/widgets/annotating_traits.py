"""What an annotator shows, as traits that the browser has too."""

from __future__ import annotations

from typing import Any

import traitlets

from ..training.labels import VALUES
from ..training.queue import ORDERS
from .base import Widget


class AnnotatorTraits(Widget):
    """The traits of an annotator."""

    annotator = traitlets.Unicode().tag(sync=True)
    values = traitlets.List([value.value for value in VALUES]).tag(sync=True)
    orders = traitlets.List([order.value for order in ORDERS]).tag(sync=True)
    order = traitlets.Unicode().tag(sync=True)
    order_why = traitlets.Unicode("").tag(sync=True)
    """Why that order, where nobody chose it: a code of ``default_order``."""
    blind = traitlets.Bool(False).tag(sync=True)
    others = traitlets.Int(0).tag(sync=True)
    """How many other annotators have labels in the store."""
    total = traitlets.Int(0).tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)
    """Position of the item at hand; ``total`` once there is none."""
    labelled = traitlets.Dict().tag(sync=True)
    """The annotator's labels by position: value, spans, note."""
    skipped: Any = traitlets.List().tag(sync=True)
    cards = traitlets.Dict().tag(sync=True)
    """What is shown of the items at hand, by position; others are asked for."""
    building = traitlets.Dict().tag(sync=True)
    """How far the queue is, while it is made: see ``Progress``, and questions; else empty."""
    left_out = traitlets.Dict().tag(sync=True)
    notes: Any = traitlets.List().tag(sync=True)
    place = traitlets.Unicode().tag(sync=True)
    """Where the labels are."""
    sequence = traitlets.Int(0).tag(sync=True)
    """Changes last, once for each change of the others."""
    queue_sequence = traitlets.Int(0).tag(sync=True)
    """The same for another queue."""
