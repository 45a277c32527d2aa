"""agentmemory's tools, resources and prompts, as its own server hands them out over HTTP to the shim of an agent.

They stand in `tools.tsv`, `resources.tsv` and `prompts.tsv`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from recollect.dialects import tool_table
from recollect.dialects.agentmemory import memory_calls, work_calls
from recollect.dialects.arguments import Given, need
from recollect.dialects.tool import Doer
from recollect.recall.fence import quoted

PACKAGE = __package__ or ""
_PARTS = (memory_calls, work_calls, sys.modules[__name__])


def listed(_: Doer, __: Given) -> Any:
    """The tools, as an agent is shown them."""
    return {"tools": tool_table.remote_list(PACKAGE)}


def called(doer: Doer, given: Given) -> Any:
    """Have a tool do its work."""
    return tool_table.remote_call(doer, PACKAGE, *need(given, "name"), given.get("arguments") or {}, *_PARTS)


def resources(_: Doer, __: Given) -> Any:
    """The resources that can be read."""
    return {"resources": tool_table.remote_resources(PACKAGE)}


def resource(doer: Doer, given: Given) -> Any:
    """Read one."""
    return tool_table.remote_resource(doer, PACKAGE, *need(given, "uri"), *_PARTS)


def prompts(_: Doer, __: Given) -> Any:
    """The prompts."""
    return {"prompts": tool_table.remote_prompts(PACKAGE)}


def prompt(doer: Doer, given: Given) -> Any:
    """One prompt, filled with what is remembered: fenced as data."""
    return tool_table.remote_prompt(doer, PACKAGE, *need(given, "name"), given.get("arguments"), *_PARTS)


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
