"""`python -m bench.lift PATH... [--rules] [--lost]`: what the pipeline makes of perfect candidates.

Stories as `bench.stories` has them are played message by message. A job has a scripted model read each session, and
what it says goes through the checks, the gate, the resolver and reconcile. Counted is what is held right at the end:
claims that hold are current, claims that are over are not. `--rules` lets the rules read in the write as well; `--lost`
lists what was lost. The run fails below 95 %.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from bench.lift.perfect_reader import PerfectReader, perfect_reader
from bench.playing import WorldClock, fresh_memory
from bench.stories import Told, held_in, play, stories_of, story_files
from recollect.domain.chat.provider_settings import ProviderSettings
from recollect.domain.dataclass import dataclass, field, replace
from recollect.engine import Deferred
from recollect.readers.choice import NoReader

LEAST = 0.95
_NOBODY = ProviderSettings("bench", "openai", "http://127.0.0.1:9/v1", "perfect")
_SPACE = "story"


@dataclass(slots=True)
class Lift:
    """Counts of some stories, and what was lost, in words."""

    put: int = 0
    known: int = 0
    over: int = 0
    closed: int = 0
    unsaid: int = 0
    lost: list[str] = field(default_factory=list)

    @property
    def right(self) -> float:
        return (self.known + self.closed) / max(1, self.put + self.over)


def lift(stories: Sequence[Mapping[str, Any]], *, rules: bool = False) -> Lift:
    """Play stories to a memory with a perfect reader, and count what it holds right."""
    found = Lift()
    for story in stories:
        reader = perfect_reader(story)
        told = _told(story, reader, rules)
        told = replace(told, story={**story, "facts": reader.put, "past": reader.over})
        known, stale = [claim for claim, _ in told.known()], [claim for claim, _ in told.stale()]
        found.put += len(reader.put)
        found.known += len(known)
        found.over += len(reader.over)
        found.closed += len(reader.over) - len(stale)
        found.unsaid += reader.unsaid
        found.lost += [f"not held: {_shown(each)}" for each in reader.put if each not in known]
        found.lost += [f"not over: {_shown(each)}" for each in stale]
    return found


def _told(story: Mapping[str, Any], reader: PerfectReader, rules: bool) -> Told:
    clock = WorldClock()
    with closing(fresh_memory(clock, _SPACE, "off", Path("models"))) as memory:
        engine = memory._engine
        settings = replace(engine.settings, providers=(_NOBODY,))
        memory._engine = replace(engine, settings=settings, chat=Deferred(lambda: reader))
        if not rules:
            memory._engine = replace(memory._engine, reading=Deferred(NoReader))
        play(story, memory, clock)
        clock.moment += timedelta(hours=1)
        memory.run_jobs()
        return Told("", story, held_in(memory), ())


def _shown(claim: Mapping[str, Any]) -> str:
    return f"{claim['about']}: {claim['what']}: {claim['value']}"


def main(words: Sequence[str]) -> int:
    """Play the stories, print the figures, and say whether they are good enough."""
    places = [Path(each) for each in words if not each.startswith("-")]
    stories = [story for file in story_files(places) for story in stories_of(file) if story.get("past") is not None]
    found = lift(stories, rules="--rules" in words)
    print(f"held right       {found.right:>7.1%}   of {found.put + found.over} claims put, {len(stories)} stories")
    print(f"  current        {found.known:>7}   of {found.put}")
    print(f"  over           {found.closed:>7}   of {found.over}")
    print(f"not put          {found.unsaid:>7}   no single message says them in its words")
    if "--lost" in words:
        print(*found.lost, sep="\n")
    return int(found.right < LEAST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
