"""The paths of Mémoire, each on verbs of ours.

A user of Mémoire is a user of one space, that of the key: a fact is asked for by its id alone, and one key may serve
many users, so both have to lie in one space. A key that `POST /v1/users` hands out is bound to its user, and the store
holds to it. Ids of users may be any text; so may those of sessions, which then belong to their user.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any, TypeVar

from recollect.dialects.memoire.memoire_facts import (
    Category,
    TemporalState,
    fact_of,
    is_essential,
    message_fact,
    message_of,
    of_categories,
    source_of,
    temporal_state,
    timeline_of,
)
from recollect.dialects.negotiated_bodies import MARKDOWN
from recollect.dialects.table import (
    JSON,
    LOOSE,
    Asked,
    Dialect,
    DialectPath,
    Headers,
    KeyRing,
    Reply,
    SpaceRule,
    api_key,
)
from recollect.dialects.tool import Doer
from recollect.domain.access import AccessScope, AccessToken
from recollect.domain.clock import format_time, is_uuid, uuid_of
from recollect.domain.errors import InvalidInput, NotAllowed, NotFound, RecollectError, StoreFailure
from recollect.domain.notes import Note
from recollect.domain.observations import Observation, Standing
from recollect.version import __version__

T = TypeVar("T")

NAME = "memoire"
KEY_PREFIX = "memori_"  # before our secret

_HELD = ["active", "disputed"]
_EVER = [*_HELD, "superseded", "expired"]
_MOST_FACTS, _MOST_MESSAGES = 1000, 100
_AT_A_TIME = 200  # notes of one page while facts are looked for
_MOST_LOOKED_AT = 5000
_SESSIONS = uuid.UUID("6f2a5f7e-5d0c-4c55-9d4b-2f6d3d7f5a10")  # under which other names of sessions become UUIDs


def key_in(headers: Headers) -> str | None:
    """The secret of ours in `X-API-Key`, with the prefix of Mémoire or without."""
    shown = api_key(headers)
    return shown.removeprefix(KEY_PREFIX) if shown else None


def create_user(_: Doer, asked: Asked) -> Any:
    """A new user with a key that is shown once: for whoever is on this machine, or has an administrator's key."""
    keys = _keys(asked)
    secret = key_in(asked.headers)
    shown = keys.admit(secret, NAME) if secret else None
    by = shown if shown and shown.reaches(AccessScope.ADMIN) and not shown.is_bound else None
    if by is None and not asked.local:
        raise NotAllowed(
            "Users are made on the machine of the server, or with the key of an administrator.",
            code="users_not_open",
            hint="`recollect tokens create --dialect memoire --scope admin` makes such a key.",
        )
    user = uuid_of(asked.clock.new_id())
    space = (by.space if by else None) or asked.space
    issued = keys.issue(dialect=NAME, scope="write", space=space, user=user, name=f"memoire {user}", by=by)
    return {"id": user, "api_key": f"{KEY_PREFIX}{issued.secret}"}


def rotate_key(_: Doer, asked: Asked) -> Any:
    """A new key in the place of the one that a user has."""
    return {"api_key": f"{KEY_PREFIX}{_keys(asked).rotate(_key_of(asked).id, by=asked.token).secret}"}


def revoke_key(_: Doer, asked: Asked) -> Reply:
    """The end of a user's key."""
    _keys(asked).revoke(_key_of(asked).id, by=asked.token)
    return Reply(None, 204)


def consolidate(doer: Doer, asked: Asked) -> Any:
    """Join duplicates and promote what has proven itself: a job for a whole space, at once for a bound user."""
    _user(asked, asked.parts["user_id"])
    if asked.token is not None and asked.token.is_bound:
        doer.do("dedup", {"apply": True})
        return {"status": "completed", "message": "Memory consolidation is done", "job_id": None}
    job = doer.do("maintain", {"background": True}).job_id
    return {"status": "queued", "message": "Memory consolidation job has been queued", "job_id": job}


def create_session(doer: Doer, asked: Asked) -> Any:
    """A new session of a user."""
    user = _user(asked, _text(asked.body, "user_id"))
    session = doer.do("session.start", {"session_id": uuid_of(asked.clock.new_id()), "user": user})
    return {"id": session.id, "user_id": user, "created_at": format_time(session.started_at)}


def ingest(doer: Doer, asked: Asked) -> Any:
    """Keep a message word for word and learn from it before the answer goes out: there is no queue to wait for.

    A session that is no UUID begins with its first message.
    """
    body = asked.body
    user, role, content = (
        _user(asked, _text(body, "user_id")), _one_of(body, "role", ("user", "assistant")), _text(body, "content")
    )  # fmt: skip
    session = _session(doer, user, _text(body, "session_id"))
    told = doer.do("add", {"messages": [{"role": role, "content": content}], "user": user, "session": session})
    return {"status": "queued", "job_id": None, "chat_log_id": uuid_of(told.observation_ids[0])}


