"""Hard negatives: blocks that look like evidence and are none."""
