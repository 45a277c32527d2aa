"""LoCoMo: long conversations of two people, and the turns that answer each question.

Labels that a public audit corrected (`evidence_audited`) go before the original ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.material import Corpus, DataSet, Item, Question

FILES = "locomo*.json"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

_SESSION = re.compile(r"session_(\d+)")
_WHEN = re.compile(r"(\d+):(\d+) ([ap])m on (\d+) (\w+), (\d+)")
_TURN = re.compile(r"D:?(\d+):0*(\d+)")  # some labels are misspelled: `D:11:26`
_BETWEEN_TURNS = timedelta(minutes=1)


def load(files: list[Path]) -> list[DataSet]:
    corpora, dropped = [], 0
    for file in files:
        for sample in json.loads(file.read_text(encoding="utf-8")):
            corpus, without = _conversation(sample)
            corpora.append(corpus)
            dropped += without
    return [
        DataSet(
            "locomo",
            corpora,
            apart=frozenset({CATEGORIES[5]}),
            unanswerable=frozenset({CATEGORIES[5]}),
            by_session=True,
            dropped=dropped,
            about="turns of two speakers; categories 1–4, audited labels",
        )
    ]


def _conversation(sample: Mapping[str, Any]) -> tuple[Corpus, int]:
    items = list(_turns(sample["conversation"]))
    now = items[-1].at + timedelta(days=1)
    known = {item.id for item in items}
    questions = []
    for asked in sample["qa"]:
        gold = tuple(name for name in _labels(asked) if name in known)
        if gold:
            questions.append(Question(str(asked["question"]), CATEGORIES[asked["category"]], gold, now))
    return Corpus(str(sample["sample_id"]), items, questions), len(sample["qa"]) - len(questions)


def _turns(conversation: Mapping[str, Any]) -> Iterator[Item]:
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        name = f"session_{number}"
        begin = _moment(conversation[f"{name}_date_time"])
        for place, turn in enumerate(conversation[name]):
            caption = turn.get("blip_caption")
            text = f"{turn['text']} [shows {caption}]" if caption else turn["text"]
            yield Item(turn["dia_id"], text, begin + place * _BETWEEN_TURNS, session=name, speaker=turn["speaker"])


def _labels(asked: Mapping[str, Any]) -> list[str]:
    """The ids in the labels, each once. One label may hold several, and some are misspelled."""
    labels = asked.get("evidence_audited") or asked.get("evidence") or ()
    found = (f"D{session}:{turn}" for label in labels for session, turn in _TURN.findall(str(label)))
    return list(dict.fromkeys(found))


def _moment(text: str) -> datetime:
    """`1:56 pm on 8 May, 2023`."""
    found = _WHEN.search(text)
    if found is None:
        raise ValueError(f"`{text}` is not a time of a LoCoMo session.")
    hour, minute, half, day, month, year = found.groups()
    moment = datetime.strptime(f"{day} {month} {year}", "%d %B %Y").replace(tzinfo=UTC)
    return moment.replace(hour=int(hour) % 12 + 12 * (half == "p"), minute=int(minute))
