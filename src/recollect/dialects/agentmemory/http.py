"""agentmemory's paths, and its tools, resources and prompts, as its own server hands them out over HTTP.

`AGENTMEMORY_SECRET` in the environment of the server opens these paths and no others, as in its own server; with
`AGENTMEMORY_AGENT_SCOPE=isolated` whoever shows it is bound to the agent of `AGENT_ID`. Only that secret is taken from
a query, and only by the frames of the viewer, for a browser cannot send a header there. The tables stand in `*.tsv`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from recollect.dialects import text_tables
from recollect.dialects.agentmemory import memory_calls, work_calls
from recollect.dialects.agentmemory.formats import frames_of
from recollect.dialects.arguments import Given, loose_object, need
from recollect.dialects.credentials import is_secret, stand_in
from recollect.dialects.table import ANY, Asked, Dialect, DialectPath, Keys, Knock, Reply, SpaceRule, bearer
from recollect.dialects.text_tables import PathRow, path_rows
from recollect.dialects.tool import Doer
from recollect.domain.access import AccessToken
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.scopes import Scope
from recollect.recall.fence import quoted
from recollect.settings import foreign_variables

PACKAGE = __package__ or ""


def listed(_: Doer, __: Given) -> Any:
    """The tools, as an agent is shown them."""
    return {"tools": text_tables.remote_list(PACKAGE)}


def called(doer: Doer, given: Given) -> Any:
    """Have a tool do its work."""
    return text_tables.remote_call(doer, PACKAGE, *need(given, "name"), given.get("arguments") or {}, *_PARTS)


def resources(_: Doer, __: Given) -> Any:
    """The resources that can be read."""
    return {"resources": text_tables.remote_resources(PACKAGE)}


def resource(doer: Doer, given: Given) -> Any:
    """Read one."""
    return text_tables.remote_resource(doer, PACKAGE, *need(given, "uri"), *_PARTS)


def prompts(_: Doer, __: Given) -> Any:
    """The prompts."""
    return {"prompts": text_tables.remote_prompts(PACKAGE)}


def prompt(doer: Doer, given: Given) -> Any:
    """One prompt, filled with what is remembered: fenced as data."""
    return text_tables.remote_prompt(doer, PACKAGE, *need(given, "name"), given.get("arguments"), *_PARTS)


def recall_context(doer: Doer, given: Given) -> str:
    """Everything that is remembered about a task."""
    [task] = need(given, "task_description")
    return doer.do("recall", {"query": task}).block or "Nothing is remembered about this."


def session_handoff(doer: Doer, given: Given) -> str:
    """A session in short."""
    return quoted(json.dumps(work_calls.summarize(doer, {"sessionId": given.get("session_id")})["summary"]))


def detect_patterns(doer: Doer, given: Given) -> str:
    """The patterns of a project."""
    found = memory_calls.patterns(doer, given)["patterns"]
    return "\n".join(quoted(each["content"]) for each in found) or "No patterns are remembered yet."


_VIEWER = "/stream/mem-live/viewer"
_VARIABLES = ("AGENTMEMORY_SECRET", "AGENTMEMORY_AGENT_SCOPE", "AGENT_ID")


def admitted(knock: Knock, line: DialectPath, keys: Keys) -> AccessToken | None:
    """The token of a request: one that was made for agentmemory, or one for whoever knows the server's secret."""
    said = foreign_variables(_VARIABLES)
    secret = bearer(knock.headers) or ""
    in_query = line.path == _VIEWER and "AGENTMEMORY_SECRET" in said
    shown = secret or (knock.query.get("token") or knock.query.get("secret") or "" if in_query else "")
    if is_secret(shown, said.get("AGENTMEMORY_SECRET")):
        isolated = said.get("AGENTMEMORY_AGENT_SCOPE") == "isolated"
        return stand_in("agentmemory", within=Scope(agent=said.get("AGENT_ID") or "agent") if isolated else None)
    return keys.admit(secret, DIALECT.name)


def refused(problem: RecollectError, status: int) -> Reply:
    """An error as agentmemory tells it: a sentence, and here also what to do next."""
    if status == 401:
        return Reply({"error": "unauthorized"}, status)
    return Reply({"error": problem.message, "code": problem.code, "hint": problem.hint}, status)


def _path(row: PathRow) -> DialectPath:
    where = row.path if row.path.startswith("/") else f"/agentmemory/{row.path}"

    def answer(doer: Doer, asked: Asked) -> Any:
        return row.call(doer, loose_object(asked))

    more: Any = {"reads": (ANY,), "open": "open" in row.marks, "frames": frames_of if where == _VIEWER else None}
    return DialectPath(row.method, where, row.verb, SpaceRule.TOKEN, answer, **more)


def not_a_page(_: Doer, __: Given) -> Any:
    """Refuse a request where a WebSocket is."""
    raise InvalidInput("This path is a WebSocket.", code="not_a_page", hint="Open it as one.")


_PARTS = (sys.modules[__name__], memory_calls, work_calls)
_ROWS = path_rows(PACKAGE, *_PARTS, hint="docs/dialects/agentmemory.md lists what is not taken.")
DIALECT = Dialect("agentmemory", tuple(map(_path, _ROWS)), admitted, refused, environment=_VARIABLES)
