"""What Word documents, presentations and spreadsheets share: the archive, its parts, drawings, and their limits."""
