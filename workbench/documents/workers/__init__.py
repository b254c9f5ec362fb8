"""Processes in which parsers run, so that a hang or a crash costs a worker and not the caller.

``sandbox`` runs the jobs of one document in the workers of a ``pool``; ``worker`` is what runs there; ``wire`` is
the language between them.
"""
