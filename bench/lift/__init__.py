"""The share of perfect candidates that the pipeline holds right, from a reader that knows the stories by heart."""
