"""The second stage: from the lines of the whole document to blocks."""
