"""A note and the messages it was read from: which of them is shown with it, and how much of it."""
