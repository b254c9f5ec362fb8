"""A trained classifier as a folder that a runtime loads."""

from .exporting import add_calibration, export_classifier
from .report import ExportReport

__all__ = ["ExportReport", "add_calibration", "export_classifier"]
