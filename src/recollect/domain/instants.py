"""The clock of those who cannot wait until `clock` is loaded, which takes longer than a hook does for all else."""

from __future__ import annotations

import os
import time


def now() -> str:
    """The present instant as `clock` spells it."""
    seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{nanoseconds // 1000:06}Z"


def seconds_since(moment: float) -> float:
    """From a moment, as file systems write it down, until now; less than none if that is still to come."""
    return time.time() - moment


def new_key() -> str:
    """Some characters that no one else has."""
    return os.urandom(16).hex()
