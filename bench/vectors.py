"""Made-up vectors, so that a large store can be filled in minutes: embedding 100,000 texts takes most of an hour.

They are as long and as many as real ones, and point anywhere. Whoever shows a figure taken with them says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.corpus import Entry
from bench.measuring import say
from recollect import Memory
from recollect.domain.changes import Changes, WriteVector
from recollect.domain.meanings import Embedder, Vector
from recollect.domain.origin import Origin

_BATCH = 1_000  # notes per transaction
_STEP = 25 * _BATCH  # notes until the next word on how far it is
_POOL = 20_000  # pieces that are made up; those of a text are a run of them


def give_vectors(memory: Memory, notes: Sequence[Entry], *, seed: int) -> None:
    """Vectors for the newest version of each note that was just imported, as its models would have given them."""
    engine = memory._engine
    assert engine.embedder is not None
    for embedder in engine.embedders:
        made = made_up(embedder, seed) if embedder is engine.embedder else _pieces(embedder, notes, seed)
        for start in range(0, len(notes), _BATCH):
            if start and start % _STEP == 0:
                say(f"  {start:,} of {len(notes):,} texts have vectors of {embedder.model_id.partition('/')[0]}")
            edits = tuple(
                WriteVector(note.id, 1 if note.earlier is None else 2, embedder.model_id, vector)
                for note, vector in zip(notes[start : start + _BATCH], made, strict=False)
            )
            engine.store.apply(Changes(engine.settings.space, "bench", engine.clock.now(), Origin(), edits))


def made_up(embedder: Embedder, seed: int) -> Iterator[Vector]:
    """Vectors of whole texts, each of length one, without end."""
    import numpy as np

    chance = np.random.default_rng(seed)
    while True:
        made = chance.standard_normal((_BATCH, embedder.dimension), dtype=np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        yield from (bytes(vector.tobytes()) for vector in made)


def _pieces(embedder: Embedder, notes: Sequence[Entry], seed: int) -> Iterator[Vector]:
    """Of each note as many vectors as it has words: small words have none, and long ones several."""
    import numpy as np

    chance = np.random.default_rng(seed)
    pool = chance.integers(-127, 128, size=(_POOL, embedder.dimension), dtype=np.int8)
    for note in notes:
        words = len(note.text.split())
        start = int(chance.integers(_POOL - words))
        yield bytes(pool[start : start + words].tobytes())
