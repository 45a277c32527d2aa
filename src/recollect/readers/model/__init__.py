"""A language model as a reader: a run of messages is put to it, and its candidates are checked against their words."""
