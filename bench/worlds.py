"""Worlds of our own for the knowledge-update benchmark: dated messages, what is true, and questions with answers.

`python -m bench.worlds --seed 7 --worlds 20 > worlds.json` makes a bank in the format of `updates-dev.json`;
`--check` says whether the answers are consistent, of a file too. Slots, wordings, questions and chatter are data, in
`wordings`; `--wordings` names another folder, and without it worlds in the words of different people take turns. The
same seed makes the same worlds.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from bench.consistency import problems_in, problems_of_slots
from recollect.domain.dataclass import dataclass, field

World: TypeAlias = dict[str, Any]

WORDINGS = Path(__file__).parent / "wordings"
_OTHER = WORDINGS / "other"

_FIRST_STARTS, _LAST_STARTS = date(2022, 1, 3), date(2025, 2, 24)
_SINGLE, _MANY, _ABSENT = 12, 2, 3  # slots of either kind, and questions without an answer, per world
_FILLERS = 150  # messages per world that say nothing of any slot
_ACRONYMS_WITH_AN = "AEFHILMNORSX"  # spoken letter by letter they begin with a vowel


@dataclass(frozen=True, slots=True)
class Chances:
    """How often what happens, from 0 to 1, and how many days lie between."""

    lengths: tuple[float, ...] = (0.2, 0.3, 0.3, 0.2)  # of one, two, three, four values in a row
    correction: float = 0.2  # the first value was never true
    implicit: float = 0.4  # of the changes
    future: float = 0.15  # of the changes
    return_: float = 0.1  # a third value that is the first one again
    retraction: float = 0.25
    restated_now: float = 0.5
    restated_then: float = 0.2
    traps: Mapping[str, float] = field(default_factory=lambda: {"hyp": 0.6, "third": 0.6, "back": 0.5})
    first: tuple[int, int] = (5, 60)
    until_corrected: tuple[int, int] = (3, 10)
    until_changed: tuple[int, int] = (50, 115)
    ahead: tuple[int, int] = (10, 40)  # how long before it begins something future is said


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that can be known: whose it is, its values, how people say it and how they ask for it."""

    name: str
    attribute: str
    values: tuple[str, ...]
    says: Mapping[str, tuple[str, ...]]
    questions: Mapping[str, tuple[str, ...]]
    subject: str = "user"
    many: bool = False


@dataclass(frozen=True, slots=True)
class Bank:
    """Everything worlds are made of."""

    slots: tuple[Slot, ...]
    fillers: tuple[str, ...]
    absent: tuple[str, ...]


@dataclass(slots=True)
class Said:
    """A message to be. Its id is known when all of them are in order."""

    day: date
    text: str
    kind: str = "filler"
    slot: str | None = None
    value: str | None = None
    since: date | None = None
    until: date | None = None
    id: str = ""


@dataclass(slots=True)
class Version:
    """A value, since when it holds, and the messages that say so: first the one that brought it."""

    value: str | None
    since: date
    said: list[Said]


@cache
def load_bank(folder: Path = WORDINGS) -> Bank:
    """The slots of every .toml file of a folder, and the lines of fillers.txt and absent.txt, its own or ours."""
    entries = [entry for file in sorted(folder.glob("*.toml")) for entry in tomllib.loads(file.read_text())["slot"]]
    fillers, absent = (_lines(_own_or_ours(folder, name)) for name in ("fillers.txt", "absent.txt"))
    return Bank(tuple(map(_slot, entries)), fillers, absent)


def own_banks() -> tuple[Bank, ...]:
    """The slots that come along, in the words of different people."""
    return load_bank(), load_bank(_OTHER)


def _own_or_ours(folder: Path, name: str) -> Path:
    return folder / name if (folder / name).exists() else WORDINGS / name


def make_worlds(count: int, *, seed: int, bank: Bank | None = None, chances: Chances | None = None) -> dict[str, Any]:
    """A bank of worlds in the format of the shared one. `slots` says what to call each when facts are handed over.

    Without a bank they are made of our own ones, in turns.
    """
    banks = (bank,) if bank is not None else own_banks()
    chances = chances or Chances()
    worlds = [
        world_of(number, banks[number % len(banks)], chances, Random(f"{seed}/{number}")) for number in range(count)
    ]
    slots = [slot for each in banks for slot in each.slots]
    names = {slot.name: {"subject": slot.subject, "attribute": slot.attribute} for slot in slots}
    return {"seed": seed, "slots": names, "worlds": worlds}


