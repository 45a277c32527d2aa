"""The paths of mem0: those of its platform, which its clients ask, and those of its open-source server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from recollect.dialects.mem0 import mem0_memories as memories
from recollect.dialects.table import (
    Asked,
    Dialect,
    DialectPath,
    Headers,
    Reply,
    SpaceRule,
    api_key,
    token_scheme,
)
from recollect.dialects.tool import Doer
from recollect.domain.errors import InvalidInput, RecollectError

Answer: TypeAlias = Callable[[Doer, Asked], Any]

_QUEUED = "Memory processing has been queued for background execution"
_TOLD = {"memory_add": "written", "memory_update": "written", "memory_delete": "erased"}


def _either(headers: Headers) -> str | None:
    """The secret of a client of the server: `X-API-Key`, or `Authorization`."""
    shown = api_key(headers)
    return token_scheme(headers) if shown is None else shown


# -- memories ----------------------------------------------------------------------------------------------------------


def _added(doer: Doer, asked: Asked) -> Any:
    made = memories.add(doer, asked.body)
    if asked.body.get("infer") is False:
        return {**made, "status": "SUCCEEDED", "message": "Memories were stored."}
    return {**made, "status": "PENDING", "message": _QUEUED}


def _added_here(doer: Doer, asked: Asked) -> Any:
    _require_identity(memories.identity(asked.body))
    return {"results": memories.add(doer, asked.body)["results"]}


def _listed(doer: Doer, asked: Asked, *, path: str) -> Any:
    """A page by `page` and `page_size`, with the addresses of its neighbours."""
    given = {**asked.query, **asked.body}
    page = memories.get_all(
        doer, given, page=_whole(asked.query, "page", 1), size=_whole(asked.query, "page_size", 100)
    )
    return {**page, **{name: page[name] and path + page[name] for name in ("next", "previous")}}


def _listed_plainly(doer: Doer, asked: Asked) -> Any:
    """A list as the first version of the platform had it."""
    return memories.get_all(doer, {**asked.query, **asked.body}, size=_whole(asked.query, "page_size", 100))["results"]


def _listed_here(doer: Doer, asked: Asked) -> Any:
    given = {**asked.query, "show_expired": asked.query.get("show_expired") == "true"}
    found = memories.get_all(doer, given, size=_whole(asked.query, "top_k", memories.MOST_PER_PAGE) or 1)
    return {"results": found["results"]}


def _searched_plainly(doer: Doer, asked: Asked) -> Any:
    return memories.search(doer, asked.body)["results"]


def _searched_here(doer: Doer, asked: Asked) -> Any:
    _require_identity(memories.identity(asked.body))
    return memories.search(doer, asked.body, most=20)


def _deleted(doer: Doer, asked: Asked) -> Any:
    memories.delete(doer, asked.parts["memory_id"], linked=asked.query.get("delete_linked", "").lower() == "true")
    return {"message": "Memory deleted successfully!"}


def _deleted_all(doer: Doer, asked: Asked) -> Any:
    memories.delete_all(doer, {**asked.query, **asked.body})
    return {"message": "Memories deleted successfully!"}


def _updated_here(doer: Doer, asked: Asked) -> Any:
    memories.update(doer, asked.parts["memory_id"], asked.body)
    return {"message": "Memory updated successfully!"}


def _updated_many(doer: Doer, asked: Asked) -> Any:
    some = _memories(asked)
    for each in some:
        memories.update(doer, str(each.get("memory_id")), each)
    return {"message": f"Successfully updated {len(some)} memories"}


def _deleted_many(doer: Doer, asked: Asked) -> Any:
    some = _memories(asked)
    for each in some:
        memories.delete(doer, str(each.get("memory_id")))
    return {"message": f"Successfully deleted {len(some)} memories"}


def _reset(doer: Doer, _: Asked) -> Any:
    memories.reset(doer)
    return {"message": "All memories reset"}


# -- beside memories ---------------------------------------------------------------------------------------------------


def _ping(_: Doer, asked: Asked) -> Any:
    token = asked.token
    project = (token.space if token else None) or "default"
    return {"status": "ok", "org_id": "recollect", "project_id": project, "user_email": token.name if token else None}


def _entities(doer: Doer, _: Asked) -> Any:
    found = memories.entities(doer)
    return {"count": len(found), "next": None, "previous": None, "results": found}


def _entities_here(doer: Doer, _: Asked) -> Any:
    return [{**each, "id": each["name"]} for each in memories.entities(doer) if each["type"] != "app"]


def _entity_deleted(doer: Doer, asked: Asked) -> Any:
    memories.delete_entity(doer, asked.parts["type"], asked.parts["name"])
    return {"message": "Entity deleted successfully."}


def _summary(doer: Doer, asked: Asked) -> Any:
    who = memories.identity(asked.body)
    return {"summary": doer.do("profile", who).prose, "status": "succeeded"}


def _project(_: Doer, asked: Asked) -> Any:
    """A project has no instructions and categories of its own: nothing is made by a prompt."""
    return {
        "id": asked.parts["project"],
        "name": asked.parts["project"],
        "custom_instructions": None,
        "custom_categories": [],
    }


def _always(answer: Any) -> Answer:
    return lambda *_: answer


_CONFIGURED = {"version": "v1.1", "llm": None, "embedder": None, "vector_store": {"provider": "recollect"}}


def _webhooks(doer: Doer, _: Asked) -> Any:
    return [_webhook(each) for each in doer.do("webhooks.list").items]


def _webhook_added(doer: Doer, asked: Asked) -> Any:
    given = asked.body
    name = str(given.get("name") or asked.parts.get("name") or "").strip().replace(" ", "-")
    events = given.get("event_types") or ()
    told = sorted({_TOLD[each] for each in events if each in _TOLD}) if isinstance(events, list) else []
    made = doer.do("webhooks.add", {"webhook": name, "url": given.get("url"), "events": told or None})
    return {**_webhook(made.webhook), "secret": made.secret}


def _webhook_removed(doer: Doer, asked: Asked) -> Any:
    doer.do("webhooks.remove", {"webhook": asked.parts["name"]})
    return {"message": "Webhook deleted successfully"}


def _webhook(hook: Any) -> dict[str, Any]:
    kinds = {kind.value for kind in hook.events}
    return {
        "webhook_id": hook.name,
        "name": hook.name,
        "url": hook.host,
        "event_types": [theirs for theirs, ours in _TOLD.items() if ours in kinds],
        "is_active": True,
        "created_at": hook.created_at,
    }


# -- inside ------------------------------------------------------------------------------------------------------------


def _require_identity(who: Mapping[str, str]) -> None:
    if not who:
        raise InvalidInput("At least one identifier (user_id, agent_id, run_id) is required.", code="field_missing")


def _memories(asked: Asked) -> list[Mapping[str, Any]]:
    some = asked.body.get("memories")
    if not isinstance(some, list) or not all(isinstance(each, Mapping) for each in some) or len(some) > 1000:
        raise InvalidInput("`memories` must be a list of at most 1000 objects.", code="invalid_field")
    return some


def _whole(query: Mapping[str, str], name: str, otherwise: int) -> int:
    try:
        return int(query.get(name) or otherwise)
    except ValueError:
        raise InvalidInput(f"`{name}` must be a whole number.", code="invalid_number") from None


def _not_taken(what: str) -> Answer:
    def refused(*_: Any) -> Any:
        raise memories.not_taken(what)

    return refused


def _told(problem: RecollectError, status: int) -> Reply:
    """An error as clients of mem0 read it: `detail` for people. What was forgotten was never there, to them."""
    said = f"{problem.message} {problem.hint}".strip()
    body = {"detail": said, "error": problem.message, "code": problem.code}
    if problem.code in ("note_not_found", "erased"):
        return Reply({**body, "error": "Memory not found!"}, 404)
    return Reply(body, status)


def _by_id(call: Callable[[Doer, str], Any]) -> Answer:
    return lambda doer, asked: call(doer, asked.parts["memory_id"])


def _path(method: str, path: str, verb: str, answer: Answer, *, server: bool = False) -> DialectPath:
    return DialectPath(method, path, verb, SpaceRule.TOKEN, answer, _either if server else token_scheme)


_on_server = partial(_path, server=True)
_PROJECTS = "/api/v1/orgs/organizations/{org}/projects/"
_ONE = "/v1/memories/{memory_id}/"

PLATFORM = (
    _path("GET", "/v1/ping/", "list", _ping),
    _path("POST", "/v3/memories/add/", "add", _added),
    _path("POST", "/v1/memories/", "add", _added),
    _path("POST", "/v3/memories/", "list", partial(_listed, path="/v3/memories/")),
    _path("POST", "/v2/memories/", "list", _listed_plainly),
    _path("GET", "/v1/memories/", "list", _listed_plainly),
    _path("POST", "/v3/memories/search/", "search", lambda doer, asked: memories.search(doer, asked.body)),
    _path("POST", "/v2/memories/search/", "search", _searched_plainly),
    _path("POST", "/v1/memories/search/", "search", _searched_plainly),
    _path("GET", _ONE, "get", _by_id(memories.get)),
    _path("PUT", _ONE, "update", lambda doer, asked: memories.update(doer, asked.parts["memory_id"], asked.body)),
    _path("DELETE", _ONE, "forget", _deleted),
    _path("DELETE", "/v1/memories/", "forget-all", _deleted_all),
    _path("GET", _ONE + "history/", "history", _by_id(memories.history)),
    _path("PUT", "/v1/batch/", "update", _updated_many),
    _path("DELETE", "/v1/batch/", "forget", _deleted_many),
    _path("GET", "/v1/entities/", "count", _entities),
    _path("DELETE", "/v1/entities/{type}/{name}/", "reset", _entity_deleted),
    _path("DELETE", "/v2/entities/{type}/{name}/", "reset", _entity_deleted),
    _path(
        "GET",
        "/v2/entities/user/{name}/profile/",
        "profile",
        lambda doer, asked: memories.profile(doer, asked.parts["name"]),
    ),
    _path("GET", "/v1/event/{event_id}/", "list", lambda doer, asked: memories.event(doer, asked.parts["event_id"])),
    _path("GET", "/v1/events/", "list", _not_taken("A list of events")),
    _path("POST", "/v1/feedback/", "feedback", lambda doer, asked: memories.feedback(doer, asked.body)),
    _path("POST", "/v1/summary/", "profile", _summary),
    _path("POST", "/v1/exports/", "export", _not_taken("An export by a schema")),
    _path("POST", "/v1/exports/get/", "export", _not_taken("An export by a schema")),
    _path("POST", "/v2/profiles/jobs/", "profile", _not_taken("Generating a profile by a job")),
    _path("GET", "/v2/profiles/jobs/{job}/", "profile", _not_taken("Generating a profile by a job")),
    _path("GET", "/v2/profiles/settings/", "profile", _not_taken("Choosing how profiles are made")),
    _path("POST", "/v2/profiles/settings/", "profile", _not_taken("Choosing how profiles are made")),
    _path("POST", _PROJECTS, "spaces.list", _not_taken("Creating a project")),
    _path("GET", _PROJECTS + "{project}/", "list", _project),
    _path("PATCH", _PROJECTS + "{project}/", "save", _not_taken("Changing a project")),
    _path("DELETE", _PROJECTS + "{project}/", "reset", _not_taken("Deleting a project")),
    *(
        _path(method, _PROJECTS + "{project}/members/", "list", _not_taken("Managing the members of a project"))
        for method in ("GET", "POST", "PUT", "DELETE")
    ),
    _path("GET", "/api/v1/webhooks/projects/{project}/", "webhooks.list", _webhooks),
    _path("POST", "/api/v1/webhooks/projects/{project}/", "webhooks.add", _webhook_added),
    _path("PUT", "/api/v1/webhooks/{name}/", "webhooks.add", _webhook_added),
    _path("DELETE", "/api/v1/webhooks/{name}/", "webhooks.remove", _webhook_removed),
)

SERVER = (
    _on_server("POST", "/memories", "add", _added_here),
    _on_server("GET", "/memories", "list", _listed_here),
    _on_server("DELETE", "/memories", "forget-all", _deleted_all),
    _on_server("GET", "/memories/{memory_id}", "get", _by_id(memories.get)),
    _on_server("PUT", "/memories/{memory_id}", "update", _updated_here),
    _on_server("DELETE", "/memories/{memory_id}", "forget", _deleted),
    _on_server("GET", "/memories/{memory_id}/history", "history", _by_id(memories.history)),
    _on_server("POST", "/search", "search", _searched_here),
    _on_server("POST", "/reset", "reset", _reset),
    _on_server("GET", "/configure", "list", _always(_CONFIGURED)),
    _on_server("POST", "/configure", "reset", _not_taken("Configuring by a request")),
    _on_server("GET", "/configure/providers", "list", _always({"llm": [], "embedder": []})),
    _on_server("POST", "/generate-instructions", "list", _not_taken("Generating instructions")),
    _on_server("GET", "/entities", "count", _entities_here),
    _on_server("DELETE", "/entities/{type}/{name}", "reset", _entity_deleted),
)

DIALECT = Dialect("mem0", (*PLATFORM, *SERVER), refusal=_told)
