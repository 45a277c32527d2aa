"""`If-Match`, as RFC 9110 has it: `*`, or a list of tags of which one must be that of the current version."""

from __future__ import annotations

import re

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.surfaces.reception.screening import Head

TAG_HINT = 'Send the `ETag` you got, as in "3".'

_LISTED = re.compile(r'(W/)?"([\x21\x23-\x7e\x80-\xff]{0,64})"')
_VERSION = re.compile(r"[1-9]\d{0,8}")
_MOST_TAGS = 20


@dataclass(frozen=True, slots=True)
class Condition:
    """A request that holds for some versions only. Weak tags never match strongly, so they are not among them."""

    any_version: bool
    versions: tuple[int, ...] = ()

    def is_failed_by(self, problem: RecollectError) -> bool:
        """Whether an error of the verb means that this did not hold."""
        return problem.code == "stale_version" or (self.any_version and problem.code == "note_not_found")


def condition_in(head: Head) -> Condition | None:
    """The condition in a head; `None` if there is none."""
    said = head.one("if-match")
    if said is None:
        return None
    if said == "*":
        return Condition(any_version=True)
    tags = [_LISTED.fullmatch(each.strip()) for each in said.split(",", _MOST_TAGS)]
    if None in tags or len(tags) > _MOST_TAGS:
        raise InvalidInput("`If-Match` is not a list of tags.", code="invalid_etag", hint=TAG_HINT)
    strong = [tag[2] for tag in tags if tag is not None and not tag[1]]
    return Condition(any_version=False, versions=tuple(int(each) for each in strong if _VERSION.fullmatch(each)))
