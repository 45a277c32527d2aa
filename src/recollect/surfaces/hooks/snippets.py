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
            files = {"recollect.js": OPENCODE}
        case "openclaw":
            files = OPENCLAW
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


_TELL = """\
import { spawn } from "node:child_process"

const COMMAND = __COMMAND__
const HOME = __HOME__
const env = HOME ? { ...process.env, RECOLLECT_HOME: HOME } : process.env

// Hands what happened to Recollect; what it has to say, or nothing. It never throws and never waits long.
function tell(agent, event, payload) {
  return new Promise((resolve) => {
    let said = ""
    const leave = () => {
      try { resolve(JSON.parse(said).context || "") } catch { resolve("") }
    }
    try {
      const [program, ...words] = [...COMMAND, "hook", event, "--agent", agent]
      const child = spawn(program, words, { env, stdio: ["pipe", "pipe", "ignore"] })
      const over = setTimeout(() => { child.kill(); leave() }, 8000)
      child.on("error", () => { clearTimeout(over); leave() })
      child.on("close", () => { clearTimeout(over); leave() })
      child.stdout.on("data", (piece) => { said += piece })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch { resolve("") }
  })
}
"""

OPENCODE = (
    "// Written by Recollect: memory for this agent. `recollect init --undo` takes it away.\n"
    + _TELL
    + """
export const Recollect = async ({ directory }) => {
  const told = new Map() // by session: what it is told with every request
  const said = new Map() // by session: the last words of the agent
  const on = (event, session, more) => tell("opencode", event, { session_id: session, cwd: directory, ...more })
  return {
    "chat.message": async (input, output) => {
      const session = input.sessionID
      if (!told.has(session)) told.set(session, await on("session-start", session, { source: "startup" }))
      const prompt = (output.parts || []).filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text).join("\\n")
      const more = await on("prompt", session, { prompt, prompt_id: output.message?.id })
      if (more) told.set(session, [told.get(session), more].filter(Boolean).join("\\n"))
    },
    "experimental.chat.system.transform": async (input, output) => {
      const context = told.get(input?.sessionID) || (told.size === 1 ? [...told.values()][0] : "")
      if (context) output.system.push(context)
    },
    "tool.execute.before": async (input, output) => {
      const session = input.sessionID
      const more = await on("before-tool", session, { tool_name: input.tool, tool_input: output.args || {} })
      if (more) told.set(session, [told.get(session), more].filter(Boolean).join("\\n"))
    },
    "tool.execute.after": async (input, output) => {
      await on("tool-use", input.sessionID, {
        tool_name: input.tool, tool_use_id: input.callID, tool_input: input.args || {}, tool_response: output.output,
      })
    },
    event: async ({ event }) => {
      const about = event.properties || {}
      if (event.type === "message.part.updated" && about.part?.type === "text") {
        said.set(about.part.sessionID, about.part.text)
      } else if (event.type === "session.idle") {
        await on("stop", about.sessionID, { last_assistant_message: said.get(about.sessionID) || "" })
      } else if (event.type === "session.deleted") {
        await on("session-end", about.info?.id || about.sessionID, {})
      }
    },
  }
}
"""
)

_OPENCLAW_ENTRY = (
    "// Written by Recollect: memory for this agent. `recollect init --undo` takes it away.\n"
    + _TELL
    + """
import { execFile } from "node:child_process"
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry"

function recalled(query) {
  return new Promise((resolve) => {
    const [program, ...words] = [...COMMAND, "recall", "--budget", "800", "--", query]
    const answer = (problem, out) => resolve(problem ? "Memory did not answer." : out)
    execFile(program, words, { env, timeout: 20000 }, answer)
  })
}

const text = (content) => typeof content === "string" ? content
  : (content || []).filter((part) => part.type === "text").map((part) => part.text).join("\\n")

export default definePluginEntry({
  id: "recollect",
  name: "Recollect",
  description: "Long-term memory across sessions.",
  register(api) {
    const begun = new Map() // by session: where it works, which not every event says
    const of = (ctx) => ctx.sessionId || ctx.sessionKey
    const on = (event, ctx, more) =>
      tell("openclaw", event, { session_id: of(ctx), cwd: ctx.workspaceDir || begun.get(of(ctx)), ...more })
    api.registerTool({
      name: "recollect_recall",
      label: "Recall",
      description: "Look up what is remembered about something, as data with dates and origins.",
      parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      async execute(_id, asked) {
        return { content: [{ type: "text", text: await recalled(String(asked.query || "")) }], details: {} }
      },
    })
    api.on("before_prompt_build", async (event, ctx) => {
      const first = begun.has(of(ctx)) ? "" : await on("session-start", ctx, { source: "startup" })
      begun.set(of(ctx), ctx.workspaceDir)
      const more = await on("prompt", ctx, { prompt: event.prompt || "", prompt_id: ctx.runId })
      const context = [first, more].filter(Boolean).join("\\n")
      return context ? { prependContext: context } : undefined
    })
    api.on("after_tool_call", async (event, ctx) => {
      await on("tool-use", ctx, {
        tool_name: event.toolName, tool_use_id: event.toolCallId, tool_input: event.params || {},
        tool_response: event.result?.content ?? event.result, error: event.error,
      })
    })
    api.on("agent_end", async (event, ctx) => {
      const last = (event.messages || []).filter((message) => message.role === "assistant").pop()
      await on("stop", ctx, { last_assistant_message: last ? text(last.content) : "" })
    })
    api.on("session_end", async (_event, ctx) => {
      await on("session-end", ctx, {})
      begun.delete(of(ctx))
    })
  },
})
"""
)

# Without the kind `memory`: that would take the one place for such plugins, and with it the memory a person has there.
OPENCLAW = {
    "package.json": """\
{
  "name": "recollect-openclaw",
  "version": "1.0.0",
  "description": "Written by Recollect: memory for this agent. `recollect init --undo` takes it away.",
  "type": "module",
  "openclaw": { "extensions": ["./index.js"] }
}
""",
    "openclaw.plugin.json": """\
{
  "id": "recollect",
  "name": "Recollect",
  "description": "Written by Recollect: long-term memory across sessions, beside what the agent keeps itself.",
  "activation": { "onStartup": true },
  "contracts": { "tools": ["recollect_recall"] },
  "configSchema": { "type": "object", "properties": {}, "additionalProperties": false }
}
""",
    "index.js": _OPENCLAW_ENTRY,
}
