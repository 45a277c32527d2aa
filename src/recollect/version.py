"""Which version of Recollect this is."""

__version__ = "0.1.0"
