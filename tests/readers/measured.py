"""How well statements are read from messages: a table per attribute, and how fast.

`python -m tests.readers.measured` scores the labelled set of the tests. With `--data FOLDER`, or
`RECOLLECT_BENCH_DATA`, it also scores the knowledge-update worlds of that folder, which are not part of the project.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.domain.observations import Message
from recollect.domain.periods import Period
from recollect.domain.readings import UNRESOLVED, Modality, Polarity, Reader, ReadingContext, Statement, Tense
from recollect.readers.rules.reader import RulesReader
from recollect.remember.pipeline import accepted

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True, slots=True)
class Case:
    """One utterance and what must be read from it."""

    text: str
    at: datetime
    speaker: str | None
    expect: tuple[Mapping[str, Any], ...]
    file: str


@dataclass(slots=True)
class Score:
    """Counts of one attribute: rightly found, found but not there, there but not found."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


@dataclass(slots=True)
class Scores:
    """All counts, and the cases that went wrong, with what was read instead."""

    by_attribute: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    failures: list[tuple[Case, list[Mapping[str, Any]], list[Statement]]] = field(default_factory=list)
    noise: list[tuple[Case, tuple[Statement, ...]]] = field(default_factory=list)
    cases: int = 0

    @property
    def overall(self) -> Score:
        total = Score()
        for score in self.by_attribute.values():
            total.right += score.right
            total.wrong += score.wrong
            total.missed += score.missed
        return total


