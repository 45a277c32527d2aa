"""The paths of Anima's HTTP API. A service shows its key and says in whose name it asks.

The key is a token for the dialect, or `INTERNAL_API_KEY`. The token that stands for a request is bound to the user whom
the header names, so nothing of another user is within reach, whatever is asked for.
"""

from __future__ import annotations

import hmac
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from recollect.dialects.anima import anima_actions as actions
from recollect.dialects.anima import anima_records as items
from recollect.dialects.table import (
    LOOSE,
    Asked,
    Dialect,
    DialectPath,
    Keys,
    Knock,
    Reply,
    SpaceRule,
    api_key,
    bearer,
)
from recollect.dialects.tool import Doer
from recollect.domain.access import AccessScope, AccessToken, up_to
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, NotAllowed, NotFound, RecollectError
from recollect.settings import foreign_variables
from recollect.version import __version__

NAME = "anima"
SERVICE_KEY, DEV_HEADER, MESSAGE_LIMIT = "INTERNAL_API_KEY", "ALLOW_DEV_USER_HEADER", "MESSAGE_LIMIT"
ENVIRONMENT = (SERVICE_KEY, DEV_HEADER, MESSAGE_LIMIT)

_SESSIONS = uuid.UUID("0d5c1f0e-7c39-4f0b-9a4e-6a9a1c3e7b52")  # of the messages that come by HTTP, one for each user
_TRUE = ("true", "1", "yes", "on")
_MOST = 1000  # memories of one page


def admit(knock: Knock, _: DialectPath, keys: Keys) -> AccessToken | None:
    """The token of a request, bound to the user in whose name it is made.

    A key and `X-User-Id`; or, on this machine, with no key configured and where the environment allows it,
    `X-Dev-User-Id` alone.
    """
    settings = foreign_variables(ENVIRONMENT)
    secret = api_key(knock.headers) or bearer(knock.headers)
    if secret:
        token = _service(settings, secret) or keys.admit(secret, NAME)
        return _in_the_name_of(token, knock.header("x-user-id"), "X-User-Id") if token else None
    allowed = settings.get(DEV_HEADER, "").lower() in _TRUE and SERVICE_KEY not in settings
    if allowed and knock.local and knock.header("x-dev-user-id"):
        return _in_the_name_of(_stand_in(), knock.header("x-dev-user-id"), "X-Dev-User-Id")
    return None


def quota(doer: Doer, asked: Asked) -> Any:
    """The number of messages that a user has sent, and may send."""
    limit, used = _message_limit(), _used(doer, _user(asked))
    return {"used": used, "limit": limit, "remaining": None if limit is None else max(0, limit - used)}


def post_message(doer: Doer, asked: Asked) -> Any:
    """Keep a message and learn from it. A profile is read from the facts, so there is nothing to wait for."""
    user, limit = _user(asked), _message_limit()
    content = asked.body.get("content")
    if not isinstance(content, str) or not content.strip():
        raise InvalidInput("`content` must be text that is not empty.", code="invalid_field")
    used = 0 if limit is None else _used(doer, user)
    if limit is not None and used >= limit:
        return Reply({"detail": f"Message limit reached: {used} of {limit} were sent."}, 429)
    told = actions.add(doer, content, user, in_session=_session_of(user))
    return {**told, "message": f"Stored {told['saved_count']} fact(s)"}


def memories(doer: Doer, asked: Asked) -> Any:
    """One page of what is remembered, oldest first."""
    offset, limit = _number(asked.query, "offset", 0, 0, 10**6), _number(asked.query, "limit", 50, 1, _MOST)
    superseded = asked.query.get("include_superseded", "true").lower() in _TRUE
    return actions.listed(doer, _user(asked), offset, limit, superseded=superseded)


def memory(doer: Doer, asked: Asked) -> Any:
    """One memory."""
    return _there(actions.found(doer, asked.parts["memory_id"], _user(asked)))


def delete_memory(doer: Doer, asked: Asked) -> Any:
    """Erase one memory."""
    memory_id = asked.parts["memory_id"]
    _there(actions.deleted(doer, memory_id, _user(asked)) or None)
    return {"deleted": True, "memory_id": memory_id}


def pin_memory(doer: Doer, asked: Asked) -> Any:
    """Keep one memory for good."""
    return _there(actions.pinned(doer, asked.parts["memory_id"], _user(asked)))


