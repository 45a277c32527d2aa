"""The state of a process between two calls: figures that are not written down yet, and the bell of its runner."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from recollect.domain.answers.daily_activity import DayCount, Figure, NoteUse
    from recollect.signal_bus import SignalBus

_MOST_USES_WAITING = 10_000  # a megabyte or two; written down in well under a second
_ASKED_KEPT_EVERY = 60.0  # seconds after which questions are written down with the next one; a runner does so sooner


T = TypeVar("T")


class Memo(Generic[T]):
    """Values that took a while to find, kept in this process for some time. The oldest make room."""

    def __init__(self, most: int) -> None:
        self._lock, self._most = threading.Lock(), most
        self._values: dict[tuple[str, ...], tuple[float, T]] = {}

    def get(self, key: tuple[str, ...]) -> T | None:
        """The value of a key, while it is kept."""
        found = self._values.get(key)
        return found[1] if found is not None and monotonic() < found[0] else None

    def keep(self, key: tuple[str, ...], value: T, *, seconds: float) -> None:
        with self._lock:
            self._values.pop(key, None)
            self._values[key] = (monotonic() + seconds, value)
            while len(self._values) > self._most:
                del self._values[next(iter(self._values))]


class Tally:
    """How often things happened since this process began, by what they are; never what they were about."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, ...]] = Counter()

    def add(self, counts: Counter[tuple[str, ...]]) -> None:
        with self._lock:
            self._counts.update(counts)

    def counts(self) -> dict[tuple[str, ...], int]:
        with self._lock:
            return dict(self._counts)


class AskedTally:
    """Questions that were answered and are not written down yet, by space: a write for each would cost too much."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, str, Figure], DayCount] = {}
        self._since = 0.0  # when the first of them came, by the monotonic clock

    @property
    def is_old(self) -> bool:
        """Whether the first of them has waited long enough."""
        return bool(self._counts) and monotonic() - self._since > _ASKED_KEPT_EVERY

    def add(self, space: str, counts: Iterable[DayCount]) -> None:
        with self._lock:
            if not self._counts:
                self._since = monotonic()
            for each in counts:
                key = (space, each.day, each.figure)
                self._counts[key] = self._counts[key].plus(each) if key in self._counts else each

    def taken(self) -> dict[str, list[DayCount]]:
        """All of them; none is left."""
        with self._lock:
            counts, self._counts = self._counts, {}
        found: dict[str, list[DayCount]] = {}
        for (space, _, _), count in sorted(counts.items()):
            found.setdefault(space, []).append(count)
        return found


class UseTally:
    """Notes that were told and are not written down yet, by space, day and actor; no more than so many of them."""

    def __init__(self, most: int = _MOST_USES_WAITING) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._uses: dict[tuple[str, str, str, str], NoteUse] = {}
        self.dropped = 0  # uses that there was no room for, since this process began

    def add(self, space: str, uses: Iterable[NoteUse]) -> None:
        with self._lock:
            for each in uses:
                key = (space, each.note_id, each.day, each.actor)
                if key in self._uses:
                    self._uses[key] = self._uses[key].plus(each)
                elif len(self._uses) < self._most:
                    self._uses[key] = each
                else:
                    self.dropped += each.recalled + each.found

    def taken(self) -> dict[str, list[NoteUse]]:
        """All of them; none is left."""
        with self._lock:
            uses, self._uses = self._uses, {}
        found: dict[str, list[NoteUse]] = {}
        for (space, *_), use in sorted(uses.items()):
            found.setdefault(space, []).append(use)
        return found


class Bell:
    """Tells the runner of this process that a job was queued, and everybody else whether there is one.

    With a bus the runners of other processes are woken too, and whoever watches a space hears that it has changed.
    """

    def __init__(self, bus: SignalBus | None = None) -> None:
        self.bus = bus
        self._rung = threading.Event()
        self._runners = 0
        self._listens = False

    @property
    def is_attended(self) -> bool:
        """Whether a runner works in this process: what is put off is done soon."""
        return self._runners > 0

    @contextmanager
    def attended(self) -> Iterator[None]:
        if self.bus is not None and not self._listens:
            self._listens = True
            self.bus.listen(self._hear)
        self._runners += 1
        try:
            yield
        finally:
            self._runners -= 1

    def ring(self) -> None:
        self._rung.set()

    def tell(self, space: str, *, has_job: bool) -> None:
        """A space was changed, and a job queued or not: wake whoever waits for that, here and elsewhere."""
        if has_job:
            self.ring()
        if self.bus is not None:
            self.bus.tell(self.bus.word_for("space", space))
            if has_job:
                self.bus.tell("jobs")

    def _hear(self, word: str, _times: int) -> None:
        if word == "jobs":
            self.ring()

    def wait(self, seconds: float) -> None:
        """Wait until it is rung, or for so long."""
        self._rung.wait(seconds)
        self._rung.clear()
