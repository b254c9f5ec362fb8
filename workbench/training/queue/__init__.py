"""What an annotator is asked next, and why."""
