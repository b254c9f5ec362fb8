"""The PDFs of other people's bug reports: each ends in blocks or in one clear sentence, in a worker, within its limits."""
