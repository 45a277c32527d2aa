"""Pure: what is worth keeping of many observations, without a model: in the very words that were said.

A sentence is kept if it was said in several sessions, or if it says of itself that it is a decision or a lesson. A
command that failed in several sessions is kept with the one that worked after it. Nothing else is made of anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from recollect.domain.answers.sessions import Insight
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Kind
from recollect.domain.observations import Activity, Observation, ObservationKind
from recollect.language.english.sentences import tells_a_decision, tells_a_lesson
from recollect.language.english.small_words import STOP_WORDS
from recollect.recall.cited.draft import is_said_by, said_evidence
from recollect.recall.fence import seen
from recollect.recall.reminders.failures import asked_of, past_failures
from recollect.recall.reminders.shell_line import commands_in
from recollect.recall.words import stem, words_of
from recollect.remember.pipeline import masked

MOST_INSIGHTS = 5  # of one part at a time: a person has to look at each
MOST_CLAIMS = 100  # sentences that are compared with what was said before
_SESSIONS = 2  # in which something must have been said, or have failed
_ALIKE = 0.6  # share of telling words that two sentences have in common which say the same
_SHORTEST, _LONGEST = 15, 300  # characters of a sentence
_FEWEST_WORDS = 3  # telling ones
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an observation that may be worth keeping, and what it says of itself, if anything."""

    text: str
    said: Observation
    sign: Kind | None
    words: frozenset[str]


def claims_of(observations: Iterable[Observation]) -> list[Claim]:
    """The sentences that people said, and what models and other agents called a lesson or a decision; newest first."""
    found: dict[str, Claim] = {}
    for each in sorted(observations, key=lambda each: (each.observed_at, each.id), reverse=True):
        own = is_own_word(each)
        if not own and each.kind not in _REPORTED:
            continue
        for text in _sentences(masked(each.text)):
            sign = Kind.SEMANTIC if tells_a_decision(text) else Kind.LESSON if tells_a_lesson(text) else None
            words = telling(text)
            if (own or sign) and len(words) >= _FEWEST_WORDS:
                found.setdefault(" ".join(words_of(text)), Claim(text, each, sign, words))
        if len(found) >= MOST_CLAIMS:
            break
    return list(found.values())[:MOST_CLAIMS]


def insights_of(claims: Sequence[Claim], earlier: Mapping[str, Sequence[Observation]]) -> list[Insight]:
    """Claims of several sessions, and those that are a lesson or a decision; the most often said first.

    `earlier` has, for the text of a claim, observations that may say the same.
    """
    found: list[tuple[int, Insight]] = []
    taken: list[Claim] = []
    for claim in claims:
        if any(likeness(claim.words, other.words) >= _ALIKE for other in taken):
            continue
        same = [each.said for each in claims if likeness(claim.words, each.words) >= _ALIKE]
        same += [each for each in earlier.get(claim.text, ()) if _says(each, claim)]
        said = {each.id: each for each in same}
        sessions = len({each.session_id for each in said.values()})
        if claim.sign is None and sessions < _SESSIONS:
            continue
        taken.append(claim)
        kind, why = claim.sign or Kind.PATTERN, _WHY[claim.sign]
        reason = f"said in {sessions} sessions" if sessions >= _SESSIONS else why
        found.append((sessions, Insight(claim.text, kind, reason, tuple(sorted(said)))))
    found.sort(key=lambda pair: -pair[0])
    return [insight for _, insight in found]


def failures_of(observations: Sequence[Observation]) -> list[Insight]:
    """Commands that failed in several sessions, each with the one that worked after it."""
    around: dict[str, list[Observation]] = {}
    for each in sorted(observations, key=lambda each: each.position):
        around.setdefault(each.session_id, []).append(each)
    runs = [each for each in observations if each.activity is Activity.COMMAND and each.title]
    failed = [each for each in runs if each.kind is ObservationKind.TOOL_FAILURE]
    commands = [command for each in failed for command in asked_of(commands_in(each.title or ""))]
    found = []
    for known in past_failures(commands, runs, around):
        if known.sessions >= _SESSIONS:
            text = f"`{known.failed.title}` failed; `{known.worked.title}` worked after it."
            sources = tuple(
                sorted({known.worked.id, *(each.id for each in failed if each.title == known.failed.title)})
            )
            found.append(Insight(seen(text), Kind.LESSON, f"failed in {known.sessions} sessions", sources))
    return found


def is_own_word(said: Observation) -> bool:
    """Whether a person said it."""
    return said.kind is ObservationKind.PROMPT or (said.kind is ObservationKind.MESSAGE and said.role == "user")


def telling(text: str) -> frozenset[str]:
    """The stems of the words that say something."""
    return frozenset(stem(word) for word in words_of(text) if word not in STOP_WORDS)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words that two sentences have in common."""
    return len(one & other) / len(one | other) if one or other else 0.0


def _says(said: Observation, claim: Claim) -> bool:
    return is_own_word(said) and any(
        likeness(claim.words, telling(each)) >= _ALIKE and is_said_by(claim.text, [said_evidence(said, each)])
        for each in _sentences(masked(said.text))
    )


def _sentences(text: str) -> Iterator[str]:
    """Sentences that are neither questions nor too short or long to be kept."""
    for found in _SENTENCE.findall(text):
        sentence = " ".join(found.split())
        if _SHORTEST <= len(sentence) <= _LONGEST and not sentence.endswith("?"):
            yield sentence


_REPORTED = frozenset({ObservationKind.MESSAGE, ObservationKind.SUBAGENT, ObservationKind.TASK})
_WHY = {Kind.SEMANTIC: "called a decision", Kind.LESSON: "called a lesson", None: ""}
