"""LongMemEval: a question with a haystack of sessions of its own. The files are for whoever has them to supply.

Right are the turns that are marked `has_answer`; the sessions they stand in are scored beside them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.material import Corpus, DataSet, Item, Question

FILES = "longmemeval*.json"

_WHEN = re.compile(r"(\d+)/(\d+)/(\d+)\D*(\d+):(\d+)")
_BETWEEN_TURNS = timedelta(minutes=1)


def load(files: list[Path]) -> list[DataSet]:
    asked = [each for file in files for each in json.loads(file.read_text(encoding="utf-8"))]
    found = [corpus for corpus in map(_haystack, asked) if corpus.questions]
    about = "turns; each question has its own sessions"
    return [DataSet("longmemeval", found, by_session=True, dropped=len(asked) - len(found), about=about)]


def _haystack(asked: Mapping[str, Any]) -> Corpus:
    told = list(_turns(asked))
    items = sorted((item for item, _ in told), key=lambda item: item.at)
    gold = tuple(item.id for item, answers in told if answers)
    name = str(asked["question_id"])
    question = Question(asked["question"], asked["question_type"], gold, _moment(asked["question_date"]))
    return Corpus(name, items, [question] if gold else [])


def _turns(asked: Mapping[str, Any]) -> Iterator[tuple[Item, bool]]:
    given = zip(asked["haystack_session_ids"], asked["haystack_dates"], asked["haystack_sessions"], strict=True)
    for name, day, turns in given:
        for place, turn in enumerate(turns):
            at = _moment(day) + place * _BETWEEN_TURNS
            item = Item(f"{name}/{place}", turn["content"], at, session=str(name), role=turn["role"])
            yield item, bool(turn.get("has_answer"))


def _moment(text: str) -> datetime:
    """`2023/05/20 (Sat) 02:21`."""
    found = _WHEN.search(text)
    if found is None:
        raise ValueError(f"`{text}` is not a time of LongMemEval.")
    year, month, day, hour, minute = map(int, found.groups())
    return datetime(year, month, day, hour, minute, tzinfo=UTC)