def history(doer: Doer, asked: Asked) -> Any:
    """The last messages of a session, oldest first."""
    wanted = asked.parts["session_id"]
    user = asked.token.within.user if asked.token is not None else None
    session = _session_name(user or asked.query.get("user_id", ""), wanted)
    limit = _number(asked.query, "limit", 50, 1, _MOST_MESSAGES)
    _require_session(doer, session, wanted)
    around = {"anchor": "9999-01-01", "before": limit, "after": 0, "session": session}
    return {"messages": [message_of(each) for each in doer.do("timeline", around).before], "session_id": session}


def recall(doer: Doer, asked: Asked) -> Any:
    """The facts that answer a question; of what was said and nothing was read from, the messages."""
    body, now = asked.body, asked.clock.now()
    user, query = _user(asked, _text(body, "user_id")), _text(body, "query")
    limit = _number(body, "limit", 5, 1, 20)
    categories, states = _texts(body, "categories"), _temporal_states(_texts(body, "temporal_states"))
    age = _number(body, "max_age_days", None, 0, 100_000)
    past = _truth(body, "include_historical", default=False) or not _truth(body, "current_view_only", default=True)
    wanted = states or {each for each in TemporalState if past or each is not TemporalState.PAST}
    recent = {"created": {"max_age": f"{age}d"}} if age is not None else {}
    where = {"state": _EVER if TemporalState.PAST in wanted else _HELD, **recent}
    if categories:
        where |= of_categories(categories)
    try:
        asking = {"query": query, "user": user}
        hits = list(_found(doer, "search", {**asking, "limit": 2 * limit, "where": where}))
        said = [] if categories else list(_found(doer, "search", {**asking, "limit": limit, "where": recent}))
    except StoreFailure as problem:
        failure = {"code": "recall_unavailable", "message": "Recall failed", "details": {"reason": problem.message}}
        return Reply({"detail": "Recall failed", "error": failure}, 503)
    facts = [(hit.score, fact_of(hit.note, now)) for hit in hits if hit.note]
    facts += [(hit.score, message_fact(hit.observation)) for hit in said if _tells(hit.observation)]
    kept = [fact for _, fact in sorted(facts, key=lambda each: -each[0]) if fact["temporal_state"] in wanted]
    return {"relevant_facts": kept[:limit]}


def conscious(doer: Doer, asked: Asked) -> Any:
    """The facts to have at hand always: what is pinned or essential, and then the rest of the user's profile."""
    user, now = _user(asked, asked.parts["user_id"]), asked.clock.now()
    limit = _number(asked.query, "max_facts", 20, 1, _MOST_FACTS)
    given = {"user": user, "where": {"or": [{"pinned": True}, {"importance": {"gte": 0.9}}]}}
    essential = _notes(doer, given, limit)
    profile = _found(doer, "profile", {"user": user})
    ids = [each for field in profile or () for each in field.note_ids]
    rest = {note.id: note for note in _notes(doer, {"user": user, "subject": "user"}, _AT_A_TIME)}
    ranked = [*sorted(essential, key=_rank), *(rest[each] for each in ids if each in rest)]
    facts = [fact_of(note, now) for note in {note.id: note for note in ranked}.values()][:limit]
    return {"relevant_facts": facts, "essential_facts": facts, "user_id": asked.parts["user_id"]}


def list_facts(doer: Doer, asked: Asked) -> Any:
    """The facts that hold, newest first."""
    user, now = _user(asked, asked.parts["user_id"]), asked.clock.now()
    limit = _number(asked.query, "limit", 100, 1, _MOST_FACTS)
    states = _temporal_states(filter(None, asked.query.get("temporal_state", "").split(",")))
    where: dict[str, Any] = {"state": _EVER if TemporalState.PAST in states else _HELD}
    if asked.query.get("category"):
        where |= of_categories([asked.query["category"]])
    wanted = states or set(TemporalState) - {TemporalState.PAST}
    notes = _notes(doer, {"user": user, "where": where}, limit, lambda note: temporal_state(note, now) in wanted)
    return {"facts": [fact_of(note, now) for note in notes]}


def delete_fact(doer: Doer, asked: Asked) -> Reply:
    """A fact is no longer told, nor is what was said of it; its history stays, and a person can take it back."""
    _fact(doer, asked)
    doer.do("retract", {"note_id": asked.parts["fact_id"], "reason": "deleted by its user"})
    return Reply(None, 204)


