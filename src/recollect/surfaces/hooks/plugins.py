"""The plugins of hosts that are told in JavaScript: each hands what happens to `recollect hook`, and nothing more.

They fail as hooks do: whatever goes wrong, the agent goes on. `__COMMAND__` stands for the words that run Recollect,
`__HOME__` for its folder, or `null` where that is the usual one: it is passed on as a variable, which every system has.
"""

from __future__ import annotations

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
