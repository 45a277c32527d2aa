"""How much is too much: sizes, depth, patience, and a bucket of requests for each token."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may ask for, and one token in a second."""

    body_bytes: int = 10_000_000  # ten notes of the largest size
    depth: int = 64  # of nesting in JSON; nothing of ours is deeper than six
    body_seconds: float = 30.0  # for a body to arrive whole
    per_second: float = 100.0  # requests of one token, in the long run
    burst: int = 200  # requests of one token at once
    streams: int = 256  # live streams at once
    streams_per_token: int = 32
    stream_behind: int = 5_000  # changes that the reader of a stream may be behind once it had caught up
    stalled_seconds: float = 10.0  # for the reader of a stream to take what was sent


class Buckets:
    """A bucket for each token. It fills steadily up to the burst, and each request takes one from it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str, now: float) -> float:
        """Take one at a moment, in seconds of a steady clock; 0, or the seconds until there is one again."""
        left, since = self._left.get(key, (float(self._limits.burst), now))
        left = min(float(self._limits.burst), left + (now - since) * self._limits.per_second)
        if left < 1:
            self._left[key] = (left, now)
            return (1 - left) / self._limits.per_second
        self._left[key] = (left - 1, now)
        return 0.0
