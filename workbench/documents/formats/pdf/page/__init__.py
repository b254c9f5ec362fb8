"""The first stage: one page at a time, from what pdfium draws to arrays of words and lines."""