def search(doer: Doer, asked: Asked) -> Any:
    """The answers to a question, and the block of text for a model."""
    query = asked.query.get("q", "")
    if not query.strip():
        raise InvalidInput("`q` must be text that is not empty.", code="invalid_field")
    history = asked.query.get("include_history", "").lower() in _TRUE
    return actions.search(doer, query, _user(asked), _number(asked.query, "top_k", 10, 1, 100), history=history)


def profile(doer: Doer, asked: Asked) -> Any:
    """The profile of a user, and the same as lines for a model."""
    known = actions.profile(doer, _user(asked), asked.clock)
    return {"profile": known, "prompt": items.profile_prompt(known) if known else "", **(known or {})}


def stats(doer: Doer, asked: Asked) -> Any:
    """Counts and days, for charts."""
    return actions.stats(doer, _user(asked))


def refusal(problem: RecollectError, status: int) -> Reply | None:
    """An error in the form of Anima's framework."""
    match problem.code:
        case "token_missing" | "token_invalid":
            return Reply({"detail": "Missing or invalid API key"}, 401)
        case "too_many_requests":
            return Reply({"detail": "Too many requests"}, 429)
        case _:
            told = f"{problem.message} {problem.hint}".strip()
            return Reply({"detail": told}, 422 if status == 400 else status)


def _service(settings: Mapping[str, str], secret: str) -> AccessToken | None:
    """The token that stands for a service with the key of the environment."""
    key = settings.get(SERVICE_KEY)
    fits = key is not None and hmac.compare_digest(key.encode("utf-8", "surrogateescape"), secret.encode())
    return _stand_in() if fits else None


def _stand_in() -> AccessToken:
    """A token that is in no store: it may write, in the name of whoever is named."""
    return AccessToken(NAME, NAME, up_to(AccessScope.WRITE), None, datetime.min.replace(tzinfo=UTC))


def _in_the_name_of(token: AccessToken, user: str, header: str) -> AccessToken:
    named = user or token.within.user
    if not named:
        raise InvalidInput(f"`{header}` is missing: whose memory is meant?", code="user_missing")
    if token.within.user not in (None, named):
        raise NotAllowed("This key is for another user.", code="user_of_another_key")
    return replace(token, within=replace(token.within, user=named))


def _user(asked: Asked) -> str:
    """The user of a request. In open mode there is no token, and the header alone says it."""
    if asked.token is not None and asked.token.within.user:
        return asked.token.within.user
    said = [*asked.headers.get("x-user-id", ()), *asked.headers.get("x-dev-user-id", ())]
    if not said or not said[0]:
        raise InvalidInput("`X-User-Id` is missing: whose memory is meant?", code="user_missing")
    return said[0]


def _session_of(user: str) -> str:
    return str(uuid.uuid5(_SESSIONS, user))


def _used(doer: Doer, user: str) -> int:
    """The messages that came by HTTP: they are all in one session, in which each has its place."""
    try:
        around = {"anchor": "9999-01-01", "before": 1, "after": 0, "session": _session_of(user)}
        last = doer.do("timeline", around).before
    except NotFound:
        return 0
    return last[-1].position if last else 0


def _message_limit() -> int | None:
    said = foreign_variables((MESSAGE_LIMIT,)).get(MESSAGE_LIMIT, "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else None


def _there(found: Any) -> Any:
    if found is None:
        raise NotFound("Memory not found", code="note_not_found", hint="")
    return found


def _number(query: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    said = query.get(name)
    if said is None:
        return default
    if not (said.isascii() and said.isdigit() and len(said) < 10 and least <= int(said) <= most):
        raise InvalidInput(f"`{name}` must be a whole number from {least} to {most}.", code="invalid_number")
    return int(said)


def _path(method: str, path: str, verb: str, answer: Any, status: int = 200) -> DialectPath:
    return DialectPath(method, path, verb, SpaceRule.TOKEN, answer, reads=LOOSE, status=status, open=path == "/health")


DIALECT = Dialect(
    NAME,
    (
        _path("GET", "/health", "status", lambda *_: {"status": "healthy", "version": __version__}),
        _path("GET", "/api/quota", "timeline", quota),
        _path("POST", "/api/messages", "add", post_message, 201),
        _path("GET", "/api/memories", "list", memories),
        _path("GET", "/api/memories/{memory_id}", "get", memory),
        _path("DELETE", "/api/memories/{memory_id}", "forget", delete_memory),
        _path("POST", "/api/memories/{memory_id}/pin", "pin", pin_memory),
        _path("GET", "/api/search", "search", search),
        _path("GET", "/api/profile", "profile", profile),
        _path("GET", "/api/stats", "count", stats),
    ),
    admit=admit,
    refusal=refusal,
    environment=ENVIRONMENT,
)
