"""agentmemory's paths. Its clients show a token that was made for it, or the secret that the server was started with.

`AGENTMEMORY_SECRET` in the environment of the server opens these paths and no others, as in its own server; with
`AGENTMEMORY_AGENT_SCOPE=isolated` whoever shows it is bound to the agent of `AGENT_ID`. Only that secret is taken from
a query, and only by the frames of the viewer, for a browser cannot send a header there.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from recollect.dialects.agentmemory import memory_calls, tools, transfer, work_calls
from recollect.dialects.agentmemory.arguments import Given
from recollect.dialects.agentmemory.formats import VERSION, frames_of
from recollect.dialects.table import ANY, Asked, Dialect, DialectPath, Keys, Knock, Reply, SpaceRule, bearer
from recollect.dialects.tool import Doer
from recollect.domain.access import AccessScope, AccessToken, up_to
from recollect.domain.errors import InvalidInput, RecollectError, Unsupported
from recollect.domain.scopes import Scope
from recollect.settings import foreign_variables

_PREFIX = "/agentmemory"
_VIEWER = "/stream/mem-live/viewer"
_VARIABLES = ("AGENTMEMORY_SECRET", "AGENTMEMORY_AGENT_SCOPE", "AGENT_ID")
Call = Callable[[Doer, Given], Any]


def admitted(knock: Knock, line: DialectPath, keys: Keys) -> AccessToken | None:
    """The token of a request: one that was made for agentmemory, or one for whoever knows the server's secret."""
    said = foreign_variables(_VARIABLES)
    secret = bearer(knock.headers)
    in_query = line.path == _VIEWER and "AGENTMEMORY_SECRET" in said
    shown = secret or (knock.query.get("token") or knock.query.get("secret") or "" if in_query else "")
    if shown and hmac.compare_digest(shown.encode(), said.get("AGENTMEMORY_SECRET", "").encode()):
        isolated = said.get("AGENTMEMORY_AGENT_SCOPE") == "isolated"
        within = Scope(agent=said.get("AGENT_ID") or "agent") if isolated else Scope()
        began = datetime.min.replace(tzinfo=UTC)
        return AccessToken("", "agentmemory", up_to(AccessScope.WRITE), None, began, within=within)
    return keys.admit(secret or "", DIALECT.name)


def refused(problem: RecollectError, status: int) -> Reply:
    """An error as agentmemory tells it: a sentence, and here also what to do next."""
    if status == 401:
        return Reply({"error": "unauthorized"}, status)
    return Reply({"error": problem.message, "code": problem.code, "hint": problem.hint}, status)


def _given(asked: Asked) -> dict[str, Any]:
    """The arguments of a request: of its path, its query and its body, which is JSON whatever its head says."""
    try:
        body = json.loads(asked.raw) if asked.raw.strip() else {}
    except (ValueError, RecursionError):
        raise InvalidInput("The body is not JSON.", code="invalid_json") from None
    if not isinstance(body, dict):
        raise InvalidInput("The body must be an object.", code="invalid_json")
    return {**asked.query, **asked.parts, **body}


def _path(method: str, path: str, verb: str, call: Call, *, is_open: bool = False) -> DialectPath:
    where = path if path.startswith("/") else f"{_PREFIX}/{path}"

    def answer(doer: Doer, asked: Asked) -> Any:
        return call(doer, _given(asked))

    return DialectPath(method, where, verb, SpaceRule.TOKEN, answer, reads=(ANY,), open=is_open)


def _alive(_: Doer, __: Given) -> Any:
    return {"status": "ok", "service": "agentmemory", "viewerPort": 0, "viewerSkipped": True}


def _health(_: Doer, __: Given) -> Any:
    told = {"status": "healthy", "service": "agentmemory", "version": VERSION}
    return {**told, "database": "recollect", "databaseStatus": "connected"}


def _flags(_: Doer, __: Given) -> Any:
    return {"version": VERSION, "provider": "noop", "embeddingProvider": "local", "flags": []}


def _guide(_: Doer, __: Given) -> Any:
    told = "Recollect answers the paths of agentmemory below /agentmemory. Show the token as `Authorization: Bearer`."
    return Reply(f"# agentmemory\n\n{told}\n", says="text/markdown; charset=utf-8")


def _not_a_page(_: Doer, __: Given) -> Any:
    raise InvalidInput("This path is a WebSocket.", code="not_a_page", hint="Open it as one.")


