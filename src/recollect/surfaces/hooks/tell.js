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
