export const Recollect = async ({ directory }) => {
  const told = new Map() // by session: what it is told with every request
  const said = new Map() // by session: the last words of the agent
  const on = (event, session, more) => tell("opencode", event, { session_id: session, cwd: directory, ...more })
  return {
    "chat.message": async (input, output) => {
      const session = input.sessionID
      if (!told.has(session)) told.set(session, await on("session-start", session, { source: "startup" }))
      const prompt = (output.parts || []).filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text).join("\n")
      const more = await on("prompt", session, { prompt, prompt_id: output.message?.id })
      if (more) told.set(session, [told.get(session), more].filter(Boolean).join("\n"))
    },
    "experimental.chat.system.transform": async (input, output) => {
      const context = told.get(input?.sessionID) || (told.size === 1 ? [...told.values()][0] : "")
      if (context) output.system.push(context)
    },
    "tool.execute.before": async (input, output) => {
      const session = input.sessionID
      const more = await on("before-tool", session, { tool_name: input.tool, tool_input: output.args || {} })
      if (more) told.set(session, [told.get(session), more].filter(Boolean).join("\n"))
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
