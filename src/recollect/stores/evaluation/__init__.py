"""Questions that a space is tried with, and the runs that asked them."""
