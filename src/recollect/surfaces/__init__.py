"""The doors: each turns its own language into verbs and back. None holds a decision."""
