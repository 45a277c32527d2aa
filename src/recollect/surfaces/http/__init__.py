"""The door for programs: every verb over HTTP, behind a guard that asks who is there before it listens."""
