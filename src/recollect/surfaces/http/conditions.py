"""Conditions in the head of a request. `If-Match` (RFC 9110) is `*`, or a list of tags of which one must be that of the
current version; `max-stale` of `Cache-Control` (RFC 9111) says how many seconds old an answer may be; `Dry-Run` has a
verb tried and not done."""

from __future__ import annotations

import re

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, RecollectError, Unsupported
from recollect.operations import Effect
from recollect.surfaces.catalogue.routes import Route
from recollect.surfaces.reception.screening import DRY_RUN, Head

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


_MAX_STALE = re.compile(r"(?:^|,)\s*max-stale=(\d{1,5})\s*(?:,|$)")


def accepted_staleness(head: Head) -> float:
    """The seconds by which an answer may be behind; 0 if it may not. What cannot be read asks for nothing."""
    said = _MAX_STALE.search(",".join(head.headers.get("cache-control", ())))
    return float(said[1]) if said else 0.0


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


def is_rehearsed(head: Head, route: Route) -> bool:
    """Whether a verb is only tried: every check is made, the answer is what it would be, and nothing is written."""
    said = head.one(DRY_RUN.lower())
    if said is None:
        return False
    if route.operation.effect is Effect.READ:
        raise InvalidInput(
            f"`{route.operation.name}` knows no `{DRY_RUN}`.", code="header_not_supported", hint="It writes nothing."
        )
    if said.lower() not in ("true", "false"):
        raise InvalidInput(f"`{DRY_RUN}` is `true` or `false`.", code="invalid_field")
    return said.lower() == "true"


def told_of_rehearsal(problem: RecollectError, *, rehearsed: bool) -> RecollectError:
    """The error of a verb. One that was only tried and has no dry run cannot honour the header."""
    if not (rehearsed and isinstance(problem, Unsupported)):
        return problem
    return InvalidInput(problem.message, code="header_not_supported", hint=problem.hint)
