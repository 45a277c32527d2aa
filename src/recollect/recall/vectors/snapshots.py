"""Many vectors at rest: sorted by record, with one bit for each number, in memory or mapped from a file.

One bit says on which side of the middle a number lies, after all of them were turned together so that each says as
much as the next. A question is turned the same way and keeps four bits of each number, which is enough to guess how
near each text is. The guess leaves a few thousand of a million, and those are compared exactly. A file is a cache: it
says whose it is and of when, and one that is torn or of another history is not read.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from recollect.domain.dataclass import dataclass
from recollect.domain.meanings import StoredVector
from recollect.products import with_each

_MAGIC = b"recollect vectors 1\n"
_ALIGNED = 64  # bytes
_BLOCK = 8192  # rows compared at a time, so that they stay near the processor
_AT_ONCE = 512  # rows compared exactly at a time; fewer than a linear algebra library shares out among threads
_SAMPLE = 20_000  # rows from which the middle is taken
_PLANES = 4  # bits of each number of a question
_LOW, _HIGH = (0, 1), (2, 3)  # of these bits
_LIKELY, _LIKELY_SHARE = 3, 8  # rows that are guessed twice: so many times those that are wanted, or a share of all


@dataclass(frozen=True, slots=True)
class SnapshotMoment:
    """The moment of a snapshot: a space and a model, as the change log had come to a number.

    The audit entry named last says that it is the same history: a database that was put in this one's place has
    the numbers, but not the digest.
    """

    space: str
    model_id: str
    dimension: int
    seq: int
    audit_seq: int
    audit_digest: str


@dataclass(frozen=True, slots=True)
class Code:
    """Vectors as bits: what a guess is made from.

    The turn is kept with them, because another machine's arithmetic might make another one from the same seed.
    """

    turn: Any  # of the whole space
    bits: Any  # one column for each row, as words of 64
    counts: Any  # of those that are set, for each row
    scales: Any  # by which the guess for a row is multiplied: how far it is from the middle, over what its bits keep


class Snapshot:
    """Vectors of one moment. Nothing in it changes."""

    def __init__(self, moment: SnapshotMoment, ids: Any, versions: Any, vectors: Any, code: Code | None = None) -> None:
        self.moment = moment
        self.ids = ids  # bytes, sorted
        self.versions = versions
        self.vectors = vectors
        self._kept_code = code
        self.is_mapped = code is not None  # only one that lies in a file comes with its code

    @property
    def _code(self) -> Code:
        """Made when it is first needed: few vectors are compared without it."""
        if self._kept_code is None:
            self._kept_code = _coded(self.vectors)
        return self._kept_code

    def __len__(self) -> int:
        return len(self.ids)

    def rows_of(self, record_ids: Iterable[str]) -> Any:
        """The rows of some records."""
        import numpy as np

        wanted = np.array(sorted(record_id.encode() for record_id in record_ids), dtype=np.bytes_)
        if not len(self) or not len(wanted):
            return np.empty(0, dtype=np.int64)
        first = self.ids.searchsorted(wanted)
        counts = self.ids.searchsorted(wanted, "right") - first
        return np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())

    def compared(self, asked: Any, rows: Any) -> Any:
        """How near some rows are to the question, exactly.

        A few at a time, into the same room: at once they would be copied through memory that is fresh every time.
        """
        import numpy as np

        if 2 * len(rows) > len(self):  # a row is copied in twice the time that it is compared in
            return with_each(self.vectors, asked)[rows]
        near = np.empty(len(rows), dtype="<f4")
        room = np.empty((min(_AT_ONCE, len(rows)), self.vectors.shape[1]), dtype="<f4")
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            np.take(self.vectors, some, axis=0, out=room[: len(some)], mode="clip")
            near[start : start + len(some)] = with_each(room[: len(some)], asked)
        return near

    def worth_comparing(self, asked: Any, allowed: Any, *, least: int) -> Any:
        """The allowed rows that are nearest to the question, as far as bits can tell; so many, if there are."""
        import numpy as np

        if len(self) <= least:
            return np.flatnonzero(allowed)
        guess = _Guess(self._code, asked)
        likely = guess.roughly(allowed, max(_LIKELY * least, len(self) // _LIKELY_SHARE))
        return np.sort(likely[_highest(guess.closely(likely), least)])

    def pieces(self) -> Iterator[bytes | memoryview]:
        """The bytes of a file."""
        from dataclasses import asdict

        import numpy as np

        header = json.dumps({**asdict(self.moment), "rows": len(self), "id": self.ids.dtype.itemsize}).encode()
        seal = hashlib.sha256(header).digest()
        head = _MAGIC + len(header).to_bytes(8, "little") + header + seal
        yield head
        yield bytes(_aligned(len(head)) - len(head))
        code = self._code
        for array in (self.ids, self.versions, self.vectors, code.turn, code.bits, code.counts, code.scales):
            yield np.ascontiguousarray(array).view(np.uint8).data
            yield bytes(_aligned(array.nbytes) - array.nbytes)
        yield seal


class _Guess:
    """How near rows are to a question, as far as bits can tell.

    The two highest of the four bits that a number of the question has tell which rows are likely at all, for half of
    the work; only those are guessed with all four.
    """

    def __init__(self, code: Code, asked: Any) -> None:
        import numpy as np

        turned = with_each(code.turn.T, asked)
        self._code = code
        self._sum, self._lowest = turned.sum(), turned.min()
        self._step = max(float(turned.max() - self._lowest) / (2**_PLANES - 1), 1e-12)
        levels = np.rint((turned - self._lowest) / self._step).astype(np.uint8)
        self._planes = [_bits((levels[None] >> plane) & 1)[:, 0] for plane in range(_PLANES)]
        self._high = np.empty(len(code.counts), dtype=np.uint16)  # of each row what its highest bits add up to

    def roughly(self, allowed: Any, most: int) -> Any:
        """The allowed rows that are likely to be near, so many at most."""
        import numpy as np

        for start in range(0, len(self._high), _BLOCK):
            some = slice(start, start + _BLOCK)
            self._high[some] = self._summed(self._code.bits[:, some], _HIGH)
        # What the lower bits would add is taken to lie in the middle.
        summed = self._high + self._code.counts * np.float32((2 ** _HIGH[0] - 1) / 2)
        guess = self._guessed(summed, slice(None))
        guess[~allowed] = -np.inf
        likely = np.sort(_highest(guess, most))
        return likely[allowed[likely]]

    def closely(self, rows: Any) -> Any:
        """How near some rows are, but for a number that is the same for all."""
        import numpy as np

        summed = self._high[rows] + self._summed(np.take(self._code.bits, rows, axis=1), _LOW)
        return self._guessed(summed, rows)

    def _summed(self, block: Any, planes: Iterable[int]) -> Any:
        import numpy as np

        return sum(
            np.bitwise_count(block & self._planes[plane][:, None]).sum(axis=0, dtype=np.uint16) << plane
            for plane in planes
        )

    def _guessed(self, summed: Any, rows: Any) -> Any:
        """A bit that is set stands for plus, one that is not for minus: twice those that are set, less all."""
        import numpy as np

        guess = summed * np.float32(2 * self._step)
        guess += self._code.counts[rows] * np.float32(2 * self._lowest)
        guess -= self._sum
        guess *= self._code.scales[rows]
        return guess


def _highest(numbers: Any, most: int) -> Any:
    """Where the highest are, in no order."""
    import numpy as np

    least = len(numbers) - most
    return np.argpartition(numbers, least)[least:] if least > 0 else np.arange(len(numbers))


def taken(moment: SnapshotMoment, stored: Iterable[StoredVector]) -> Snapshot:
    """A snapshot of vectors in memory."""
    import numpy as np

    keys: list[tuple[str, int]] = []
    numbers = bytearray()  # grows in place: a list of them all, and then all of them in one, would take twice the room
    for each in stored:
        keys.append((each.record_id, each.version))
        numbers += each.vector
    vectors = np.frombuffer(numbers, dtype="<f4").reshape(len(keys), moment.dimension)
    ids = np.array([record_id.encode() for record_id, _ in keys] or [b""], dtype=np.bytes_)[: len(keys)]
    versions = np.array([version for _, version in keys], dtype="<i4")
    if any(later < earlier for earlier, later in pairwise(keys)):  # the database has another order
        order = np.lexsort((versions, ids))
        ids, versions, vectors = ids[order], versions[order], vectors[order]
    return Snapshot(moment, ids, versions, vectors)


def read(path: Path) -> Snapshot | None:
    """The snapshot in a file, mapped and not read; `None` if there is none, or it is torn."""
    import numpy as np

    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        begin = len(_MAGIC) + 8
        length = int.from_bytes(content[len(_MAGIC) : begin], "little")
        header, seal = content[begin : begin + length], content[begin + length : begin + length + 32]
        if content[: len(_MAGIC)] != _MAGIC or hashlib.sha256(header).digest() != seal:
            return None
        told = json.loads(header)
        rows, width = told.pop("rows"), told.pop("id")
        moment = SnapshotMoment(**told)
        offset = _aligned(begin + length + 32)
        arrays = []
        for kind, shape in _layout(moment.dimension, rows, width):
            array = np.frombuffer(content, kind, math.prod(shape), offset).reshape(shape)
            arrays.append(array)
            offset += _aligned(array.nbytes)
        # The seal stands at the very end once more: it was written last.
        if len(content) != offset + 32 or content[offset:] != seal:
            return None
        ids, versions, vectors, *code = arrays
        return Snapshot(moment, ids, versions, vectors, Code(*code))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _coded(vectors: Any) -> Code:
    import numpy as np

    rows, dimension = vectors.shape
    turn = _turn(dimension)
    middle = vectors[:: max(1, rows // _SAMPLE)].mean(axis=0) if rows else np.zeros(dimension, dtype="<f4")
    bits, scales = np.empty((_words(dimension), rows), dtype="<u8"), np.empty(rows, dtype="<f4")
    for start in range(0, rows, _BLOCK):
        turned = (vectors[start : start + _BLOCK] - middle) @ turn
        bits[:, start : start + _BLOCK] = _bits(turned)
        scales[start : start + _BLOCK] = np.square(turned).sum(axis=1) / np.maximum(np.abs(turned).sum(axis=1), 1e-12)
    return Code(turn, bits, np.bitwise_count(bits).sum(axis=0, dtype="<u2"), scales)


def _layout(dimension: int, rows: int, id_width: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The kind and shape of each array of a file: ids, versions, vectors, and those of their code."""
    return (
        (f"S{id_width}", (rows,)),
        ("<i4", (rows,)),
        ("<f4", (rows, dimension)),
        ("<f4", (dimension, dimension)),
        ("<u8", (_words(dimension), rows)),
        ("<u2", (rows,)),
        ("<f4", (rows,)),
    )


def _words(dimension: int) -> int:
    return -(-dimension // 64)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


@cache
def _turn(dimension: int) -> Any:
    """A turn of the whole space, drawn by lot."""
    import numpy as np

    chance = np.random.Generator(np.random.PCG64(dimension)).standard_normal((dimension, dimension))
    return np.linalg.qr(chance)[0].astype("<f4")


def _bits(vectors: Any) -> Any:
    """A bit for each number, as columns of 64-bit words."""
    import numpy as np

    packed = np.packbits(vectors > 0, axis=1)
    padded = np.zeros((len(packed), 8 * _words(vectors.shape[1])), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").T
