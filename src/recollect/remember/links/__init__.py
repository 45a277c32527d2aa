"""How new texts get their links: what is near to them is read, and a judge decides."""