def fact_source(doer: Doer, asked: Asked) -> Any:
    """The message that a fact was read from."""
    note = _fact(doer, asked, or_message=True)
    evidence = asked.parts["fact_id"] if note is None else next(iter(note.derived_from), None)
    if evidence is None:
        raise NotFound("Source message not available for this fact", code="source_not_found")
    try:
        said = doer.do("timeline", {"anchor": evidence, "before": 0, "after": 0}).found
    except RecollectError:
        said = None
    if said is None:
        raise NotFound("Source message not found" if note else "Fact not found", code="source_not_found")
    return source_of(asked.parts["fact_id"], said)


def timeline(doer: Doer, asked: Asked) -> Any:
    """The order in which facts followed each other, of one slot or of all."""
    user = _user(asked, _text(asked.query, "user_id"))
    category, slot = asked.query.get("category"), asked.query.get("slot_hint")
    past = asked.query.get("include_historical", "true").lower() not in ("false", "0")
    where: dict[str, Any] = {"state": _EVER, **(of_categories([category]) if category else {})}
    notes = _notes(doer, {"user": user, "where": where}, _MOST_FACTS)
    return timeline_of(notes, slot, asked.clock.now(), historical=past)


def refusal(problem: RecollectError, status: int) -> Reply | None:
    """An error in both forms that Mémoire has: `detail` of its framework, and the `error` of its own."""
    message, hint = problem.message, problem.hint
    match problem.code:
        case "token_missing":
            message, hint = "Missing API key", "Send it as `X-API-Key`."
        case "token_invalid":
            status, message = 403, "Invalid API key"
        case "too_many_requests":
            message = "Rate limit exceeded"
        case "note_not_found" | "erased":
            status, message = 404, "Fact not found"
        case _:
            pass
    told = {"code": _CODES.get(status, problem.code), "message": message, "details": {"hint": hint}}
    if status == 400:
        field = problem.field if isinstance(problem, Unprocessable) else None
        detail: Any = [{"type": problem.code, "loc": ["body", *([field] if field else [])], "msg": message}]
        return Reply({"detail": detail, "error": {**told, "code": "validation_error"}}, 422)
    return Reply({"detail": message, "error": told}, status)


_CODES = {401: "unauthorized", 403: "forbidden", 404: "not_found", 429: "rate_limit_exceeded"}


class Unprocessable(InvalidInput):
    """A field of the body or the query is missing, or has no such value."""

    code = "invalid_field"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def _keys(asked: Asked) -> KeyRing:
    if asked.keys is None:
        raise AssertionError("a server hands out keys")
    return asked.keys


def _key_of(asked: Asked) -> AccessToken:
    """The key of the user whom a path names: the one that was shown, or for an administrator the newest."""
    user = _user(asked, asked.parts["user_id"])
    if asked.token is not None and asked.token.within.user == user:
        return asked.token
    if asked.token is not None and not asked.token.reaches(AccessScope.ADMIN):
        raise _invalid_key()
    for each in reversed(_keys(asked).tokens(by=asked.token)):
        if each.dialect == NAME and each.within.user == user and each.is_live(asked.clock.now()):
            return each
    raise NotFound("User not found", code="user_not_found")


def _user(asked: Asked, named: str) -> str:
    """The user who is meant; refused with the key of another."""
    user = named.lower() if is_uuid(named) else named
    bound = asked.token.within.user if asked.token is not None else None
    if bound is not None and bound != user:
        raise _invalid_key()
    return user


def _invalid_key() -> NotAllowed:
    return NotAllowed("Invalid API key", code="token_invalid")


def _session(doer: Doer, user: str, named: str) -> str:
    """The session of a message: one that there is, or a new one under a name that is no UUID."""
    session = _session_name(user, named)
    try:
        owner = doer.do("session.show", {"session_id": session}).session.scope.user
    except NotFound:
        if is_uuid(named):
            raise NotFound(f"Session {named} not found", code="session_not_found") from None
        return session
    if owner != user:
        raise NotAllowed("Session does not belong to user", code="session_of_another")
    return session


def _require_session(doer: Doer, session: str, named: str) -> None:
    try:
        doer.do("session.show", {"session_id": session})
    except NotFound:
        raise NotFound(f"Session {named} not found", code="session_not_found") from None


def _session_name(user: str, named: str) -> str:
    return named.lower() if is_uuid(named) else str(uuid.uuid5(_SESSIONS, f"{user}\n{named}"))


def _fact(doer: Doer, asked: Asked, *, or_message: bool = False) -> Note | None:
    """The fact that a path names; `None` for a message, where that is as good."""
    named = asked.parts["fact_id"]
    if not is_uuid(named):
        raise Unprocessable("fact_id", "`fact_id` is not a UUID.")
    try:
        found: Note = doer.do("get", {"note_id": named})
    except RecollectError as problem:
        if or_message and isinstance(problem, NotFound):
            return None
        raise NotFound("Fact not found", code="note_not_found") from None
    return found


