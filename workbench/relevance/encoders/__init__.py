"""What turns texts into vectors: the embedded model, any other transformer, or a class of your own."""

from .backends import BACKENDS, Trial, choose_backend
from .protocol import Encoder, TextKind, WindowVectors
from .transformer import Prefixes, TransformerEncoder, default_encoder

__all__ = [
    "BACKENDS",
    "Encoder",
    "Prefixes",
    "TextKind",
    "TransformerEncoder",
    "Trial",
    "WindowVectors",
    "choose_backend",
    "default_encoder",
]
