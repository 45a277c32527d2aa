"""The paths of Anima's HTTP API. A service shows its key and says in whose name it asks.

The key is a token for the dialect, or `INTERNAL_API_KEY`. The token that stands for a request is bound to the user whom
the header names, so nothing of another user is within reach, whatever is asked for.
"""

from __future__ import annotations

import sys
from typing import Any

from recollect.dialects.anima import anima_actions as actions
from recollect.dialects.anima import anima_records as items
from recollect.dialects.arguments import flag, sentence, whole
from recollect.dialects.conversation import MessageQuota
from recollect.dialects.credentials import in_the_name_of, is_secret, stand_in
from recollect.dialects.table import LOOSE, Asked, Dialect, DialectPath, Keys, Knock, Reply, SpaceRule, api_key, bearer
from recollect.dialects.text_tables import PathRow, path_rows
from recollect.dialects.tool import Doer
from recollect.domain.access import AccessToken
from recollect.domain.errors import InvalidInput, NotFound, RecollectError
from recollect.settings import foreign_variables
from recollect.version import __version__

NAME = "anima"
SERVICE_KEY, DEV_HEADER, MESSAGE_LIMIT = "INTERNAL_API_KEY", "ALLOW_DEV_USER_HEADER", "MESSAGE_LIMIT"
ENVIRONMENT = (SERVICE_KEY, DEV_HEADER, MESSAGE_LIMIT)

_MOST = 1000  # memories of one page


def admit(knock: Knock, _: DialectPath, keys: Keys) -> AccessToken | None:
    """The token of a request, bound to the user in whose name it is made.

    A key and `X-User-Id`; or, on this machine, with no key configured and where the environment allows it,
    `X-Dev-User-Id` alone.
    """
    settings = foreign_variables(ENVIRONMENT)
    secret = api_key(knock.headers) or bearer(knock.headers)
    if secret:
        known = is_secret(secret, settings.get(SERVICE_KEY))
        token = stand_in(NAME, NAME) if known else keys.admit(secret, NAME)
        return in_the_name_of(token, knock.header("x-user-id"), "X-User-Id") if token else None
    allowed = flag(settings, DEV_HEADER) and SERVICE_KEY not in settings
    if allowed and knock.local and knock.header("x-dev-user-id"):
        return in_the_name_of(stand_in(NAME, NAME), knock.header("x-dev-user-id"), "X-Dev-User-Id")
    return None


def quota(doer: Doer, asked: Asked) -> Any:
    """The number of messages that a user has sent, and may send."""
    return _quota(asked).told(doer)


def post_message(doer: Doer, asked: Asked) -> Any:
    """Keep a message and learn from it. A profile is read from the facts, so there is nothing to wait for."""
    allowed, content = _quota(asked), sentence(asked.body, "content")
    if (refused := allowed.used_up(doer)) is not None:
        return Reply({"detail": refused}, 429)
    told = actions.add(doer, content, allowed.user, in_session=allowed.session)
    return Reply({**told, "message": f"Stored {told['saved_count']} fact(s)"}, 201)


def _quota(asked: Asked) -> MessageQuota:
    return MessageQuota(_user(asked), foreign_variables((MESSAGE_LIMIT,)).get(MESSAGE_LIMIT, ""))


def memories(doer: Doer, asked: Asked) -> Any:
    """One page of what is remembered, oldest first."""
    offset, limit = whole(asked.query, "offset", 0, 0, 10**6), whole(asked.query, "limit", 50, 1, _MOST)
    return actions.listed(doer, _user(asked), offset, limit, superseded=flag(asked.query, "include_superseded", "true"))


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
    query, most = sentence(asked.query, "q"), whole(asked.query, "top_k", 10, 1, 100)
    return actions.search(doer, query, _user(asked), most, history=flag(asked.query, "include_history"))


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


def _user(asked: Asked) -> str:
    """The user of a request. In open mode there is no token, and the header alone says it."""
    if asked.token is not None and asked.token.within.user:
        return asked.token.within.user
    said = [*asked.headers.get("x-user-id", ()), *asked.headers.get("x-dev-user-id", ())]
    if not said or not said[0]:
        raise InvalidInput("`X-User-Id` is missing: whose memory is meant?", code="user_missing")
    return said[0]


def _there(found: Any) -> Any:
    if found is None:
        raise NotFound("Memory not found", code="note_not_found", hint="")
    return found


def _path(row: PathRow) -> DialectPath:
    return DialectPath(row.method, row.path, row.verb, SpaceRule.TOKEN, row.call, reads=LOOSE, open="open" in row.marks)


def health(*_: Any) -> Any:
    """Say that the server runs."""
    return {"status": "healthy", "version": __version__}


_ROWS = path_rows(__package__ or "", sys.modules[__name__])
DIALECT = Dialect(NAME, tuple(map(_path, _ROWS)), admit=admit, refusal=refusal, environment=ENVIRONMENT)
