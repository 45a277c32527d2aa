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
  : (content || []).filter((part) => part.type === "text").map((part) => part.text).join("\n")

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
      const context = [first, more].filter(Boolean).join("\n")
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
