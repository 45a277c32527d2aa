"""Labels of the hits in a list, and kinds of questions by how many messages answer them."""

OTHER, RIGHT, STALE, TRAP = range(4)
KINDS = ("one", "several", "nothing")
