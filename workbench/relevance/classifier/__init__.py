"""A classifier that was trained and exported: opened, checked, and quick."""

from .canaries import Canary
from .manifest import BaseModel, Manifest
from .opening import Classifier

__all__ = ["BaseModel", "Canary", "Classifier", "Manifest"]
