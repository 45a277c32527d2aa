"""`python -m bench.answers [looking|final|all] [--show] [--words]`: questions to stories, and what was answered.

`--words` does without embeddings. The run fails if a sentence has a word that its citations do not have, if fewer than
four of five questions cite the right records, or if fewer than four of five questions without an answer get none.
"""

from __future__ import annotations

import sys
import tempfile

from bench.answers.score import score, stories
from recollect import Memory

LEAST = 0.8


def main(words: list[str]) -> int:
    """Ask, print the figures, and say whether they are good enough."""
    half = next((each for each in words if not each.startswith("-")), "all")
    embedding = "off" if "--words" in words else "auto"
    with tempfile.TemporaryDirectory() as folder, Memory(home=folder, embedding=embedding) as memory:
        result = score(memory, stories(half))
    print(f"right citations         {result.right / result.answerable:>7.1%}   of {result.answerable}")
    print(f"silent where unknown    {result.silent / result.unanswerable:>7.1%}   of {result.unanswerable}")
    print(f"sentences made up       {result.made_up:>7}   of {result.sentences}")
    if "--show" in words:
        print(*result.failures, sep="\n")
    enough = result.right >= LEAST * result.answerable and result.silent >= LEAST * result.unanswerable
    return int(result.made_up > 0 or not enough)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
