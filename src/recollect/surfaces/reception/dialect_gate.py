"""The gate for paths of dialects: a request is admitted by its line of the table, with credentials of that dialect."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

from recollect.dialects.table import ANY, Dialect, DialectLine, Keys, Knock, Reply, SpaceRule, lines_at
from recollect.domain.access import AccessScope, AccessToken
from recollect.domain.errors import RecollectError
from recollect.domain.scopes import checked_space
from recollect.domain.values import to_plain
from recollect.surfaces.catalogue.routes import route_at, routes_of
from recollect.surfaces.reception.forms import body_form
from recollect.surfaces.reception.problems import MEDIA_TYPE, HttpProblem, body_of, headers_of, status_of
from recollect.surfaces.reception.screening import Head, declared_length, token_missing
from recollect.surfaces.reception.visitor import require_scope

_MOST_PAIRS = 200  # of a query


class DialectGate:
    """Finds the line of a request, who shows which credentials, and which space is meant."""

    def __init__(self, dialects: Sequence[Dialect], default_space: str, body_bytes: int) -> None:
        self._dialects, self._default_space, self._body_bytes = tuple(dialects), default_space, body_bytes

    def lines(self, path: str) -> list[DialectLine]:
        """The lines of a path; none where it is one of ours, which a dialect cannot take away."""
        return lines_at(self._dialects, path) if self._dialects and route_at(path) is None else []

    def line(self, spoken: Sequence[DialectLine], method: str) -> DialectLine:
        """The line of a method; 405 if the path is asked by others."""
        for each in spoken:
            if each.path.method == method:
                return each
        allowed = ", ".join(each.path.method for each in spoken)
        raise HttpProblem(405, "method_not_allowed", f"This path is asked by {allowed}.", headers={"Allow": allowed})

    def space(self, line: DialectLine, head: Head, token: AccessToken | None) -> str | None:
        """The space of a request, after the token was found to go as far as its verb there, and to read it."""
        space = self._named(line, head, token)
        if space is not None:
            checked_space(space)
        if not line.path.open:
            route = routes_of(line.path.verb)[0]
            # Unless its path says otherwise, a dialect answers with what it changed.
            for scope in (route.scope, AccessScope.READ) if line.path.rights is None else line.path.rights:
                everywhere = route.everywhere or line.path.space is SpaceRule.EVERY
                require_scope(token, scope, space, everywhere=everywhere)
        if (
            ANY not in line.path.reads
            and head.method != "GET"
            and declared_length(head, self._body_bytes)
            and body_form(head) not in line.path.reads
        ):
            raise HttpProblem(415, "media_type_not_supported", f"The body must be {' or '.join(line.path.reads)}.")
        return space

    def _named(self, line: DialectLine, head: Head, token: AccessToken | None) -> str | None:
        match line.path.space:
            case SpaceRule.PATH:
                return (line.path.parts_of(head.path) or {}).get("space")
            case SpaceRule.TOKEN:
                return (token.space if token else None) or self._default_space
            case SpaceRule.EVERY:
                return None
            case named:
                return named(knock_of(line, head))


def knock_of(line: DialectLine, head: Head) -> Knock:
    """A head as a dialect reads it."""
    try:
        query = dict(parse_qsl(head.query, keep_blank_values=True, max_num_fields=_MOST_PAIRS))
    except ValueError:
        raise HttpProblem(400, "invalid_query", "What follows `?` has too many fields.") from None
    return Knock(head.method, line.path.parts_of(head.path) or {}, head.headers, query, head.local)


def token_for(line: DialectLine, knock: Knock, keys: Keys) -> AccessToken | None:
    """The token of a request: by the dialect's own credentials, or one that was made for the dialect."""
    if line.dialect.admit is not None:
        return line.dialect.admit(knock, line.path, keys)
    secret = line.path.secret_in(knock.headers)
    if secret is None:
        raise token_missing()
    return keys.admit(secret, line.dialect.name)


def reply_to(answer: Any, line: DialectLine) -> tuple[bytes, int, dict[str, str]]:
    """An answer of a dialect as it goes out: body, status, headers."""
    reply = answer if isinstance(answer, Reply) else Reply(answer, line.path.status, says=line.path.says)
    if reply.body is None and reply.status == 204:
        return b"", 204, dict(reply.headers)
    body = reply.body
    if isinstance(body, str) and reply.says != "application/json":
        body = body.encode("utf-8", "backslashreplace")
    if not isinstance(body, bytes):
        body = json.dumps(to_plain(body), ensure_ascii=False).encode("utf-8", "backslashreplace")
    return body, reply.status, {"Content-Type": reply.says, **reply.headers}


def refusal(problem: RecollectError, request_id: str, line: DialectLine | None) -> tuple[bytes, int, dict[str, str]]:
    """An error as it goes out: in the form of the dialect it belongs to, or else in ours."""
    status, headers = status_of(problem), headers_of(problem)
    told = line.dialect.refusal(problem, status) if line else None
    if line is None or told is None:
        return body_of(problem, request_id), status, {**headers, "Content-Type": MEDIA_TYPE}
    body, status, own = reply_to(told, line)
    return body, status, {**headers, **own}