def world_of(number: int, bank: Bank, chances: Chances, rng: Random) -> World:
    """One world of a bank, with its questions."""
    single = [slot for slot in bank.slots if not slot.many]
    many = [slot for slot in bank.slots if slot.many]
    start = _FIRST_STARTS + timedelta(days=rng.randrange((_LAST_STARTS - _FIRST_STARTS).days))
    said: list[Said] = []
    lines: list[tuple[Slot, list[Version], list[Said]]] = []
    for slot in rng.sample(single, min(_SINGLE, len(single))):
        versions, never_true = _line_of(slot, start, chances, rng)
        said += [each for version in versions for each in version.said] + never_true
        lines.append((slot, versions, never_true))
    sets = [(slot, _values_of(slot, start, rng)) for slot in rng.sample(many, min(_MANY, len(many)))]
    said += [each for _, values in sets for each in values]
    now = max(each.since or each.day for each in said) + timedelta(days=rng.randint(20, 60))
    traps = {slot.name: _traps(slot, versions, wrong, now, chances, rng) for slot, versions, wrong in lines}
    said += [each for laid in traps.values() for each in laid]
    for text in rng.sample(bank.fillers, min(_FILLERS, len(bank.fillers))):
        said.append(Said(start + timedelta(days=rng.randrange((now - start).days)), text))

    rng.shuffle(said)  # so that nothing can be told from the order within a day
    said.sort(key=lambda each: each.day)
    for place, each in enumerate(said):
        each.id = f"w{number}m{place}"
    asked: list[dict[str, Any]] = []
    for slot, versions, wrong in lines:
        asked += _questions(slot, versions, wrong, traps[slot.name], rng)
    for slot, values in sets:
        asked += [_question("multi", slot, q, gold=values) for q in _some(slot.questions["multi"], 2, rng)]
    asked += [_question("absent", None, q) for q in _some(bank.absent, _ABSENT, rng)]
    return {
        "world": number,
        "messages": [{"id": each.id, "ts": each.day.isoformat(), "text": each.text} for each in said],
        "truth": {each.id: _truth(each) for each in said},
        "queries": [{"qid": f"w{number}q{place}", **each, "now": now.isoformat()} for place, each in enumerate(asked)],
    }


# -- one slot over time ------------------------------------------------------------------------------------------------


def _line_of(slot: Slot, start: date, chances: Chances, rng: Random) -> tuple[list[Version], list[Said]]:
    """The versions of a slot in order, the last of them perhaps its end; and what was said but never true."""
    length = rng.choices((1, 2, 3, 4), chances.lengths)[0]
    values = rng.sample(slot.values, length + 1)
    unused = values.pop()
    if length >= 3 and rng.random() < chances.return_:
        values[2] = values[0]
    day = _later(start, chances.first, rng)
    never_true: list[Said] = []
    if rng.random() < chances.correction:
        never_true.append(_say(slot, "wrong", day, rng, value=unused))
        day = _later(day, chances.until_corrected, rng)
        first = _say(slot, "corr", day, rng, value=values[0], wrong=unused)
    else:
        first = _say(slot, "assert", day, rng, value=values[0])
    versions = [Version(values[0], day, [first])]
    for value in values[1:]:
        versions.append(_change(slot, versions[-1], value, chances, rng))
    if "retract" in slot.says and rng.random() < chances.retraction:
        held = versions[-1]
        day = _later(held.since, chances.until_changed, rng)
        versions.append(Version(None, day, [_say(slot, "retract", day, rng, old=held.value)]))
    _restate(slot, versions, chances, rng)
    return versions, never_true


def _change(slot: Slot, held: Version, value: str, chances: Chances, rng: Random) -> Version:
    day = _later(held.since, chances.until_changed, rng)
    lot = rng.random()
    if lot < chances.future and "future" in slot.says:
        since = _later(day, chances.ahead, rng)
        return Version(value, since, [_say(slot, "future", day, rng, value=value, since=since)])
    kind = "imp" if lot < chances.future + chances.implicit else "upd"
    return Version(value, day, [_say(slot, kind, day, rng, value=value, old=held.value)])


