"""The refusal of a name that a verb, a message or a setting does not have, with the name that was probably meant.

`ELSEWHERE` holds names of other memory systems and of everyday code. A name that is in there is suggested only where
it exists. All doors refuse through `unknown_field`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from recollect.domain.errors import UnknownField

_SHOWN = 60  # characters of a name that nobody chose for being read
_ALIKE = 0.75  # share of equal letters, as difflib counts: `projct` and `subjct` pass, `filters` for `limit` does not

# A name from elsewhere, and our names for the same thing, the likeliest first.
ELSEWHERE: dict[str, tuple[str, ...]] = {
    "actor": ("agent", "name"),
    "agent_id": ("agent",),
    "agent_name": ("agent",),
    "app_id": ("project",),
    "author": ("role", "name"),
    "before_date": ("as_of", "until"),
    "bot_id": ("agent",),
    "categories": ("tags", "tag"),
    "category": ("kind", "tag", "tags"),
    "collection": ("space",),
    "content": ("text", "messages", "query"),
    "conversation_id": ("session", "session_id"),
    "count": ("limit",),
    "created_at": ("at", "valid_from"),
    "createdat": ("at", "valid_from"),
    "data": ("messages", "text"),
    "database": ("store",),
    "date": ("at", "as_of", "valid_from"),
    "datetime": ("at", "as_of", "valid_from"),
    "db": ("store",),
    "db_path": ("store",),
    "directory": ("path", "home"),
    "dir": ("path", "home"),
    "expiration_date": ("expires_at",),
    "file": ("path",),
    "file_path": ("path",),
    "filename": ("path",),
    "filter": ("where", "user", "agent", "project", "tag"),
    "filters": ("where", "user", "agent", "project", "tag"),
    "from": ("name", "valid_from"),
    "host": ("machine", "store"),
    "hostname": ("machine",),
    "id": ("note_id", "session_id", "action_id", "receipt_id"),
    "infer": ("extract",),
    "input": ("messages", "text", "query"),
    "k": ("limit",),
    "key": ("idempotency_key", "label"),
    "labels": ("tags", "tag"),
    "max_results": ("limit",),
    "max_tokens": ("budget",),
    "memory": ("text", "messages"),
    "memory_id": ("note_id",),
    "message": ("messages", "content"),
    "n": ("limit",),
    "n_results": ("limit",),
    "namespace": ("space",),
    "note": ("note_id", "text"),
    "num_results": ("limit",),
    "org_id": ("space",),
    "owner": ("user", "principal"),
    "page_size": ("limit",),
    "prompt": ("query", "topic", "text"),
    "q": ("query",),
    "question": ("query",),
    "repo": ("project",),
    "repository": ("project",),
    "run_id": ("session", "session_id"),
    "sender": ("role", "name"),
    "sent_at": ("at",),
    "session": ("session_id",),
    "session_id": ("session",),
    "size": ("limit",),
    "speaker": ("user",),
    "start": ("since", "valid_from"),
    "statement": ("text", "query"),
    "tag": ("tags",),
    "tags": ("tag",),
    "team": ("space",),
    "tenant": ("space",),
    "tenant_id": ("space",),
    "term": ("query",),
    "text": ("query", "messages", "topic", "content"),
    "thread": ("session", "session_id"),
    "thread_id": ("session", "session_id"),
    "time": ("at", "as_of", "valid_from"),
    "timestamp": ("at", "occurred_at"),
    "timezone": ("zone",),
    "to": ("until", "valid_until"),
    "token_budget": ("budget",),
    "top_k": ("limit",),
    "topk": ("limit",),
    "ts": ("at",),
    "ttl": ("expires_at",),
    "type": ("kind", "role"),
    "tz": ("zone",),
    "url": ("store", "remote", "path"),
    "user": ("principal", "name"),
    "user_id": ("user", "principal", "name"),
    "username": ("user", "principal", "name"),
    "workspace": ("project", "space"),
}


def unknown_field(name: str, *, of: str, known: Iterable[str], what: str = "parameter") -> UnknownField:
    """The refusal of a name that `of` does not have. Names with dashes before them keep theirs."""
    names = list(known)
    meant = meant_by(name, names)
    told = f"`{name[:_SHOWN]}` is no {what} of `{of}`"
    question = f": did you mean {_either(meant)}?" if meant else "."
    return UnknownField(told + question, hint=f"There are: {', '.join(names) or 'none'}.")


def meant_by(name: str, known: Collection[str]) -> tuple[str, ...]:
    """The known names that were probably meant: what is called so elsewhere, or else the one that is spelled alike."""
    bare = name.lstrip("-").replace("-", "_").lower()
    by_bare = {each.lstrip("-").replace("-", "_").lower(): each for each in known}
    if bare in by_bare:
        return (by_bare[bare],)
    called = tuple(by_bare[each] for each in ELSEWHERE.get(bare, ()) if each in by_bare)
    if called:
        return called
    from difflib import get_close_matches  # only for whoever made a mistake

    return tuple(by_bare[each] for each in get_close_matches(bare[:_SHOWN], by_bare, n=1, cutoff=_ALIKE))


def _either(names: Collection[str]) -> str:
    *first, last = (f"`{name}`" for name in names)
    return f"{', '.join(first)} or {last}" if first else last