def cases(folder: Path = CASES) -> list[Case]:
    """The labelled set, in the order of its files."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            at = datetime.fromisoformat(record["at"].replace("Z", "+00:00"))
            found.append(Case(record["text"], at, record.get("speaker"), tuple(record["expect"]), path.stem))
    return found


RULES = RulesReader()


def extract(text: str, *, at: datetime, speaker: str | None = None, reader: Reader = RULES) -> tuple[Statement, ...]:
    """The statements that a reader reads from one message."""
    return reader.read(Message("user", text, at, speaker), ReadingContext()).statements


def scored(labelled: Iterable[Case], reader: Reader = RULES) -> Scores:
    """What a reader makes of the labelled set. A statement that misses one label is wrong, and one is missed."""
    scores = Scores()
    for case in labelled:
        scores.cases += 1
        found = list(extract(case.text, speaker=case.speaker, at=case.at, reader=reader))
        if not case.expect and not all(map(_is_offered, found)):
            scores.noise.append((case, tuple(found)))
        missing = []
        for expected in case.expect:
            match = next((statement for statement in found if fits(statement, expected)), None)
            if match is None:
                missing.append(expected)
                scores.by_attribute[expected["attribute"]].missed += 1
            else:
                found.remove(match)
                scores.by_attribute[expected["attribute"]].right += 1
        found = [statement for statement in found if not _is_offered(statement)]
        for statement in found:
            scores.by_attribute[statement.attribute].wrong += 1
        if missing or found:
            scores.failures.append((case, missing, found))
    return scores


def _is_offered(statement: Statement) -> bool:
    """Whether a statement only offers an end of something to memory: it says nothing if nothing is known of it."""
    return statement.attribute == UNRESOLVED and statement.polarity is Polarity.ENDED


def fits(statement: Statement, expected: Mapping[str, Any]) -> bool:
    """Whether a statement is the expected one. Tense counts for what is asserted; times where they are labelled."""
    modality = expected.get("modality", "asserted")
    return (
        statement.subject == expected["subject"]
        and statement.attribute == expected["attribute"]
        and plain(statement.value) == plain(expected["value"])
        and statement.polarity == expected.get("polarity", "affirmed")
        and statement.modality == modality
        and (
            statement.tense == expected.get("tense", "present") or (modality != "asserted" and "tense" not in expected)
        )
        and _begins(statement.since, expected.get("since"))
        and _begins(statement.until, expected.get("until"))
        and ("corrects" not in expected or statement.corrects == expected["corrects"])
        and ("replaces" not in expected or plain(statement.replaces or "") == plain(expected["replaces"]))
    )


def plain(value: str) -> str:
    """A value as it is compared: lower case, without article, quotes and final punctuation."""
    low = value.casefold().strip(" `\"'“”.,;")
    return re.sub(r"^(?:a|an|the|my|our)\s+", "", low)


def _begins(period: Period | None, expected: str | None) -> bool:
    return expected is None or (period is not None and period.start.isoformat().startswith(expected))


def printed(scores: Scores, *, failures: bool = False) -> Iterator[str]:
    """The table, line by line."""
    total = scores.overall
    yield f"{scores.cases} utterances: precision {total.precision:.3f}, recall {total.recall:.3f}"
    yield f"{'attribute':28} {'right':>6} {'wrong':>6} {'missed':>6} {'precision':>10} {'recall':>7}"
    for name, score in sorted(scores.by_attribute.items()):
        yield f"{name:28} {score.right:6} {score.wrong:6} {score.missed:6} {score.precision:10.2f} {score.recall:7.2f}"
    yield f"statements where there must be none: {sum(len(found) for _, found in scores.noise)}"
    if failures:
        for case, missing, found in scores.failures:
            yield f"[{case.file}] {case.text!r}"
            for expected in missing:
                yield f"    missed {dict(expected)}"
            for statement in found:
                yield f"    read   {brief(statement)}"


def brief(statement: Statement) -> str:
    marks = [
        *([statement.polarity.value] if statement.polarity is not Polarity.AFFIRMED else []),
        *([statement.modality.value] if statement.modality is not Modality.ASSERTED else []),
        *([statement.tense.value] if statement.tense is not Tense.PRESENT else []),
        *([f"since {statement.since.start.date()}"] if statement.since else []),
        *([f"until {statement.until.start.date()}"] if statement.until else []),
        *(["corrects"] if statement.corrects else []),
        *([f"replaces {statement.replaces}"] if statement.replaces else []),
    ]
    key = f"{statement.subject}.{statement.attribute}"
    return f"{key} = {statement.value} ({', '.join(marks)}) {statement.confidence} | {statement.text}"


# --- the worlds of knowledge updates --------------------------------------------------------------------------------

# Kinds of messages that state their value, and kinds that must not be read as a fact about the speaker.
TELLING = ("assert", "upd", "imp", "corr", "wrong", "back", "future", "restate", "multi", "retract")


def worlds_scored(path: Path) -> Iterator[str]:
    """Per kind: how often the value is found, and whether messages of one slot meet under one subject and attribute."""
    worlds = json.loads(path.read_text(encoding="utf-8"))["worlds"]
    told: Counter[str] = Counter()
    found_value: Counter[str] = Counter()
    same_key: Counter[str] = Counter()
    trapped: Counter[str] = Counter()
    filler = filler_with = filler_statements = 0
    keys: dict[tuple[int, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    readings: list[tuple[int, str, str, list[tuple[str, str]]]] = []
    for world in worlds:
        for message in world["messages"]:
            truth = world["truth"][message["id"]]
            kind, slot, value = truth["kind"], truth["slot"], truth["value"]
            at = datetime.fromisoformat(message["ts"]).replace(tzinfo=UTC, hour=12)
            statements = extract(message["text"], at=at)
            if kind == "filler":
                filler += 1
                kept = accepted(statements).facts
                filler_with += bool(kept)
                filler_statements += len(kept)
                continue
            told[kind] += 1
            if kind in ("hyp", "third"):
                kept = accepted(statements).facts
                if any(
                    value and holds(fact.value, value) and fact.subject in ("user", "project", _own(slot))
                    for fact in kept
                ):
                    trapped[kind] += 1
                continue
            matching = [
                s for s in statements if s.modality is Modality.ASSERTED and (value is None or holds(s.value, value))
            ]
            if value is None:
                matching = [s for s in matching if s.polarity is not Polarity.AFFIRMED]
            found_value[kind] += bool(matching)
            pairs = [(s.subject, s.attribute) for s in matching]
            readings.append((world["world"], slot, kind, pairs))
            for pair in pairs:
                if pair[1] != UNRESOLVED:
                    keys[world["world"], slot][pair] += 1
    for world_id, slot, kind, pairs in readings:
        usual = keys[world_id, slot].most_common(1)
        same_key[kind] += bool(usual) and usual[0][0] in pairs
    yield f"{'kind':10} {'messages':>8} {'value':>7} {'same key':>9}"
    for kind in TELLING:
        if told[kind]:
            yield f"{kind:10} {told[kind]:8} {found_value[kind] / told[kind]:7.1%} {same_key[kind] / told[kind]:9.1%}"
    for kind in ("hyp", "third"):
        if told[kind]:
            yield f"{kind:10} {told[kind]:8} {trapped[kind] / told[kind]:7.1%} taken for a fact of the speaker"
    if filler:
        facts = f"{filler_statements / filler:.1%} facts per message"
        yield f"filler     {filler:8} {filler_with / filler:7.1%} with a fact, {facts}"


def _own(slot: str) -> str:
    return {"db": "thing:billing", "deploy": "thing:api", "python": "thing:worker"}.get(slot, "")


def holds(said: str, value: str) -> bool:
    """Whether a value holds another one, in its words."""
    return plain(value) in plain(said)


# --- how fast -------------------------------------------------------------------------------------------------------


def messages_per_second(texts: Sequence[str], *, seconds: float = 2.0) -> float:
    at = datetime(2026, 3, 9, 10, 30, tzinfo=UTC)
    read = 0
    begin = time.process_time()  # of this process: what else the machine does is not counted
    while time.process_time() - begin < seconds:
        for text in texts:
            extract(text, at=at)
        read += len(texts)
    return read / (time.process_time() - begin)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.readers.measured", description=__doc__)
    parser.add_argument("--data", default=os.environ.get("RECOLLECT_BENCH_DATA", ""), help="folder with the data sets")
    parser.add_argument("--failures", action="store_true", help="show every utterance that was read wrong")
    arguments = parser.parse_args()
    labelled = cases()
    print("\n".join(printed(scored(labelled), failures=arguments.failures)))
    texts = [case.text for case in labelled]
    size = sum(map(len, texts)) / len(texts)
    print(f"\nspeed: {messages_per_second(texts):,.0f} messages/s of {size:.0f} characters, one core")
    folder = Path(arguments.data) if arguments.data else None
    for name, table in (("updates-dev.json", worlds_scored),):
        print(f"\n{name}")
        path = folder / name if folder is not None else None
        if path is None or not path.exists():
            print("  not here; give its folder with --data or RECOLLECT_BENCH_DATA.")
            continue
        for line in table(path):
            print("  " + line)


if __name__ == "__main__":
    main()
