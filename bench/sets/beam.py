"""BEAM: long chats with an assistant, and questions by ability with the messages they draw on.

Told once with the messages of the user alone, which is where nearly all evidence stands, and once with all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.material import Corpus, DataSet, Item, Question

FOLDER = "beam-100k"
APART = frozenset({"summarization"})  # it draws on up to sixteen messages: ten places cannot hold them
ABSTENTION = "abstention"  # a known topic, the detail never told

_FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)  # of a chat that names none
_BETWEEN_MESSAGES = timedelta(minutes=5)


def load(folder: Path) -> list[DataSet]:
    chats = sorted((each for each in folder.iterdir() if (each / "chat.json").is_file()), key=_number)
    read = [(chat.name, _messages(_json(chat / "chat.json")), _json(chat / "probing_questions.json")) for chat in chats]
    return [
        _set("beam", read, {"user"}, "messages of the user"),
        _set("beam_all", read, {"user", "assistant"}, "messages of user and assistant"),
    ]


def _set(name: str, chats: Iterable[tuple[str, list[Item], Any]], roles: set[str], about: str) -> DataSet:
    corpora, dropped = [], 0
    for chat, messages, probes in chats:
        items = [message for message in messages if message.role in roles]
        now = items[-1].at + timedelta(days=1)
        questions = list(_questions(probes, {item.id for item in items}, now))
        unanswered = [Question(probe["question"], ABSTENTION, (), now) for probe in probes.get(ABSTENTION, ())]
        corpora.append(Corpus(f"chat-{chat}", items, questions, unanswered))
        dropped += sum(len(asked) for asked in probes.values()) - len(questions)
    return DataSet(name, corpora, apart=APART, dropped=dropped, about=about)


def _messages(batches: Any) -> list[Item]:
    """In their order, five minutes apart within a day that the chat names now and then."""
    items: list[Item] = []
    at = _FIRST_DAY
    for number, batch in enumerate(batches):
        for message in (message for turn in batch["turns"] for message in turn):
            named = message.get("time_anchor") or (
                batch.get("time_anchor") if message is batch["turns"][0][0] else None
            )
            at = max(at + _BETWEEN_MESSAGES, _day(named)) if named else at + _BETWEEN_MESSAGES
            items.append(
                Item(str(message["id"]), message["content"], at, session=f"batch-{number}", role=message["role"])
            )
    return items


def _questions(probes: Mapping[str, Any], known: set[str], now: datetime) -> Iterator[Question]:
    for ability, asked in probes.items():
        for probe in asked:
            sources = probe.get("source_chat_ids")
            parts = sources if isinstance(sources, dict) else {}
            gold = _ids(sources, known)
            older, newer = _ids(parts.get("original_info"), known), _ids(parts.get("updated_info"), known)
            if gold:
                yield Question(probe["question"], ability, gold, now, older, newer)


def _ids(sources: Any, known: set[str]) -> tuple[str, ...]:
    """The ids in however they are nested, each once; only those that were told."""
    if isinstance(sources, dict):
        sources = list(sources.values())
    if isinstance(sources, list):
        return tuple(dict.fromkeys(name for each in sources for name in _ids(each, known)))
    return (str(sources),) if str(sources) in known else ()


def _day(text: str) -> datetime:
    """`March-15-2024`."""
    return datetime.strptime(text, "%B-%d-%Y").replace(tzinfo=UTC)


def _number(folder: Path) -> tuple[int, str]:
    return (int(folder.name) if folder.name.isdigit() else 0), folder.name


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
