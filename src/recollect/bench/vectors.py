"""Made-up vectors, so that a large store can be filled in minutes: embedding 100,000 texts takes most of an hour.

They are as long and as many as real ones, and point anywhere. Whoever shows a figure taken with them says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect import Memory
from recollect.bench.corpus import Entry
from recollect.bench.measuring import say
from recollect.domain.changes import Changes, WriteVector
from recollect.domain.origin import Origin

_BATCH = 1_000  # vectors per transaction
_STEP = 25 * _BATCH  # vectors until the next word on how far it is


def give_vectors(memory: Memory, notes: Sequence[Entry], *, seed: int) -> None:
    """A vector for the newest version of each note that was just imported, as its model would have given it."""
    import numpy as np

    engine = memory._engine
    assert engine.embedder is not None
    model, dimension = engine.embedder.model_id, engine.embedder.dimension
    chance = np.random.default_rng(seed)
    for start in range(0, len(notes), _BATCH):
        if start and start % _STEP == 0:
            say(f"  {start:,} of {len(notes):,} vectors")
        batch = notes[start : start + _BATCH]
        made = chance.standard_normal((len(batch), dimension), dtype=np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        edits = tuple(
            WriteVector(note.id, 1 if note.earlier is None else 2, model, vector.tobytes())
            for note, vector in zip(batch, made, strict=True)
        )
        engine.store.apply(Changes(engine.settings.space, "bench", engine.clock.now(), Origin(), edits))
