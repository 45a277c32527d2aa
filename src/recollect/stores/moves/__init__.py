"""A space that goes from one store to another while it is in use."""
