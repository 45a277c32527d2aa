"""The paths of mem0: those of its platform, which its clients ask, and those of its open-source server."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from recollect.dialects.arguments import by_body, by_part, whole
from recollect.dialects.mem0 import mem0_memories as memories
from recollect.dialects.shapes import shaped
from recollect.dialects.table import Asked, Dialect, DialectPath, Headers, Reply, SpaceRule, api_key, token_scheme
from recollect.dialects.text_tables import PathRow, path_rows
from recollect.dialects.tool import Doer
from recollect.domain.errors import InvalidInput, RecollectError

_QUEUED = "Memory processing has been queued for background execution"
_TOLD = {"memory_add": "written", "memory_update": "written", "memory_delete": "erased"}


def _either(headers: Headers) -> str | None:
    """The secret of a client of the server: `X-API-Key`, or `Authorization`."""
    shown = api_key(headers)
    return token_scheme(headers) if shown is None else shown


# -- memories ----------------------------------------------------------------------------------------------------------


def added(doer: Doer, asked: Asked) -> Any:
    made = memories.add(doer, asked.body)
    if asked.body.get("infer") is False:
        return {**made, "status": "SUCCEEDED", "message": "Memories were stored."}
    return {**made, "status": "PENDING", "message": _QUEUED}


def added_here(doer: Doer, asked: Asked) -> Any:
    _require_identity(memories.identity(asked.body))
    return {"results": memories.add(doer, asked.body)["results"]}


def listed(doer: Doer, asked: Asked) -> Any:
    """A page by `page` and `page_size`, with the addresses of its neighbours."""
    number, size = whole(asked.query, "page", 1), whole(asked.query, "page_size", 100)
    page = memories.get_all(doer, {**asked.query, **asked.body}, page=number, size=size)
    return {**page, **{name: page[name] and f"/v3/memories/{page[name]}" for name in ("next", "previous")}}


def listed_plainly(doer: Doer, asked: Asked) -> Any:
    """A list as the first version of the platform had it."""
    return memories.get_all(doer, {**asked.query, **asked.body}, size=whole(asked.query, "page_size", 100))["results"]


def listed_here(doer: Doer, asked: Asked) -> Any:
    given = {**asked.query, "show_expired": asked.query.get("show_expired") == "true"}
    found = memories.get_all(doer, given, size=whole(asked.query, "top_k", memories.MOST_PER_PAGE) or 1)
    return {"results": found["results"]}


def searched_plainly(doer: Doer, asked: Asked) -> Any:
    return memories.search(doer, asked.body)["results"]


def searched_here(doer: Doer, asked: Asked) -> Any:
    _require_identity(memories.identity(asked.body))
    return memories.search(doer, asked.body, most=20)


got, history = by_part(memories.get, "memory_id"), by_part(memories.history, "memory_id")
searched, feedback = by_body(memories.search), by_body(memories.feedback)
profile, event = by_part(memories.profile, "name"), by_part(memories.event, "event_id")


def updated(doer: Doer, asked: Asked) -> Any:
    return memories.update(doer, asked.parts["memory_id"], asked.body)


def deleted(doer: Doer, asked: Asked) -> Any:
    memories.delete(doer, asked.parts["memory_id"], linked=asked.query.get("delete_linked", "").lower() == "true")
    return {"message": "Memory deleted successfully!"}


def deleted_all(doer: Doer, asked: Asked) -> Any:
    memories.delete_all(doer, {**asked.query, **asked.body})
    return {"message": "Memories deleted successfully!"}


def updated_here(doer: Doer, asked: Asked) -> Any:
    memories.update(doer, asked.parts["memory_id"], asked.body)
    return {"message": "Memory updated successfully!"}


def updated_many(doer: Doer, asked: Asked) -> Any:
    some = _memories(asked)
    for each in some:
        memories.update(doer, str(each.get("memory_id")), each)
    return {"message": f"Successfully updated {len(some)} memories"}


def deleted_many(doer: Doer, asked: Asked) -> Any:
    some = _memories(asked)
    for each in some:
        memories.delete(doer, str(each.get("memory_id")))
    return {"message": f"Successfully deleted {len(some)} memories"}


def reset(doer: Doer, _: Asked) -> Any:
    memories.reset(doer)
    return {"message": "All memories reset"}


# -- beside memories ---------------------------------------------------------------------------------------------------


def ping(_: Doer, asked: Asked) -> Any:
    token = asked.token
    project = (token.space if token else None) or "default"
    return {"status": "ok", "org_id": "recollect", "project_id": project, "user_email": token.name if token else None}


def entities(doer: Doer, _: Asked) -> Any:
    found = memories.entities(doer)
    return {"count": len(found), "next": None, "previous": None, "results": found}


def entities_here(doer: Doer, _: Asked) -> Any:
    return [{**each, "id": each["name"]} for each in memories.entities(doer) if each["type"] != "app"]


def entity_deleted(doer: Doer, asked: Asked) -> Any:
    memories.delete_entity(doer, asked.parts["type"], asked.parts["name"])
    return {"message": "Entity deleted successfully."}


def summary(doer: Doer, asked: Asked) -> Any:
    who = memories.identity(asked.body)
    return {"summary": doer.do("profile", who).prose, "status": "succeeded"}


def project(_: Doer, asked: Asked) -> Any:
    """A project has no instructions and categories of its own: nothing is made by a prompt."""
    name = asked.parts["project"]
    return {"id": name, "name": name, "custom_instructions": None, "custom_categories": []}


def webhooks(doer: Doer, _: Asked) -> Any:
    return [_webhook(each) for each in doer.do("webhooks.list").items]


def webhook_added(doer: Doer, asked: Asked) -> Any:
    given = asked.body
    name = str(given.get("name") or asked.parts.get("name") or "").strip().replace(" ", "-")
    events = given.get("event_types") or ()
    told = sorted({_TOLD[each] for each in events if each in _TOLD}) if isinstance(events, list) else []
    made = doer.do("webhooks.add", {"webhook": name, "url": given.get("url"), "events": told or None})
    return {**_webhook(made.webhook), "secret": made.secret}


def webhook_removed(doer: Doer, asked: Asked) -> Any:
    doer.do("webhooks.remove", {"webhook": asked.parts["name"]})
    return {"message": "Webhook deleted successfully"}


def _webhook(hook: Any) -> dict[str, Any]:
    kinds = {kind.value for kind in hook.events}
    told = [theirs for theirs, ours in _TOLD.items() if ours in kinds]
    return shaped(hook, "webhook_id=name name url=host created_at", event_types=told, is_active=True)


# -- inside ------------------------------------------------------------------------------------------------------------


def _require_identity(who: Mapping[str, str]) -> None:
    if not who:
        raise InvalidInput("At least one identifier (user_id, agent_id, run_id) is required.", code="field_missing")


def _memories(asked: Asked) -> list[Mapping[str, Any]]:
    some = asked.body.get("memories")
    if not isinstance(some, list) or not all(isinstance(each, Mapping) for each in some) or len(some) > 1000:
        raise InvalidInput("`memories` must be a list of at most 1000 objects.", code="invalid_field")
    return some


def _told(problem: RecollectError, status: int) -> Reply:
    """An error as clients of mem0 read it: `detail` for people. What was forgotten was never there, to them."""
    said = f"{problem.message} {problem.hint}".strip()
    body = {"detail": said, "error": problem.message, "code": problem.code}
    if problem.code in ("note_not_found", "erased"):
        return Reply({**body, "error": "Memory not found!"}, 404)
    return Reply(body, status)


def _path(row: PathRow) -> DialectPath:
    secret_in = _either if "server" in row.marks else token_scheme
    return DialectPath(row.method, row.path, row.verb, SpaceRule.TOKEN, row.call, secret_in)


_ROWS = path_rows(__package__ or "", sys.modules[__name__], hint="docs/dialects/mem0.md says why.")
DIALECT = Dialect("mem0", tuple(map(_path, _ROWS)), refusal=_told)
