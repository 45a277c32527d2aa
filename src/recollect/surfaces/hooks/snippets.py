"""Pure: what each host has to be given so that it tells us what happens: entries for its settings, or a plugin of ours.

One list says which of a host's events we listen to and how long it may wait for us; the rest follows from the form of
its settings. `command` is the words that run Recollect, as in `["recollect"]`. It stays the same from version to
version, because hosts ask their user again when a hook changes.

A plugin hands what happens to `recollect hook`, and fails as hooks do: whatever goes wrong, the agent goes on. In it
`__COMMAND__` stands for the words that run Recollect, `__HOME__` for its folder, or `null` where that is the usual one.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.domain.errors import InvalidInput
from recollect.surfaces.hooks.hosts import HOSTS, HookHost, HookMoment
from recollect.surfaces.hooks.shim import PATH

TOKEN_VARIABLE = "RECOLLECT_TOKEN"  # noqa: S105 - the name of a variable

# Seconds a host waits before it goes on without us. A hook ends long before; this is for a machine that stands still.
# It must be said for the end of a session, which some hosts cut off after a second or two.
_SECONDS = {HookMoment.SESSION_START: 10, HookMoment.SESSION_END: 5}
_USUAL_SECONDS = 5
_MOST_AT_THE_END = {"codex": 3}  # seconds; a session in which more is asked for begins with a warning
_IN_MILLISECONDS = frozenset({"gemini"})
_MATCHERS = {
    HookMoment.TOOL_USE: "*",
    HookMoment.TOOL_FAILURE: "*",
    HookMoment.BEFORE_TOOL: "Bash|Edit|MultiEdit|Write|NotebookEdit|apply_patch",  # what changes something
}


def hooks_for(agent: str, command: Sequence[str], *, server: str | None = None) -> dict[str, Any]:
    """The part of a host's settings that installs our hooks; empty for one that loads a plugin instead.

    Given the address of a `server`, what the host can tell it without a process is told there.
    """
    host = _host(agent)
    if agent == "cursor":
        entries = {event: [_handler(host, event, moment, command)] for event, moment in host.events.items()}
        return {"version": 1, "hooks": entries}

    def handler(event: str, moment: HookMoment) -> dict[str, Any]:
        if server and moment in host.over_http:
            return _request(host, event, moment, server)
        return {"type": "command", **_handler(host, event, moment, command)}

    groups = {
        event: [{**({"matcher": _MATCHERS[moment]} if moment in _MATCHERS else {}), "hooks": [handler(event, moment)]}]
        for event, moment in host.events.items()
    }
    return {"hooks": groups} if groups else {}


def files_for(agent: str, command: Sequence[str], home: str | None = None) -> Mapping[str, str]:
    """The files of our plugin, by their paths below its folder; none for a host that has settings for hooks.

    `home` is the folder of Recollect that the plugin uses; `None` leaves that to the environment of the host.
    """
    _host(agent)
    match agent:
        case "opencode":
            files = {"recollect.js": _plugin("opencode.js")}
        case "openclaw":
            # Without the kind `memory`: that would take the one place for such plugins, and with it the memory a person
            # has there.
            files = {
                "package.json": _text("openclaw.package.json"),
                "openclaw.plugin.json": _text("openclaw.plugin.json"),
                "index.js": _plugin("openclaw.js"),
            }
        case _:
            return {}
    words, place = json.dumps(list(command)), json.dumps(home)
    return {name: text.replace("__COMMAND__", words).replace("__HOME__", place) for name, text in files.items()}


def _handler(host: HookHost, event: str, moment: HookMoment, command: Sequence[str]) -> dict[str, Any]:
    seconds = _SECONDS.get(moment, _USUAL_SECONDS)
    if moment is HookMoment.SESSION_END:
        seconds = _MOST_AT_THE_END.get(host.name, seconds)
    return {
        "command": shlex.join([*command, "hook", event, "--agent", host.name]),
        "timeout": seconds * 1000 if host.name in _IN_MILLISECONDS else seconds,
    }


def _request(host: HookHost, event: str, moment: HookMoment, server: str) -> dict[str, Any]:
    """The token stands in no file: the host takes it from its own environment."""
    return {
        "type": "http",
        "url": f"{server.rstrip('/')}{PATH}?agent={host.name}&event={event}",
        "headers": {"Authorization": f"Bearer ${TOKEN_VARIABLE}"},
        "allowedEnvVars": [TOKEN_VARIABLE],
        "timeout": _SECONDS.get(moment, _USUAL_SECONDS),
    }


def _host(agent: str) -> HookHost:
    if agent not in HOSTS:
        raise InvalidInput(
            f"There is no agent `{agent[:60]}`.", code="unknown_agent", hint=f"There are: {', '.join(HOSTS)}."
        )
    return HOSTS[agent]


def _plugin(name: str) -> str:
    """The text of a plugin, from the files beside this module: how it tells us, and when."""
    opening = "// Written by Recollect: memory for this agent. `recollect init --undo` takes it away.\n"
    return f"{opening}{_text('tell.js')}\n{_text(name)}"


def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
