/** Connect an agent or a program: what to copy, and a light that says when it has come in. */
import { useState } from "react";
import { useSpace, useVerb } from "../api/hooks";
import { Badge, Card, Code, Copied, Page, Tabs } from "../parts/basics";
import { ago } from "../lib/format";

const HERE = window.location.origin;

interface Way {
  name: string;
  text: (space: string) => string;
}

const WAYS: Way[] = [
  { name: "All agents here", text: () => "recollect init" },
  { name: "Claude Code", text: () => "claude mcp add recollect -- recollect mcp" },
  { name: "Codex", text: () => "recollect init --agents codex" },
  { name: "Gemini", text: () => "gemini mcp add recollect recollect mcp" },
  { name: "Any MCP client", text: () => JSON.stringify({ mcpServers: { recollect: { command: "recollect", args: ["mcp"] } } }, null, 2) },
  { name: "Over HTTP", text: () => `claude mcp add --transport http recollect ${HERE}/mcp -H "Authorization: Bearer $TOKEN"` },
  { name: "curl", text: (space) => `curl -H "Authorization: Bearer $TOKEN" "${HERE}/v1/spaces/${space}/search?query=where+do+I+live"` },
  { name: "Python", text: (space) => `from recollect import Memory\n\nwith Memory() as memory:\n    memory.add("I moved to Lisbon.", space="${space}")\n    print(memory.recall("Where do I live?", space="${space}").block)` },
];

export default function Connect() {
  const space = useSpace();
  const [at, setAt] = useState(WAYS[0].name);
  const way = WAYS.find((each) => each.name === at) ?? WAYS[0];
  const text = way.text(space);
  const sessions = useVerb("sessions", { limit: 20 });
  const agents = [...new Map(sessions.data?.items.filter((each) => each.scope.agent).map((each) => [each.scope.agent, each.started_at])).entries()];
  return (
    <Page title="Connect" lead="Give an agent this memory. What it learns appears here as it happens.">
      <Tabs label="What to connect" at={at} onPick={setAt} tabs={WAYS.map((each) => [each.name, each.name] as const)} />
      <div className="pt-4">
        <div className="mb-2 flex justify-end"><Copied text={text} /></div>
        <Code>{text}</Code>
        <p className="mt-3 text-sm text-muted">Tokens for other machines and programs are made under Spaces and access.</p>
      </div>
      <Card className="mt-6" title="Came in lately">
        {agents.length === 0 && <p className="text-sm text-muted">No agent yet. The light comes on by itself.</p>}
        <ul className="space-y-2">
          {agents.map(([agent, since]) => (
            <li key={agent} className="flex items-center gap-2"><span className="size-2 rounded-full bg-good" /><span className="font-medium">{agent}</span><Badge tone="good">connected</Badge><span className="ml-auto text-sm text-muted">last session {ago(since)}</span></li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
