"""English, as data."""
