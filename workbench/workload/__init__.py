"""Requests with gold evidence, and what they cost and yield on both paths."""
