"""What became of each page, and its picture: as many as a byte budget has room for, kept pages first."""
