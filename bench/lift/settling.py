"""`python -m bench.lift.settling PATH... [--models FOLDER]`: the most that settling doubtful pairs can do for a search.

Stories as `bench.stories` has them are played message by message with the judge and the embedding model of a folder.
The questions are asked; then the job puts the pairs in doubt to a scripted model that knows the story, and they are
asked again. Its verdicts are as good as the labels of the story, so this is an upper bound: a real model errs.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from bench.lift.perfect_model import PerfectModel
from bench.playing import WorldClock, fresh_memory
from bench.stories import Asked, asked_of, has_words, play, stories_of, story_files
from recollect.domain.chat.chat_model import ModelTask
from recollect.domain.chat.provider_settings import ProviderSettings
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.links.statement_link import Settlement
from recollect.engine import Deferred

_NOBODY = ProviderSettings("bench", "openai", "http://127.0.0.1:9/v1", "perfect")
_SPACE = "story"


class PerfectSettler(PerfectModel):
    """Verdicts on pairs of messages by the labels of one story."""

    task = ModelTask.SETTLE

    def __init__(self, story: Mapping[str, Any]) -> None:
        self.story = story
        self.pairs = 0

    def known(self, lines: Sequence[Sequence[Any]]) -> dict[str, Any]:
        """See `PerfectModel.known`."""
        self.pairs += len(lines)
        found = [
            {"pair": number, "relation": verdict_on(self.story, older, newer).value, "reason": "So the story says."}
            for number, _, older, _, newer in lines
        ]
        return {"verdicts": found}


def verdict_on(story: Mapping[str, Any], older: str, newer: str) -> Settlement:
    """How two messages relate by the labels of a story: the newer has what holds, and the older what held before."""
    for now, before in _changes(story):
        if has_words(newer, now) and not has_words(older, now) and has_words(older, before):
            return Settlement.REPLACES
    return Settlement.ADDS


def _changes(story: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The values that hold, each with one that it took the place of."""
    asked = [(each["answer"], other) for each in story["questions"] for other in each.get("not", ())]
    claims = [
        (str(fact["value"]), str(past["value"]))
        for fact in story["facts"]
        for past in story["past"]
        if (fact["about"], fact["what"]) == (past["about"], past["what"])
    ]
    return asked + claims


@dataclass(slots=True)
class Settled:
    """Questions of some stories before and after, and how many pairs were put to the model."""

    pairs: int = 0
    before: list[Asked] = field(default_factory=list)
    after: list[Asked] = field(default_factory=list)


def settled(stories: Sequence[Mapping[str, Any]], *, embedding: str, models: Path) -> Settled:
    """Play stories, and ask their questions before and after the pairs in doubt are settled."""
    found = Settled()
    for story in stories:
        clock, model = WorldClock(), PerfectSettler(story)
        with closing(fresh_memory(clock, _SPACE, embedding, models)) as memory:
            engine = memory._engine
            settings = replace(engine.settings, providers=(_NOBODY,))
            memory._engine = replace(engine, settings=settings, chat=Deferred(partial(_itself, model)))
            play(story, memory, clock)
            found.before += asked_of(story, memory)
            clock.moment += timedelta(hours=1)
            memory.run_jobs()
            found.after += asked_of(story, memory)
        found.pairs += model.pairs
    return found


def _itself(model: PerfectSettler) -> PerfectSettler:
    return model


def main(words: Sequence[str]) -> int:
    """Play the stories and print the figures."""
    models = Path(words[words.index("--models") + 1]) if "--models" in words else Path("models")
    places = [Path(each) for each in words if not each.startswith("-") and Path(each) != models]
    stories = [story for file in story_files(places) for story in stories_of(file) if story["questions"]]
    found = settled(stories, embedding="auto", models=models)
    print(f"{len(stories)} stories, {found.pairs} pairs in doubt, {len(found.before)} questions")
    for name, asked in (("judge alone", found.before), ("settled perfectly", found.after)):
        first = sum(each.place == 0 for each in asked) / max(1, len(asked))
        among = sum(each.place is not None for each in asked) / max(1, len(asked))
        stale = sum(each.stale_above for each in asked) / max(1, len(asked))
        print(f"{name:<18} answered@1 {first:6.1%}   answered@5 {among:6.1%}   stale above {stale:6.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
