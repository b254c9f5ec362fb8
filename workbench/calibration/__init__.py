"""Weights and thresholds fitted on outcomes, with what can be promised of them."""
