"""agentmemory's tools, resources and prompts, as its own server hands them out over HTTP to the shim of an agent.

The tools stand in `tools.tsv`: name, arguments (`*` marks those that must be there, `#` numbers), the function that
answers, and the words for the agent. A tool that is not taken is not listed; calling it says so.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from recollect.dialects.agentmemory import memory_calls, transfer, work_calls
from recollect.dialects.agentmemory.arguments import Given, need
from recollect.dialects.table import Reply
from recollect.dialects.tool import Doer
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, NotFound, RecollectError
from recollect.domain.values import to_plain

_UNTAKEN = (
    "memory_compress_file memory_vision_search memory_team_share memory_team_feed memory_snapshot_create memory_lease "
    "memory_routine_run memory_signal_send memory_signal_read memory_checkpoint memory_mesh_sync "
    "memory_sentinel_create memory_sentinel_trigger memory_sketch_create memory_sketch_promote memory_heal "
    "memory_facet_tag memory_facet_query memory_obsidian_export memory_antigravity_sync memory_antigravity_sync_all"
).split()
_RESOURCES = (
    ("agentmemory://status", "Agent Memory Status", "Counts of what is remembered"),
    ("agentmemory://project/{name}/profile", "Project Profile", "Concepts, files and conventions of a project"),
    ("agentmemory://project/{name}/recent", "Recent Sessions", "The last sessions of a project"),
    ("agentmemory://memories/latest", "Latest Memories", "The ten newest memories that hold"),
)
_PROMPTS = (
    ("recall_context", "task_description", "What is remembered about a task"),
    ("session_handoff", "session_id", "A session in short, for whoever goes on with it"),
    ("detect_patterns", "project", "What keeps coming back in a project"),
)


@dataclass(frozen=True, slots=True)
class RemoteTool:
    """A tool that the shim of an agent lists: its words, its schema, and the name of the function that answers."""

    name: str
    call: str
    description: str
    schema: dict[str, Any]


@cache
def remote_tools() -> dict[str, RemoteTool]:
    """All tools, by their names."""
    told = files(__package__).joinpath("tools.tsv").read_text(encoding="utf-8").splitlines()
    return {each.name: each for each in map(_tool, told) if each.name}


def _tool(line: str) -> RemoteTool:
    name, given, call, words = line.split("\t")
    fields = {
        field.strip("*#"): {"type": "number" if "#" in field else "string"} for field in given.split() if field != "-"
    }
    required = [field.strip("*#") for field in given.split() if "*" in field]
    schema = {"type": "object", "properties": fields, **({"required": required} if required else {})}
    return RemoteTool(name, call, words, schema)


def listed(_: Doer, __: Given) -> Any:
    """The tools, as an agent is shown them."""
    shown = remote_tools().values()
    return {
        "tools": [{"name": each.name, "description": each.description, "inputSchema": each.schema} for each in shown]
    }


def called(doer: Doer, given: Given) -> Any:
    """Have a tool do its work. An error is its answer, which a model can read."""
    [name] = need(given, "name")
    arguments = given.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise InvalidInput("arguments must be an object", code="invalid_field")
    if name in _UNTAKEN:
        told: Any = {"error": f"{name} is not taken here; docs/dialects/agentmemory.md says why."}
        return {"content": [{"type": "text", "text": json.dumps(told)}], "isError": True}
    tool = remote_tools().get(name)
    if tool is None:
        raise InvalidInput(f"unknown tool: {name[:60]}", code="unknown_tool")
    missing = [field for field in tool.schema.get("required", ()) if arguments.get(field) in (None, "")]
    try:
        if missing:
            raise InvalidInput(f"{', '.join(missing)} is required", code="field_missing")
        answer = _function(tool.call)(doer, arguments)
    except RecollectError as problem:
        if problem.retryable:
            raise
        told = {"error": problem.message, "code": problem.code, "hint": problem.hint}
        return {"content": [{"type": "text", "text": json.dumps(told, ensure_ascii=False)}], "isError": True}
    plain = to_plain(answer.body if isinstance(answer, Reply) else answer)
    return {"content": [{"type": "text", "text": json.dumps(plain, ensure_ascii=False)}]}


def _function(name: str) -> Any:
    return next(getattr(part, name) for part in (memory_calls, work_calls, transfer) if hasattr(part, name))


def resources(_: Doer, __: Given) -> Any:
    """The resources that can be read."""
    told = ({"uri": uri, "name": name, "description": words} for uri, name, words in _RESOURCES)
    return {"resources": [{**each, "mimeType": "application/json"} for each in told]}


def resource(doer: Doer, given: Given) -> Any:
    """Read one."""
    [uri] = need(given, "uri")
    match uri.removeprefix("agentmemory://").split("/"):
        case ["status"]:
            told = work_calls.diagnose(doer, {})
        case ["memories", "latest"]:
            told = memory_calls.memories(doer, {"latest": "true", "limit": 10})
        case ["project", name, "profile"]:
            told = memory_calls.profile(doer, {"project": name})
        case ["project", name, "recent"]:
            told = work_calls.sessions(doer, {"project": name, "limit": 10})
        case _:
            raise NotFound(f"unknown resource: {uri[:200]}", code="resource_not_found")
    text = json.dumps(to_plain(told), ensure_ascii=False)
    return {"contents": [{"uri": uri, "mimeType": "application/json", "text": text}]}


def prompts(_: Doer, __: Given) -> Any:
    """The prompts, each with its one argument."""
    shown = ((name, words, [{"name": field, "required": field != "project"}]) for name, field, words in _PROMPTS)
    return {"prompts": [{"name": name, "description": words, "arguments": given} for name, words, given in shown]}


def prompt(doer: Doer, given: Given) -> Any:
    """One prompt, filled with what is remembered: fenced as data."""
    from recollect.recall.fence import quoted

    [name] = need(given, "name")
    arguments = given["arguments"] if isinstance(given.get("arguments"), dict) else {}
    match name:
        case "recall_context":
            [task] = need(arguments, "task_description")
            text = doer.do("recall", {"query": task}).block or "Nothing is remembered about this."
        case "session_handoff":
            text = quoted(json.dumps(work_calls.summarize(doer, {"sessionId": arguments.get("session_id")})["summary"]))
        case "detect_patterns":
            found = memory_calls.patterns(doer, arguments)["patterns"]
            text = "\n".join(quoted(each["content"]) for each in found) or "No patterns are remembered yet."
        case _:
            raise NotFound(f"unknown prompt: {name[:60]}", code="prompt_not_found")
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
