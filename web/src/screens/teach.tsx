/** Tell memory something in plain words: first it shows what it would learn, then it keeps it. */
import { Link } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { useAct, useSpace, useTrial } from "../api/hooks";
import type { Learned, Remembered } from "../api/verbs";
import { Badge, Button, Card, Empty, input, Page, Problem, textarea } from "../parts/basics";
import { NoteLine } from "../parts/note";
import { many } from "../lib/format";
import { useMay } from "../shell/gate";

const EXAMPLES = [
  "I moved to Lisbon in March, and my sister Ana still lives in Paris.",
  "We deploy with `make release`, never by hand.",
  "Priya is my manager now. I'm allergic to penicillin.",
];

export default function Teach() {
  const mayWrite = useMay("write");
  const [text, setText] = useState("");
  const [at, setAt] = useState("");
  const [shown, setShown] = useState("");
  const trial = useTrial("add");
  const add = useAct("add");
  const takes = { messages: text.trim(), at: at || undefined };
  const preview = (event: FormEvent) => {
    event.preventDefault();
    add.reset();
    trial.mutate(takes, { onSuccess: () => setShown(text) });
  };
  const keep = () =>
    add.mutate(takes, {
      onSuccess: () => {
        trial.reset();
        setText("");
      },
    });
  if (!mayWrite) {
    return <Page title="Teach"><Empty icon="key" title="This token may only read">A token with the right to write can teach.</Empty></Page>;
  }
  return (
    <Page title="Teach" lead="Say it as you would to a person. You see what it understands before anything is kept.">
      <Card>
        <form
          onSubmit={preview}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) preview(event);
          }}
        >
          <textarea
            data-search
            aria-label="What should it learn?"
            rows={4}
            className={`${textarea} text-base`}
            placeholder="I moved to Lisbon in March …"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div className="mt-3 flex flex-wrap items-center gap-2">
            <label className="flex items-center gap-2 text-sm whitespace-nowrap text-muted">
              Said on
              <input type="date" aria-label="Said on" className={`${input} !w-auto`} value={at} onChange={(event) => setAt(event.target.value)} />
            </label>
            <span className="mr-auto" />
            <Button type="submit" disabled={!text.trim() || trial.isPending}>Show what it learns</Button>
            <Button tone="accent" icon="check" disabled={!text.trim() || add.isPending} onClick={keep}>Keep</Button>
          </div>
        </form>
      </Card>
      <div className="mt-4" aria-live="polite">
        {trial.error && <Problem error={trial.error} />}
        {add.data ? (
          <Outcome kept answer={add.data} />
        ) : trial.data && shown === text ? (
          <Outcome answer={trial.data} />
        ) : (
          !text && <Examples pick={setText} />
        )}
      </div>
    </Page>
  );
}

function Examples({ pick }: { pick: (text: string) => void }) {
  return (
    <div className="px-1 pt-2">
      <p className="mb-2 text-sm text-muted">For example:</p>
      <ul className="space-y-1.5">
        {EXAMPLES.map((each) => (
          <li key={each}>
            <button type="button" onClick={() => pick(each)} className="rounded-lg border border-line bg-surface px-3 py-2 text-left text-sm hover:bg-sunken">
              {each}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Outcome({ answer, kept }: { answer: Remembered; kept?: boolean }) {
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
