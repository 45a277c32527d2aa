"""The resident server of a home: its lock, its address, and how another process finds or starts it."""
