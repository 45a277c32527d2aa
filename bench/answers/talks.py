"""`python -m bench.answers.talks FILE`: questions to conversations of a training bank, and what was cited.

Each conversation is told to a space of its own. A question with evidence is right if some of it is cited, one without
if nothing is. Use a bank that is in no training: `training/banks/k5/talk.jsonl` is for validation.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect import Memory


def main(arguments: Sequence[str]) -> int:
    """Tell every conversation, ask its questions, and print the shares."""
    counts = Counter[str]()
    with tempfile.TemporaryDirectory() as folder, Memory(store=":memory:", home=folder) as memory:
        for number, line in enumerate(Path(arguments[0]).read_text(encoding="utf-8").splitlines()):
            counts += asked(memory, f"talk-{number}", json.loads(line))
    print(f"some evidence cited     {counts['right'] / counts['answerable']:>7.1%}   of {counts['answerable']}")
    print(f"citations right         {counts['evidence'] / max(1, counts['cited']):>7.1%}   of {counts['cited']}")
    print(f"silent where unknown    {counts['silent'] / max(1, counts['unknown']):>7.1%}   of {counts['unknown']}")
    return 0


def asked(memory: Memory, space: str, talk: Mapping[str, Any]) -> Counter[str]:
    """The counts of one conversation."""
    memory.create_space(space)
    said: dict[str, int] = {}
    for message in talk["messages"]:
        role = "assistant" if message["who"] == "assistant" else "user"
        told = memory.add([{"role": role, "content": message["text"]}], at=f"{message['at']}:00Z", space=space)
        ids = (*told.observation_ids, *(each.note.id for each in told.learned if each.note))
        said.update(dict.fromkeys(ids, message["id"]))
    memory.run_jobs(space=space)
    counts = Counter[str]()
    for question in talk["questions"]:
        answer, wanted = memory.answer(question["ask"], space=space), set(question["evidence"])
        cited = {said[each.id] for each in answer.citations if each.id in said}
        if wanted:
            counts.update(answerable=1, right=bool(cited & wanted), cited=len(cited), evidence=len(cited & wanted))
        else:
            counts.update(unknown=1, silent=not answer)
    return counts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
