"""`python -m bench.graph.cascade [FILE] [--off] [--show]`: change a root and ask; end something and ask; erase and ask.

Each case is told to an empty memory, step by step at its dates, and asked once. Right is an answer that says which it
is: known, no longer known, never known, or doubtful, and that tells nothing erased at all and nothing that is over as
if it held. Without a file these are the cases for looking at. `--off` leaves out the embedding model, the judge and the
reranker; no language model is asked either way. `--show` prints the answers that are wrong.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from recollect import Memory
from recollect.domain.answers.contexts import CitedAnswer, SentenceTime
from recollect.domain.clock import SystemClock

LOOKING = Path(__file__).with_name("looking.jsonl")
KNOWN, ENDED, NEVER, DOUBTFUL = "known", "no longer known", "never known", "doubtful"
_OFF = {"embedding": "off", "judge": "off", "reranker": "off"}


class DatedClock(SystemClock):
    """A clock that shows a date and goes on by a second with each look."""

    def __init__(self) -> None:
        super().__init__()
        self.moment = datetime(2020, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment

    def turn_to(self, date: str) -> None:
        """Go to the morning of a date, never backwards."""
        self.moment = max(self.moment, datetime.fromisoformat(f"{date}T08:00:00+00:00"))


def main(arguments: Sequence[str]) -> int:
    """Score a file of cases by their kinds; 1 if fewer than nine in ten are right."""
    paths = [each for each in arguments if not each.startswith("--")]
    options = _OFF if "--off" in arguments else {}
    cases = [json.loads(line) for line in Path(paths[0] if paths else LOOKING).read_text("utf-8").splitlines()]
    right, number = Counter[str](), Counter[str]()
    for case in cases:
        found = asked(case, options)
        said, fault = judged(case, found)
        kind = f"{case['kind']}, {case['right']['state']}"
        right[kind] += not fault
        number[kind] += 1
        if fault and "--show" in arguments:
            print(f"{case['id']} {kind}: {fault}; told as {said}\n  asked: {case['ask']}\n  {found.answer.text}\n")
    for kind in sorted(number):
        print(f"{kind:28}{right[kind]:>4} of {number[kind]}")
    print(f"{'all':28}{right.total():>4} of {number.total()}  ({right.total() / number.total():.0%})")
    return int(right.total() < 0.9 * number.total())


@dataclass(frozen=True)
class Told:
    """The answer to the question of a case, and which steps each citation quotes, by their names."""

    answer: CitedAnswer
    steps: Mapping[int, str]

    @property
    def quoted(self) -> set[str]:
        return set(self.steps.values())


def asked(case: Mapping[str, Any], options: Mapping[str, Any]) -> Told:
    """Tell a case to an empty memory, and ask its question."""
    with told(case, options) as (memory, ids):
        return answered(memory, case["ask"], ids)


@contextmanager
def told(case: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[tuple[Memory, dict[str, list[str]]]]:
    """A memory that was told a case, with the ids of what each step wrote."""
    clock = DatedClock()
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(store=":memory:", home=folder, clock=clock, **options) as memory,
    ):
        ids: dict[str, list[str]] = {}
        for step in case["steps"]:
            clock.turn_to(step["at"])
            _do(memory, step, ids)
        memory.run_jobs()
        yield memory, ids


def answered(memory: Memory, question: str, ids: Mapping[str, Sequence[str]]) -> Told:
    """The answer to a question, and the steps that it quotes."""
    answer = memory.answer(question)
    named = {each: ref for ref, own in ids.items() for each in own}
    return Told(answer, {each.number: named[each.id] for each in answer.citations if each.id in named})


def _do(memory: Memory, step: Mapping[str, Any], ids: dict[str, list[str]]) -> None:
    """Carry one step out."""
    match step["do"]:
        case "say":
            told = memory.add(step["text"])
            ids[step["ref"]] = [*told.observation_ids, *(each.note.id for each in told.learned if each.note)]
        case "note":
            sources = [ids[ref][0] for ref in step["derived_from"]]
            ids[step["ref"]] = [memory.save(step["text"], derived_from=sources).id]
        case "retract":
            memory.retract(ids[step["ref"]][0])
        case "forget":
            message, *notes = ids[step["ref"]]
            for each in notes:
                memory.forget(each)
            memory.forget(message)
        case other:
            raise ValueError(f"a case has a step `{other}`, which is none")


def judged(case: Mapping[str, Any], told: Told) -> tuple[str, str]:
    """The state that an answer tells, and what is wrong with it; empty if nothing is."""
    wanted, said, answer = case["right"], _state(case, told), told.answer
    erased = case["kind"] == "deletion"
    words = " ".join([answer.text, *answer.gaps] if erased else _as_current(case, told)).casefold()
    for each in wanted["must_not_contain_as_current"]:
        if each.casefold() in words:
            return said, f"“{each}” is told"
    for each in wanted.get("must_contain", ()):
        if each.casefold() not in answer.text.casefold():
            return said, f"“{each}” is missing"
    return said, "" if said in _states(case) else f"it is {wanted['state']}"


def _states(case: Mapping[str, Any]) -> set[str]:
    """The states that are right: of what was erased nobody has to know that it ever was, and doubt may be silence."""
    state = case["right"]["state"]
    if state == DOUBTFUL:
        return {KNOWN, ENDED, NEVER, DOUBTFUL}  # the strings decide
    forgotten = any(step["do"] == "forget" for step in case["steps"])
    return {state, NEVER} if state == ENDED and forgotten else {state}


def _state(case: Mapping[str, Any], told: Told) -> str:
    """The state that an answer tells. A quoted message that ends something says that it is no longer known.

    An answer that says that no record mentions something of the question tells that this was never known.
    """
    answer = told.answer
    if any(gap.startswith("It is no longer known") for gap in answer.gaps):
        return ENDED
    if case["kind"] == "absence" and case["right"]["state"] == ENDED and "c" in told.quoted:
        return ENDED
    if not answer.sentences:
        return NEVER
    if case["right"]["state"] == NEVER and any(gap.startswith("No record mentions") for gap in answer.gaps):
        return NEVER
    return KNOWN if any(_as_current(case, told)) else DOUBTFUL


def _as_current(case: Mapping[str, Any], told: Told) -> Iterator[str]:
    """The sentences that are told as if they held: not as past, not as doubtful, and not by the message of an end."""
    for each in told.answer.sentences:
        gaps = (gap for gap in told.answer.gaps if "rests on something that has changed" in gap)
        ends = case["kind"] == "absence" and {told.steps.get(number) for number in each.citations} == {"c"}
        if (
            each.time is SentenceTime.CURRENT
            and not ends
            and not any(each.text[:40].rstrip(".") in gap for gap in gaps)
        ):
            yield each.text


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
