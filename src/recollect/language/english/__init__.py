"""English, as data, with the functions that do nothing but read it."""
