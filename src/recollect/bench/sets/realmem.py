"""RealMem: curated notes of a person's projects, and messages that can only be answered with some of them.

Asked is each message that the data marks as a query, at its place in time, of the notes that were there by then.
Right are the notes that the reply used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from recollect.bench.material import Corpus, DataSet, Item, Question

FOLDER = "realmem"

_BETWEEN_SESSIONS = timedelta(minutes=2)  # sessions have a day but no time: their order is kept within it


def load(folder: Path) -> list[DataSet]:
    corpora, dropped = [], 0
    for file in sorted(folder.glob("*.json")):
        corpus, without = _person(json.loads(file.read_text(encoding="utf-8")), file.stem.partition("_dialogues")[0])
        corpora.append(corpus)
        dropped += without
    return [
        DataSet(
            "realmem",
            corpora,
            along_the_way=True,
            dropped=dropped,
            about="implicit queries against the curated notes that existed then",
        )
    ]


def _person(told: Mapping[str, Any], name: str) -> tuple[Corpus, int]:
    items: list[Item] = []
    ids: dict[tuple[str, str], str] = {}
    questions, dropped = [], 0
    for number, session in enumerate(told["dialogues"]):
        begin = datetime.fromisoformat(session["current_time"][:10]).replace(tzinfo=UTC) + number * _BETWEEN_SESSIONS
        turns = session["dialogue_turns"]
        for turn, reply in zip(turns, [*turns[1:], {}], strict=True):
            if turn.get("is_query"):
                used = [(note["session_uuid"], note["content"]) for note in reply.get("memory_used") or ()]
                gold = tuple(dict.fromkeys(ids[each] for each in used if each in ids))
                if gold:
                    questions.append(Question(turn["content"], turn.get("category_name") or "other", gold, begin))
                else:
                    dropped += 1
        for note in session["extracted_memory"]:
            key = (note["session_uuid"], note["content"])
            if key not in ids and note["content"].strip():
                ids[key] = f"{note['session_uuid']}/{len(items)}"
                at = begin + timedelta(minutes=1)
                items.append(Item(ids[key], note["content"], at, session=note["session_uuid"], is_note=True))
    return Corpus(name, items, questions), dropped
