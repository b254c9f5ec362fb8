"""A classifier that was trained and exported: opened, checked, and quick."""
