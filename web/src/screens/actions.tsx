/** Actions: what is to be done, what can be begun now, and what waits for something else. */
import { useState, type FormEvent } from "react";
import { useAct, useVerb } from "../api/hooks";
import type { Action, ActionStatus } from "../api/verbs";
import { Badge, Button, Card, Empty, input, Page, Problem, Waiting } from "../parts/basics";
import { ago, many } from "../lib/format";
import { useMay } from "../shell/gate";

const COLUMNS: [ActionStatus, string][] = [["open", "To do"], ["active", "Under way"], ["blocked", "Blocked"], ["done", "Done"]];

export default function Actions() {
  const mayWrite = useMay("write");
  const actions = useVerb("actions.list", { limit: 200 });
  const done = useVerb("actions.list", { status: "done", limit: 20 });
  const frontier = useVerb("frontier", { limit: 50 });
  const add = useAct("actions.add", "Noted.");
  const [text, setText] = useState("");
  const ready = new Set(frontier.data?.items.map((action) => action.id));
  const all = [...(actions.data?.items ?? []), ...(done.data?.items ?? [])];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ text }, { onSuccess: () => setText("") });
  };
  return (
    <Page wide title="Actions" lead={frontier.data && `${many(ready.size, "action")} can be begun now.`}>
      {mayWrite && (
        <form onSubmit={submit} className="mb-4 flex max-w-xl gap-2">
          <input aria-label="What is to be done" className={input} placeholder="Write a test for the leak" value={text} onChange={(event) => setText(event.target.value)} />
          <Button tone="accent" type="submit" disabled={!text.trim() || add.isPending}>Add</Button>
        </form>
      )}
      {actions.error && <Problem error={actions.error} />}
      {!actions.data && !actions.error && <Waiting />}
      {actions.data && all.length === 0 ? (
        <Card><Empty icon="actions" title="Nothing to do">Agents keep their open ends here. An action may wait for others; those that wait for nothing are ready.</Empty></Card>
      ) : (
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          {COLUMNS.map(([status, title]) => {
            const here = all.filter((action) => action.status === status);
            return (
              <section key={status} aria-label={title}>
                <h2 className="mb-2 flex justify-between text-sm font-semibold">{title}<span className="font-normal text-muted">{here.length}</span></h2>
                <ul className="space-y-2">
                  {here.map((action) => <li key={action.id}><ActionCard action={action} isReady={ready.has(action.id)} all={all} /></li>)}
                  {here.length === 0 && <li className="rounded-xl border border-dashed border-line p-4 text-center text-xs text-muted">none</li>}
                </ul>
              </section>
            );
          })}
        </div>
      )}
    </Page>
  );
}

function ActionCard({ action, isReady, all }: { action: Action; isReady: boolean; all: Action[] }) {
  const mayWrite = useMay("write");
  const update = useAct("actions.update");
  const waits = action.depends_on.map((id) => all.find((each) => each.id === id)).filter((each) => each && each.status !== "done");
  return (
    <div className="rounded-xl border border-line bg-surface p-3.5 text-sm">
      <p className="break-words">{action.text}</p>
      <p className="mt-1 flex flex-wrap items-center gap-1.5 text-xs text-muted">{[action.project, ago(action.updated_at)].filter(Boolean).join(" · ")} {isReady && <Badge tone="good">ready</Badge>}</p>
      {waits.length > 0 && <p className="mt-1 text-xs text-warn">waits for: {waits.map((each) => each?.text).join(", ")}</p>}
      {mayWrite && (
        <select
          aria-label={`Status of ${action.text}`}
          className="mt-2 h-7 rounded-md border border-line bg-transparent px-1 text-xs text-muted"
          value={action.status}
          onChange={(event) => update.mutate({ action_id: action.id, status: event.target.value as ActionStatus })}
        >
          {["open", "active", "blocked", "done", "dropped"].map((each) => <option key={each}>{each}</option>)}
        </select>
      )}
    </div>
  );
}