_MEMORIES = (
    _path("POST", "remember", "save", memory_calls.remember),
    _path("POST", "agent/remember", "save", memory_calls.remember),
    _path("GET", "memories", "list", memory_calls.memories),
    _path("GET", "memories/{id}", "get", memory_calls.memory),
    _path("POST", "evolve", "supersede", memory_calls.evolve),
    _path("POST", "forget", "forget", memory_calls.forget),
    _path("DELETE", "governance/memories", "forget", memory_calls.governance_delete),
    _path("GET", "relations", "relations", memory_calls.relations),
    _path("POST", "relations", "relate", memory_calls.relate),
    _path("GET", "insights", "list", memory_calls.insights),
    _path("POST", "patterns", "list", memory_calls.patterns),
    _path("GET", "semantic", "list", memory_calls.by_kind("semantic", "items")),
    _path("GET", "procedural", "list", memory_calls.by_kind("procedural", "items")),
    _path("POST", "verify", "relations", memory_calls.verify),
    _path("POST", "search", "search", memory_calls.search),
    _path("POST", "smart-search", "search", memory_calls.smart_search),
    _path("POST", "timeline", "timeline", memory_calls.timeline),
    _path("GET", "profile", "project-profile", memory_calls.profile),
    _path("GET", "audit", "audit", memory_calls.audit),
    _path("GET", "dolt/commits", "audit", memory_calls.audited_commits),
    _path("POST", "context", "context", memory_calls.context),
    _path("POST", "enrich", "search", memory_calls.enrich),
    _path("POST", "file-context", "search", memory_calls.enrich),
    _path("GET", "second-brain", "list", memory_calls.second_brain),
    _path("POST", "second-brain", "save", memory_calls.second_brain_write),
    _path("GET", "graph/stats", "list", memory_calls.graph_stats),
    _path("POST", "graph/query", "list", memory_calls.graph),
)

_WORK = (
    _path("POST", "session/start", "session.start", work_calls.session_start),
    _path("POST", "session/end", "session.end", work_calls.session_end),
    _path("POST", "session/commit", "session.link", work_calls.session_commit),
    _path("GET", "session/by-commit", "sessions", work_calls.by_commit),
    _path("GET", "commits", "sessions", work_calls.commits),
    _path("GET", "sessions", "sessions", work_calls.sessions),
    _path("GET", "observations", "replay", work_calls.observations),
    _path("POST", "observe", "observe", work_calls.observe),
    _path("POST", "agent/observe", "observe", work_calls.agent_observe),
    _path("POST", "summarize", "session.show", work_calls.summarize),
    _path("GET", "replay/sessions", "sessions", work_calls.sessions),
    _path("GET", "replay/load", "replay", work_calls.replay),
    _path("GET", "lessons", "lessons.list", work_calls.lessons),
    _path("POST", "lessons", "lessons.add", work_calls.lesson_save),
    _path("POST", "lessons/search", "search", work_calls.lesson_search),
    _path("POST", "lessons/strengthen", "lessons.strengthen", work_calls.lesson_strengthen),
    _path("POST", "lessons/delete", "retract", work_calls.lesson_delete),
    _path("GET", "slots", "slots.list", work_calls.slots),
    _path("GET", "slot", "slots.get", work_calls.slot),
    _path("POST", "slot", "slots.set", work_calls.slot_create),
    _path("DELETE", "slot", "slots.delete", work_calls.slot_delete),
    _path("POST", "slot/append", "slots.append", work_calls.slot_append),
    _path("POST", "slot/replace", "slots.set", work_calls.slot_replace),
    _path("POST", "slot/reflect", "slots.reflect", work_calls.slot_reflect),
    _path("GET", "actions", "actions.list", work_calls.actions),
    _path("GET", "actions/get", "actions.list", work_calls.action),
    _path("POST", "actions", "actions.add", work_calls.action_create),
    _path("POST", "actions/update", "actions.update", work_calls.action_update),
    _path("PATCH", "actions/{actionId}", "actions.update", work_calls.action_update),
    _path("GET", "frontier", "frontier", work_calls.frontier),
    _path("GET", "next", "frontier", work_calls.next_action),
    _path("POST", "consolidate", "reflect", work_calls.consolidate),
    _path("POST", "consolidate-pipeline", "reflect", work_calls.consolidate),
    _path("POST", "reflect", "reflect", work_calls.consolidate),
    _path("GET", "crystals", "crystals.list", work_calls.crystals),
    _path("POST", "crystals/auto", "crystals.make", work_calls.crystallize),
    _path("POST", "crystals/create", "crystals.make", work_calls.crystallize),
    _path("POST", "auto-forget", "tidy", work_calls.auto_forget),
    _path("POST", "diagnostics", "count", work_calls.diagnose),
    _path("POST", "claude-bridge/sync", "list", work_calls.bridge),
    _path("GET", "claude-bridge/read", "list", work_calls.bridge),
)

