"""Whether it pays to read sparsely: preview, intent, signals, margin, route."""