def _restate(slot: Slot, versions: Sequence[Version], chances: Chances, rng: Random) -> None:
    """Let some versions be said again: the last one after it began, earlier ones before the next is spoken of."""
    for place, version in enumerate(versions):
        last = place == len(versions) - 1
        if version.value is None or rng.random() >= (chances.restated_now if last else chances.restated_then):
            continue
        begin = version.since + timedelta(days=5)
        end = begin + timedelta(days=50) if last else versions[place + 1].said[0].day - timedelta(days=3)
        if begin < end:
            day = begin + timedelta(days=rng.randrange((end - begin).days))
            version.said.append(_say(slot, "restate", day, rng, value=version.value))


def _traps(
    slot: Slot, versions: Sequence[Version], wrong: Sequence[Said], now: date, chances: Chances, rng: Random
) -> list[Said]:
    """What sounds like an answer and is none: long ago, only thought of, or somebody else's."""
    taken = {version.value for version in versions} | {each.value for each in wrong}
    free = [value for value in slot.values if value not in taken] or list(slot.values)
    begin = versions[0].said[0].day + timedelta(days=3)
    laid = []
    for kind, chance in chances.traps.items():
        if rng.random() < chance:
            day = begin + timedelta(days=rng.randrange((now - begin).days))
            year = begin.year - rng.randint(3, 9) if kind == "back" else None
            laid.append(_say(slot, kind, day, rng, value=rng.choice(free), year=year))
    return laid


def _values_of(slot: Slot, start: date, rng: Random) -> list[Said]:
    day, said = start, []
    for value in rng.sample(slot.values, rng.randint(2, min(4, len(slot.values)))):
        day = _later(day, (10, 110), rng)
        said.append(_say(slot, "multi", day, rng, value=value))
    return said


# -- questions ---------------------------------------------------------------------------------------------------------


def _questions(
    slot: Slot, versions: Sequence[Version], wrong: Sequence[Said], traps: Sequence[Said], rng: Random
) -> list[dict[str, Any]]:
    last = versions[-1]
    stale = [each for version in versions if version.value != last.value for each in version.said]
    changed = len(versions) > 1
    kind = "retracted" if last.value is None else "current" if changed or wrong else "stable"
    asked = [
        _question(kind, slot, text, gold=last.said, stale=[*stale, *wrong], traps=traps)
        for text in _some(slot.questions["current"], 2, rng)
    ]
    for version, following in pairwise(versions):
        day = _day_within(version, following, rng)
        if day is not None:
            others = [each for other in versions if other.value != version.value for each in other.said]
            text = rng.choice(slot.questions["as_of"]).format(month=f"{day:%B %Y}")
            asked.append(
                _question("as_of", slot, text, gold=version.said, stale=[*others, *wrong], traps=traps, as_of=day)
            )
    if changed:
        brought = [version.said[0] for version in versions]
        text = rng.choice(slot.questions["history"])
        asked.append(_question("history", slot, text, gold=brought, traps=traps))
        text = rng.choice(slot.questions["when_changed"])
        asked.append(_question("when_changed", slot, text, gold=brought[-1:], stale=brought[:-1], traps=traps))
    return asked


def _day_within(version: Version, following: Version, rng: Random) -> date | None:
    """The middle of a month in which a version held, if there is one: best after the next was already announced."""
    days = [version.since + timedelta(days=ahead) for ahead in range(2, (following.since - version.since).days - 1)]
    middles = [day for day in days if day.day == 15]
    announced = [day for day in middles if day > following.said[0].day]
    return rng.choice(announced or middles) if middles else None


def _question(
    kind: str,
    slot: Slot | None,
    text: str,
    *,
    gold: Sequence[Said] = (),
    stale: Sequence[Said] = (),
    traps: Sequence[Said] = (),
    as_of: date | None = None,
) -> dict[str, Any]:
    return {
        "type": kind,
        "slot": slot.name if slot else None,
        "q": text,
        "as_of": as_of.isoformat() if as_of else None,
        "gold": [each.id for each in gold],
        "stale": [each.id for each in stale],
        "traps": [each.id for each in traps],
    }