_BESIDE = (
    _path("GET", "livez", "count", _alive, is_open=True),
    _path("GET", "health", "count", _health),
    _path("GET", "config/flags", "count", _flags),
    _path("GET", "/agent.md", "count", _guide),
    _path("GET", "/auth.md", "count", _guide),
    _path("GET", "export", "export", transfer.exported),
    _path("POST", "import", "import", transfer.imported),
    _path("GET", "mcp/tools", "count", tools.listed),
    _path("POST", "mcp/tools", "save", tools.called),
    _path("POST", "mcp/call", "save", tools.called),
    _path("GET", "mcp/resources", "count", tools.resources),
    _path("POST", "mcp/resources/read", "list", tools.resource),
    _path("GET", "mcp/prompts", "count", tools.prompts),
    _path("POST", "mcp/prompts/get", "search", tools.prompt),
)

# Paths of its server that are answered with a sentence, by what they belong to.
_NOT_TAKEN = {
    "Mesh and team sharing are not taken: spaces, tokens and `recollect sync` do that here.": (
        "GET mesh/export, GET mesh/peers, POST mesh/peers, POST mesh/receive, POST mesh/sync, GET team/feed, "
        "GET team/profile, POST team/share"
    ),
    "Sentinels, checkpoints, routines, sketches, leases and signals are not taken: they steer agents, and remember "
    "nothing. Actions and what they wait for are kept.": (
        "GET sentinels, POST sentinels, POST sentinels/cancel, POST sentinels/check, POST sentinels/trigger, "
        "GET checkpoints, POST checkpoints, POST checkpoints/resolve, GET routines, POST routines, "
        "POST routines/run, GET routines/status, GET sketches, POST sketches, POST sketches/add, "
        "POST sketches/discard, POST sketches/gc, POST sketches/promote, POST leases/acquire, "
        "POST leases/release, POST leases/renew, GET signals, POST signals/send, POST actions/edges"
    ),
    "Facets are not taken: tags, metadata and filters do that here.": (
        "GET facets, POST facets, POST facets/query, POST facets/remove, GET facets/stats"
    ),
    "Searching pictures is not taken: they are kept with their observations and found by the words about them.": (
        "POST vision-embed, POST vision-search"
    ),
    "The graph is made of notes here, and needs no building: see graph/query and graph/stats.": (
        "POST graph/build, POST graph/extract, POST graph/import-graphify, POST graph/reset, "
        "POST graph/snapshot-rebuild"
    ),
    "Files of this machine are not changed over HTTP: use `recollect vault`, `recollect backup` or "
    "`recollect import` there.": (
        "POST compress-file, POST obsidian/export, POST generate-rules, POST snapshot/create, "
        "POST snapshot/restore, GET snapshots, POST replay/import-jsonl, POST antigravity/sync, POST migrate, "
        "GET branch/detect, GET branch/sessions, GET branch/worktrees"
    ),
    "This repair is not taken: what is due is erased by itself, and `recollect doctor` looks for damage.": (
        "POST evict, POST cascade-update, POST flow/compress, POST diagnostics/heal, GET diagnostics/followup, "
        "POST governance/bulk-delete, POST insights/search"
    ),
    "There is no such viewer: the dashboard of Recollect is at /.": "GET viewer, GET /viewer",
}


def _refusal(sentence: str) -> Call:
    def answer(_: Doer, __: Given) -> Any:
        raise Unsupported(sentence, code="not_taken", hint="docs/dialects/agentmemory.md lists what is not taken.")

    return answer


_UNTAKEN = tuple(
    _path(line.partition(" ")[0], line.partition(" ")[2], "count", _refusal(sentence))
    for sentence, lines in _NOT_TAKEN.items()
    for line in lines.split(", ")
)

_LIVE = DialectPath(
    "GET", _VIEWER, "timeline", SpaceRule.TOKEN, lambda doer, _: _not_a_page(doer, {}), frames=frames_of
)

DIALECT = Dialect(
    "agentmemory", (*_MEMORIES, *_WORK, *_BESIDE, *_UNTAKEN, _LIVE), admitted, refused, environment=_VARIABLES
)
