"""While nobody is looking: what many observations come to. What is made here is derived, and says from what."""
