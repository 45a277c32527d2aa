"""The history that is played: mistakes, how each became known, and the acts of every session."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from recollect.domain.triggers import parsed_trigger
from recollect.recall.reminders.act import Act, act_of, meets

MISTAKES = Path(__file__).with_name("mistakes.toml")
EVERYDAY = 25  # acts of a session that nothing is known about
REPEATED = 3  # mistakes that a session would repeat
BEFORE, AFTER = 3, 2  # ordinary acts before a mistake is made, and at most so many until it is known
_MADE = ("lesson", "note")  # ways to become known that begin with an act; the others say by themselves when they count


@dataclass(frozen=True)
class Doing:
    """One act of an agent: a command, or a file that is edited."""

    spelled: str

    @property
    def arguments(self) -> dict[str, Any]:
        if self.spelled.startswith("$ "):
            return {"command": self.spelled[2:]}
        return {"files": [self.spelled.removeprefix("edit ")]}

    @property
    def act(self) -> Act:
        return act_of(self.arguments.get("files", ()), self.arguments.get("command", ""), ())


@dataclass(frozen=True)
class Mistake:
    """A mistake that became known in one of several ways."""

    number: int
    known: str
    acts: tuple[Doing, ...]
    fine: tuple[Doing, ...]
    text: str = ""
    when: tuple[str, ...] = ()
    anchor: str = ""
    failed: str = ""
    worked: str = ""
    first: Doing | None = None  # the act that was done when it went wrong

    def is_about(self, doing: Doing) -> bool:
        """Whether it is right to tell it before an act: its own, the same command or step, or one it asks for."""
        if doing in self.fine:
            return False
        if (
            doing == self.first
            or doing in self.acts
            or any(meets(doing.act, parsed_trigger(each)) for each in self.when)
        ):
            return True
        acts = self.acts if self.first is None else (self.first, *self.acts)
        if _heads(doing) & {head for act in acts for head in _heads(act)}:
            return True
        programs = {head[0] for act in acts for head in _heads(act)}
        steps = frozenset.intersection(*(act.act.steps for act in acts))
        return len(programs) > 1 and bool(steps & doing.act.steps)  # it is about the step, whatever program takes it


@dataclass(frozen=True)
class BusySession:
    """A session: mistakes that become known in it, and its acts, each with the mistake that it would repeat.

    `made` has for each mistake that becomes known the acts before that; none if nobody saw how it was made.
    """

    name: str
    learned: tuple[Mistake, ...]
    acts: tuple[tuple[Doing, Mistake | None], ...]
    made: tuple[tuple[Doing, ...], ...] = ()


@dataclass(frozen=True)
class History:
    """All sessions, and what is known from the start: each lesson with the ordinary acts before it."""

    sessions: tuple[BusySession, ...]
    notes: tuple[str, ...]
    lessons: tuple[tuple[str, tuple[Doing, ...]], ...]
    mistakes: tuple[Mistake, ...] = field(default=())


def history(
    sessions: int, *, half: str = "all", seed: int = 7, file: Path = MISTAKES, unseen_acts: bool = False
) -> History:
    """A history of so many sessions. `half` is `looking`, `final` or `all`.

    With `unseen_acts` nobody saw how mistakes were made: their texts come from nowhere, and every act is a repeat.
    """
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    mistakes = tuple(_mistakes(data["mistake"], half, unseen_acts))
    everyday = tuple(map(Doing, data["everyday"]["acts"]))
    played = tuple(_sessions(sessions, mistakes, everyday, random.Random(seed)))
    background, chance = data["background"], random.Random(seed + 1)
    around = 0 if unseen_acts else BEFORE
    lessons = tuple((text, tuple(chance.choices(everyday, k=around))) for text in background["lessons"])
    if not unseen_acts:
        made = partial(_made, everyday=everyday, chance=chance)
        played = tuple(replace(each, made=tuple(map(made, each.learned))) for each in played)
    return History(played, tuple(background["notes"]), lessons, mistakes)


def _mistakes(entries: Sequence[dict[str, Any]], half: str, unseen_acts: bool) -> Iterator[Mistake]:
    for number, entry in enumerate(entries):
        if half == "all" or (half == "final") == bool(number % 2):
            listed = {name: tuple(map(Doing, entry[name])) for name in ("acts", "fine")}
            known = ("first", "when", *listed)
            rest: dict[str, Any] = {name: value for name, value in entry.items() if name not in known}
            first = Doing(entry["first"]) if "first" in entry else None
            if first is None and entry["known"] in _MADE and not unseen_acts:
                first, *repeats = listed["acts"]
                listed["acts"] = tuple(repeats)
            yield Mistake(number, when=tuple(entry.get("when", ())), first=first, **{**rest, **listed})


def _made(mistake: Mistake, everyday: Sequence[Doing], chance: random.Random) -> tuple[Doing, ...]:
    """The acts until a mistake is known: the one that went wrong among ordinary ones."""
    if mistake.first is None:
        return ()
    before, after = chance.choices(everyday, k=BEFORE), chance.choices(everyday, k=chance.randint(1, AFTER))
    return (*before, mistake.first, *after)


def _sessions(
    many: int, mistakes: Sequence[Mistake], everyday: Sequence[Doing], chance: random.Random
) -> Iterator[BusySession]:
    """Mistakes become known over the first half of the sessions; each later one repeats some of those."""
    waiting: list[tuple[Doing, Mistake]] = []
    for number in range(many):
        first, last = (len(mistakes) * 2 * each // many for each in (number, number + 1))
        learned = tuple(mistakes[first:last])
        known = mistakes[: min(first, len(mistakes))]
        acts: list[tuple[Doing, Mistake | None]] = [(each, None) for each in chance.choices(everyday, k=EVERYDAY)]
        for _ in range(REPEATED if known else 0):
            if not waiting:
                waiting = [(act, mistake) for mistake in known for act in mistake.acts]
                chance.shuffle(waiting)
            acts.append(waiting.pop())
        acts += [(each, None) for mistake in chance.sample(known, min(3, len(known))) for each in mistake.fine[:1]]
        chance.shuffle(acts)
        yield BusySession(f"session-{number:03}", learned, tuple(acts))


def _heads(doing: Doing) -> set[tuple[str, ...]]:
    return {each.bare[:2] for each in doing.act.commands if each.bare} if doing.spelled.startswith("$ ") else set()
