/** Facts that a message taught, or would teach, each with the words it was read from; and the parts passed over. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSpace } from "../api/hooks";
import type { Learned, Remembered } from "../api/verbs";
import { many } from "../lib/format";
import { Badge, Card } from "./basics";
import { NoteLine } from "./note";

export function Outcome({ answer, kept, action }: { answer: Remembered; kept?: boolean; action?: ReactNode }) {
  const facts = answer.learned.filter((each) => each.note);
  const redacted = Object.entries(answer.redacted);
  return (
    <Card title={kept ? "Kept" : "It would learn"} aside={kept ? "" : "nothing is written yet"}>
      {facts.length === 0 && (
        <p className="text-sm text-muted">
          No fact that is certain enough. The message itself {kept ? "is" : "would be"} kept word for word, and found by what it says.
        </p>
      )}
      <ul className="divide-y divide-line">
        {facts.map((each, index) => <Fact key={each.note?.id ?? index} learned={each} kept={kept} />)}
      </ul>
      {answer.passed_over.length > 0 && (
        <details className="mt-3 text-sm">
          <summary className="cursor-pointer text-muted">{many(answer.passed_over.length, "part")} passed over</summary>
          <ul className="mt-2 space-y-1">
            {answer.passed_over.map((each) => (
              <li key={each.quote}>“{each.quote}” <span className="text-muted">{each.reason}</span></li>
            ))}
          </ul>
        </details>
      )}
      {redacted.length > 0 && (
        <p className="mt-3 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          Secrets were taken out before anything is kept: {redacted.map(([kind, times]) => `${times} × ${kind}`).join(", ")}.
        </p>
      )}
      {action && <div className="mt-4 flex flex-wrap justify-end gap-2">{action}</div>}
    </Card>
  );
}

const ACTIONS: Record<string, "good" | "accent" | "warn" | "plain"> = { added: "good", superseded: "accent", corrected: "accent", disputed: "warn" };

function Fact({ learned, kept }: { learned: Learned; kept?: boolean }) {
  const space = useSpace();
  const note = learned.note;
  if (!note) return null;
  return (
    <li className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
      <Badge tone={ACTIONS[learned.action] ?? "plain"}>{learned.action}</Badge>
      <div className="min-w-0 flex-1">
        {kept ? <Link to={`/${space}/memories/${note.id}` as string} className="block hover:underline"><NoteLine note={note} wrap /></Link> : <NoteLine note={note} wrap />}
        {learned.quote && <p className="mt-1 text-xs text-muted">from “{learned.quote}”{learned.reason && `, ${learned.reason}`}</p>}
      </div>
    </li>
  );
}
