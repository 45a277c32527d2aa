"""Stories are told, questions asked, and the answers compared with what they should cite."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recollect import Memory
from recollect.domain.answers.contexts import CitedAnswer, SentenceTime
from recollect.recall.words import words_of

_PLACE = Path(__file__).with_name("questions.toml")


@dataclass
class AnswerScore:
    """The counts of a run, and each failure in words."""

    answerable: int = 0
    right: int = 0  # everything that should be cited is, and what is past is told as past
    unanswerable: int = 0
    silent: int = 0
    sentences: int = 0
    made_up: int = 0  # sentences with a word that none of their citations has, or with none
    failures: list[str] = field(default_factory=list)


def stories(half: str = "all") -> list[dict[str, Any]]:
    """The stories of one half, or all of them."""
    found: list[dict[str, Any]] = tomllib.loads(_PLACE.read_text())["story"]
    return [story for story in found if half in ("all", story["half"])]


def told(memory: Memory, story: dict[str, Any]) -> None:
    """Have a memory listen to a story, in a space of its own."""
    for day, text in story["said"]:
        memory.add(text, at=f"{day}T09:00:00Z", space=story["name"])


def score(memory: Memory, found: Iterable[dict[str, Any]]) -> AnswerScore:
    """The answers to all questions of some stories, compared with what they should cite."""
    result = AnswerScore()
    for story in found:
        told(memory, story)
        for question in story["questions"]:
            answer = memory.answer(question["asked"], space=story["name"])
            _compare(question, answer, result)
    return result


def _compare(question: dict[str, Any], answer: CitedAnswer, result: AnswerScore) -> None:
    result.sentences += len(answer.sentences)
    result.made_up += sum(not _is_said(answer, place) for place in range(len(answer.sentences)))
    quotes = " ".join(citation.quote for citation in answer.citations)
    if "cited" not in question:
        result.unanswerable += 1
        result.silent += not answer
        if answer:
            result.failures.append(f"{question['asked']} should have no answer: {answer.text!r}")
        return
    result.answerable += 1
    current = " ".join(sentence.text for sentence in answer.sentences if sentence.time is SentenceTime.CURRENT)
    stale = [word for word in question.get("past", ()) if word in current]
    missing = [word for word in question["cited"] if word not in quotes]
    result.right += not (missing or stale)
    if missing or stale:
        result.failures.append(f"{question['asked']} lacks {missing}, stale {stale}: {answer.text!r}")


def _is_said(answer: CitedAnswer, place: int) -> bool:
    sentence = answer.sentences[place]
    quotes = [each.quote for each in answer.citations if each.number in sentence.citations]
    known = {word for quote in quotes for word in words_of(quote)}
    return bool(quotes) and known.issuperset(words_of(sentence.text))
