"""Pure: which of a transcript's notices tell something new of a session that is there already.

A hook or an import may have kept the same happening under another key, or under none. So it is known by the words that
would be kept of it: as often as they are there, they are not told again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from recollect.domain.errors import RecollectError
from recollect.domain.observations import Observation, ObservationKind
from recollect.redaction.clean_text import checked_text
from recollect.redaction.redactor import redact
from recollect.remember.activity import Event, seen
from recollect.surfaces.hooks.hosts import Moment
from recollect.surfaces.hooks.noticing import Notice

_EVENTS = {
    Moment.PROMPT: Event.PROMPT,
    Moment.TOOL_USE: Event.TOOL_USE,
    Moment.TOOL_FAILURE: Event.TOOL_FAILURE,
}


def unheard(notices: Iterable[Notice], kept: Iterable[Observation]) -> Iterator[Notice]:
    """The notices of one session without those of which the words are among what was kept, each counted once."""
    left = Counter((observation.kind, observation.text) for observation in kept)
    for notice in notices:
        words = _words_of(notice)
        if words is not None and left[words] > 0:
            left[words] -= 1
            continue
        yield notice


def _words_of(notice: Notice) -> tuple[ObservationKind, str] | None:
    """The kind and the text that would be kept of a notice; `None` for one that only marks a moment."""
    try:
        if notice.moment is Moment.STOP:
            return ObservationKind.MESSAGE, checked_text(redact(notice.text).text)
        if notice.moment not in _EVENTS:
            return None
        told = seen(
            _EVENTS[notice.moment], notice.text, tool=notice.tool, arguments=notice.arguments, folder=notice.folder
        )
        return told.kind, checked_text(redact(checked_text(told.text)).text)
    except RecollectError:
        return None
