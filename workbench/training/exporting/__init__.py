"""A trained classifier as a folder that a runtime loads."""
