"""Pure: which observations of a long session make room, and what is kept in their place.

Nothing goes silently: a summary says how many there were, what they were about, and from when to when. What notes point
to stays. The least weighty go first, and of those the oldest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from recollect.domain.clock import format_time
from recollect.domain.observations import Activity, Observation, ObservationKind
from recollect.remember.activity import MOST_FILES, cut, weight_of

MOST_OBSERVATIONS = 500  # of one session
FOLDED_AT_ONCE = 100  # so that a long session is looked through once in a hundred observations
_LONGEST_SUMMARY = 4000  # characters
_MOST_TOLD = 20  # commands and requests in a summary, each in short


def to_fold(observations: Sequence[Observation], evidence: Collection[str]) -> list[Observation]:
    """The observations that make room, in the order in which they happened; none while there is room."""
    if len(observations) < MOST_OBSERVATIONS:
        return []
    free = [each for each in observations if each.id not in evidence]
    lightest = sorted(free, key=lambda each: (weight_of(each), each.position))[:FOLDED_AT_ONCE]
    return sorted(lightest, key=lambda each: each.position) if len(lightest) > 1 else []


def told_of(folded: Sequence[Observation]) -> str:
    """The text of a summary that stands for folded observations."""
    kinds = Counter((each.activity or each.kind).value for each in folded)
    parts = [
        f"{len(folded)} observations were folded, from {format_time(folded[0].observed_at)[:19]} to "
        f"{format_time(folded[-1].observed_at)[:19]} UTC: "
        + ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in kinds.most_common())
    ]
    files = files_of(folded)
    if files:
        parts.append(f"Files: {', '.join(files)}")
    commands = Counter(each.title for each in folded if each.activity is Activity.COMMAND and each.title)
    if commands:
        told = (f"{command} ({times} times)" if times > 1 else command for command, times in commands.most_common())
        parts.append("Commands:\n" + "\n".join(list(told)[:_MOST_TOLD]))
    asked = [" ".join(each.text.split())[:200] for each in folded if each.kind is ObservationKind.PROMPT]
    if asked:
        parts.append("Asked:\n" + "\n".join(asked[-_MOST_TOLD:]))
    parts += [each.text for each in folded if each.kind is ObservationKind.SUMMARY]
    return cut("\n".join(parts), _LONGEST_SUMMARY)


def files_of(observations: Sequence[Observation]) -> tuple[str, ...]:
    """The files that observations were about, the most frequent first."""
    files = Counter(file for each in observations for file in each.files)
    return tuple(file for file, _ in files.most_common(MOST_FILES))
