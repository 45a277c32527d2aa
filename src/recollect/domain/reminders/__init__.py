"""Reminders at the point of decision: when a note wants to be told, and the act that it is told before."""