def _notes(doer: Doer, which: Mapping[str, Any], limit: int, admits: Any = lambda _: True) -> list[Note]:
    """Notes that hold a condition, newest first; of a long list its first thousands."""
    kept: list[Note] = []
    cursor, looked_at = None, 0
    while looked_at < _MOST_LOOKED_AT:
        page = _found(doer, "list", {**which, "limit": _AT_A_TIME, "cursor": cursor})
        if not page:
            break
        kept += [note for note in page.items if admits(note)]
        cursor, looked_at = page.next_cursor, looked_at + len(page.items)
        if len(kept) >= limit or cursor is None:
            break
    return kept[:limit]


def _found(doer: Doer, verb: str, given: Mapping[str, Any]) -> Any:
    """The answer of a verb; nothing in a space that nobody has written in."""
    try:
        return doer.do(verb, {name: value for name, value in given.items() if value not in (None, {})})
    except NotFound as problem:
        if problem.code == "space_not_found":
            return ()
        raise


def _tells(said: Observation | None) -> bool:
    """Whether a message is worth telling: a person said it, and did not ask."""
    return said is not None and said.role == "user" and said.standing is not Standing.ASKED


def _rank(note: Note) -> tuple[bool, bool, float]:
    return (not note.pinned, not is_essential(note), -note.importance)


def _temporal_states(named: Iterable[str]) -> set[TemporalState]:
    try:
        return set(map(TemporalState, named))
    except ValueError:
        raise Unprocessable("temporal_states", f"A temporal state is one of: {', '.join(TemporalState)}.") from None


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Unprocessable(name, f"`{name}` must be text that is not empty.")
    return value


def _texts(fields: Mapping[str, Any], name: str) -> list[str]:
    value = fields.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value) or len(value) > len(Category):
        raise Unprocessable(name, f"`{name}` must be a short list of texts.")
    return value


def _one_of(fields: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str:
    value = fields.get(name)
    if value not in known:
        raise Unprocessable(name, f"`{name}` must be one of: {', '.join(known)}.")
    return str(value)


def _number(fields: Mapping[str, Any], name: str, default: T, least: int, most: int) -> int | T:
    value = fields.get(name)
    if value is None:
        return default
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Unprocessable(name, f"`{name}` must be a whole number from {least} to {most}.")
    return value


def _truth(fields: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = fields.get(name, default)
    if not isinstance(value, bool):
        raise Unprocessable(name, f"`{name}` must be true or false.")
    return value


def _path(method: str, path: str, verb: str, answer: Any, status: int = 200, *, open: bool = False) -> DialectPath:
    return DialectPath(method, path, verb, SpaceRule.TOKEN, answer, key_in, reads=LOOSE, status=status, open=open)


def front_page(_: Doer, asked: Asked) -> Any:
    """Say that the server runs; where Anda Brain is spoken, an agent that asks for Markdown reads its page instead."""
    accepted = ",".join(asked.headers.get("accept", ())).lower()
    if "anda" in asked.spoken and MARKDOWN in accepted and JSON not in accepted:
        page = files("recollect.dialects.anda").joinpath("SKILL.md").read_text(encoding="utf-8")
        return Reply(page, says=f"{MARKDOWN}; charset=utf-8")
    return {"status": "healthy", "service": "memori-api"}


DIALECT = Dialect(
    NAME,
    (
        _path("GET", "/", "status", front_page, open=True),
        _path("GET", "/health", "status", lambda *_: {"status": "healthy", "version": __version__}, open=True),
        _path("POST", "/v1/users", "session.start", create_user, 201, open=True),
        _path("POST", "/v1/users/{user_id}/api-key/rotate", "session.start", rotate_key),
        _path("DELETE", "/v1/users/{user_id}/api-key", "session.start", revoke_key, 204),
        _path("POST", "/v1/users/{user_id}/consolidate", "dedup", consolidate),
        _path("POST", "/v1/sessions", "session.start", create_session, 201),
        _path("POST", "/v1/ingest", "add", ingest, 201),
        _path("GET", "/v1/history/{session_id}", "timeline", history),
        _path("POST", "/v1/recall", "search", recall),
        _path("GET", "/v1/conscious/{user_id}", "profile", conscious),
        _path("GET", "/v1/facts/{user_id}", "list", list_facts),
        _path("DELETE", "/v1/facts/{fact_id}", "retract", delete_fact, 204),
        _path("GET", "/v1/facts/{fact_id}/source", "get", fact_source),
        _path("GET", "/v1/timeline", "list", timeline),
    ),
    refusal=refusal,
    figures="memori",
)
