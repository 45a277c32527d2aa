"""English, as data: its small words, its verbs, what people call things, and which wordings tell which attribute."""
