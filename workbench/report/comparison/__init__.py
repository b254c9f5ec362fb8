"""Two readings of one document side by side: what changed, what it costs, and what it would have lost."""
