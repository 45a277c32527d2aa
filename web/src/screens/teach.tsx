/** Teach memory and talk with it: say something and see what it would learn before it is kept, or ask and get answers
 * with their sources. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { useAct, useTrial } from "../api/hooks";
import { Button, Card, Empty, input, Page, Problem, Tabs, textarea } from "../parts/basics";
import { Outcome } from "../parts/outcome";
import type { Looked } from "../router";
import { useMay } from "../shell/gate";
import { Chat } from "./chat";

const EXAMPLES = [
  "I moved to Lisbon in March, and my sister Ana still lives in Paris.",
  "We deploy with `make release`, never by hand.",
  "Priya is my manager now. I'm allergic to penicillin.",
];

export default function Teach() {
  const looked: Looked = useSearch({ strict: false });
  const navigate = useNavigate();
  const tab = looked.tab === "chat" ? "chat" : "tell";
  return (
    <Page title="Teach" lead={tab === "chat" ? "Ask as you would ask a person. Every answer names its sources." : "Say it as you would to a person. You see what it understands before anything is kept."}>
      <Tabs
        label="Ways to speak with it"
        at={tab}
        onPick={(picked) => void navigate({ to: ".", search: { tab: picked === "chat" ? "chat" : undefined } as never, replace: true })}
        tabs={[["tell", "Tell"], ["chat", "Chat"]]}
      />
      <div className="pt-4">{tab === "chat" ? <Chat /> : <Tell />}</div>
    </Page>
  );
}

function Tell() {
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
    return <Empty icon="key" title="This token may only read">A token with the right to write can teach. Chat only reads.</Empty>;
  }
  return (
    <>
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
    </>
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