# -- words -------------------------------------------------------------------------------------------------------------


def _say(
    slot: Slot,
    kind: str,
    day: date,
    rng: Random,
    *,
    value: str | None = None,
    old: str | None = None,
    wrong: str | None = None,
    since: date | None = None,
    year: int | None = None,
) -> Said:
    words: dict[str, str] = {"date": _written(since, rng) if since else "", "year": str(year)}
    for name, worth in (("v", value or ""), ("old", old or ""), ("wrong", wrong or "")):
        words |= {name: worth, name.capitalize(): worth[:1].upper() + worth[1:]}
        words |= {f"a_{name}": f"{_article(worth)} {worth}", f"A_{name}": f"{_article(worth).capitalize()} {worth}"}
    if year is not None:
        since, until = date(year, 1, 1), date(year + 1, 1, 1)
    else:
        until = None
    text = rng.choice(slot.says[kind]).format(**words)
    return Said(day, text, kind, slot.name, value, since, until)


def _written(day: date, rng: Random) -> str:
    """A date, in one of the ways in which people write it."""
    ending = "th" if 11 <= day.day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return rng.choice(
        (f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}", f"the {day.day}{ending} of {day:%B %Y}")
    )


def _article(value: str) -> str:
    if value[:2].isupper():
        return "an" if value[0] in _ACRONYMS_WITH_AN else "a"
    return "an" if value[:1].lower() in "aeiou" else "a"


def _truth(said: Said) -> dict[str, str | None]:
    truth = {"slot": said.slot, "value": said.value, "kind": said.kind}
    if said.since:
        truth["since"] = said.since.isoformat()
    if said.until:
        truth["until"] = said.until.isoformat()
    return truth


def _later(day: date, days: tuple[int, int], rng: Random) -> date:
    return day + timedelta(days=rng.randint(*days))


def _some(texts: Sequence[str], count: int, rng: Random) -> list[str]:
    return rng.sample(texts, min(count, len(texts)))


def _slot(entry: Mapping[str, Any]) -> Slot:
    facts = {name: entry[name] for name in ("name", "attribute", "subject", "many") if name in entry}
    says = {name: tuple(texts) for name, texts in entry.items() if name not in (*facts, "values", "questions")}
    questions = {name: tuple(texts) for name, texts in entry["questions"].items()}
    return Slot(values=tuple(entry["values"]), says=says, questions=questions, **facts)


def _lines(file: Path) -> tuple[str, ...]:
    return tuple(line for line in file.read_text(encoding="utf-8").splitlines() if line.strip())


# -- the command -------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.worlds", description="Make worlds, or check their answers.")
    parser.add_argument("--seed", type=int, default=7, help="the same seed makes the same worlds; default: 7")
    parser.add_argument("--worlds", type=int, default=20, metavar="N", help="how many; default: 20")
    parser.add_argument(
        "--wordings", type=Path, metavar="FOLDER", help="slots and their wordings; default: all of ours"
    )
    parser.add_argument("--slots", metavar="NAME,NAME", help="only these slots")
    parser.add_argument("--check", nargs="?", const="", metavar="FILE", help="check them, or those of a file, instead")
    asked = parser.parse_args(arguments)
    bank = load_bank(asked.wordings) if asked.wordings else None
    if asked.slots:
        wanted, given = set(asked.slots.split(",")), bank or load_bank()
        bank = Bank(tuple(slot for slot in given.slots if slot.name in wanted), given.fillers, given.absent)
    if asked.check:
        made, problems = json.loads(Path(asked.check).read_text(encoding="utf-8")), []
    else:
        made = make_worlds(asked.worlds, seed=asked.seed, bank=bank)
        problems = [each for one in ((bank,) if bank else own_banks()) for each in problems_of_slots(one.slots)]
    if asked.check is None:
        print(json.dumps(made, indent=1, ensure_ascii=False))
        return 0
    problems += [problem for world in made["worlds"] for problem in problems_in(world)]
    for problem in problems:
        print(problem)
    kinds = Counter(query["type"] for world in made["worlds"] for query in world["queries"])
    counted = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    print(f"{len(made['worlds'])} worlds with {kinds.total():,} questions ({counted}): {len(problems)} problems.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
