"""Pure: what is on disk against what was read the last time, so that a second run touches only what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from recollect.domain.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """Paths below the root, sorted. `vanished` were read the last time and are gone or ignored now.

    `kept` were read the last time and cannot be read now: what is known of them stays, for they are not gone.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def changed(found: Mapping[str, str], known: Mapping[str, str], unreadable: Iterable[str] = ()) -> Difference:
    """Compare two manifests, each from paths to the SHA-256 of the bytes.

    `unreadable` are the paths that could not be read this time; a folder stands for everything in it, `.` for all.
    """
    refused = frozenset(unreadable)
    missing = sorted(known.keys() - found.keys())
    kept = tuple(path for path in missing if _within(path, refused))
    return Difference(
        added=tuple(sorted(found.keys() - known.keys())),
        changed=tuple(sorted(path for path in found.keys() & known.keys() if found[path] != known[path])),
        unchanged=tuple(sorted(path for path in found.keys() & known.keys() if found[path] == known[path])),
        vanished=tuple(path for path in missing if path not in set(kept)),
        kept=kept,
    )


def _within(path: str, refused: frozenset[str]) -> bool:
    """Whether a path or a folder above it was refused."""
    if "." in refused:
        return True
    steps = path.split("/")
    return any("/".join(steps[:depth]) in refused for depth in range(1, len(steps) + 1))
