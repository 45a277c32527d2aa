"""A real, small model at work end to end: capture, read, reflect, answer, through the provider code as it is.

The model is far too small to be right. So the run looks at what must hold whatever a model says: every call comes
back, nothing is lost, no note says what its sources do not, and each result says what it fell back to.
`python -m tests.models.local_model.play ADDRESS`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic

from recollect import Memory
from recollect.domain.clock import SystemClock

SAID = (
    "My sister Lena lives in Graz now, and I stayed in Vienna.",
    "We decided to keep the ledger in two files, because one grew too large.",
    "The parcels leave through the north gate on Tuesdays.",
)
QUESTIONS = ("Where does Lena live?", "When do the parcels leave?", "Who painted the ceiling?")
# A model on a processor is slow, so it is given more time than tasks wait by themselves.
SETTINGS = """
[tasks]
read = "small"
settle = "small"
reflect = "small"
answer = "small"
[providers.small]
url = "{address}/v1"
model = "smollm2"
seconds = 300
"""


class LaterClock(SystemClock):
    """A clock that can be put forward: a session is read when nobody has spoken for a while."""

    ahead = timedelta()

    def now(self) -> datetime:
        """The time, put forward."""
        return super().now() + self.ahead


def play(memory: Memory, clock: LaterClock) -> Iterator[str]:
    """Do each task once, and say what came of it. Raises `AssertionError` where something must not be."""
    kept = [memory.add(text, session="s", project="shop").observation_ids[0] for text in SAID]
    assert len(set(kept)) == len(SAID)
    yield f"capture: {len(kept)} messages kept"

    clock.ahead = timedelta(minutes=10)
    begun = monotonic()
    memory.run_jobs()
    notes = memory.list().items
    by_model = [note for note in notes if "model" in str(note.metadata)]
    for note in by_model:
        assert note.value is None or any(note.value.casefold() in text.casefold() for text in SAID), note.text
    took = f"{monotonic() - begun:.0f} s"
    yield f"read: {len(notes)} notes, {len(by_model)} of them by the model ({took})"

    begun = monotonic()
    for part in memory.reflect(apply=True, project="shop").parts:
        said = part.fallback or f"by {part.model}"
        yield f"reflect: {len(part.insights)} notes, {part.dropped} dropped, {said} ({monotonic() - begun:.0f} s)"

    for question in QUESTIONS:
        begun = monotonic()
        answer = memory.answer(question, project="shop")
        cited = {each for sentence in answer.sentences for each in sentence.citations}
        yield f"answer: {question} -> {answer.text!r}, {len(cited)} citations ({monotonic() - begun:.0f} s)"

    for text, observation_id in zip(SAID, kept, strict=True):
        hits = memory.search(text, project="shop")
        assert any(observation_id in (hit.id, *hit.evidence) for hit in hits), f"{text!r} is not found"
    yield f"spend: {memory.spend(by=['task'])}"


def main(address: str) -> int:
    """Play it with the model at an address."""
    clock = LaterClock()
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "recollect.toml").write_text(SETTINGS.format(address=address), encoding="utf-8")
        with Memory(home=home, clock=clock) as memory:
            for line in play(memory, clock):
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
