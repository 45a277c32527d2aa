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

from bench.material import Corpus, DataSet, Item, Question, flat

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
    for number, session in enumerate(sorted(told["dialogues"], key=lambda each: str(each["current_time"])[:10])):
        begin = datetime.fromisoformat(session["current_time"][:10]).replace(tzinfo=UTC) + number * _BETWEEN_SESSIONS
        turns = session["dialogue_turns"]
        for turn, reply in zip(turns, [*turns[1:], {}], strict=False):
            if turn.get("is_query"):
                used = [_key(note) for note in reply.get("memory_used") or ()]
                gold = tuple(dict.fromkeys(ids[each] for each in used if each in ids))
                if gold:
                    questions.append(Question(turn["content"], turn.get("category_name") or "other", gold, begin))
                else:
                    dropped += 1
        for note in session.get("extracted_memory") or ():
            where, text = key = _key(note)
            if key not in ids and text.strip():
                ids[key] = f"{where}/{len(items)}"
                items.append(Item(ids[key], text, begin + timedelta(minutes=1), session=where, is_note=True))
    return Corpus(name, items, questions), dropped


def _key(note: Mapping[str, Any]) -> tuple[str, str]:
    """The session a note is from, and its text; some personas have notes that are objects."""
    return str(note.get("session_uuid") or ""), flat(note.get("content") or "")
