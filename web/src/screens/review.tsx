/** Contradictions, proposals and doubts that wait for a person. Decided one by one, by keys too. */
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useAct, useSpace, useVerb } from "../api/hooks";
import type { DoubtfulChange, Note, Problem as Waits } from "../api/verbs";
import { Badge, Button, Card, Empty, Kbd, Page, Pending, textarea, Waiting } from "../parts/basics";
import { NoteLine } from "../parts/note";
import { many, words } from "../lib/format";
import { useKeys } from "../lib/keys";
import { useMay } from "../shell/gate";

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export default function Review() {
  const review = useVerb("review", { doubts: true });
  const [marked, setMarked] = useState(0);
  const items = review.data?.items ?? [];
  const doubts = review.data?.doubts ?? [];
  const all = items.length + doubts.length;
  const at = Math.min(marked, Math.max(0, all - 1));
  useKeys({ j: () => setMarked(Math.min(at + 1, all - 1)), k: () => setMarked(Math.max(at - 1, 0)) });
  if (!review.data) return <Page title="Review"><Pending of={review} /></Page>;
  if (all === 0) {
    return (
      <Page title="Review">
        <Card>
          <Empty icon="check" title="Nothing waits for you">
            Contradictions between sources, notes that were doubted, changes that may be none, proposals of agents and clashing
            edits are put here, until somebody decides.
          </Empty>
        </Card>
      </Page>
    );
  }
  return (
    <Page
      title="Review"
      lead={`${many(all, "decision")} to make.`}
      aside={<span className="hidden text-xs text-muted sm:inline"><Kbd>j</Kbd> <Kbd>k</Kbd> move, <Kbd>a</Kbd> accept, <Kbd>r</Kbd> reject</span>}
    >
      <ul className="space-y-3">
        {items.map((item, index) => (
          <li key={`${item.path} ${item.code}`}>
            <Item item={item} isAt={index === at} onMark={() => setMarked(index)} />
          </li>
        ))}
        {doubts.map((doubt, index) => (
          <li key={`${doubt.older_id} ${doubt.newer_id}`}>
            <Doubt doubt={doubt} isAt={items.length + index === at} onMark={() => setMarked(items.length + index)} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

function Item({ item, isAt, onMark }: { item: Waits; isAt: boolean; onMark: () => void }) {
  const isNote = ID.test(item.path);
  const note = useVerb("get", { note_id: item.path }, { enabled: isNote });
  return (
    <Waiter code={words(item.code)} message={item.message} isAt={isAt} onMark={onMark}>
      {isNote ? (
        note.data ? <Decision note={note.data} isAt={isAt} /> : <Waiting lines={2} />
      ) : (
        <p className="font-mono text-sm break-words">{item.path}</p>
      )}
    </Waiter>
  );
}

function Waiter({ code, message, isAt, onMark, children }: { code: string; message: string; isAt: boolean; onMark: () => void; children: ReactNode }) {
  return (
    <div
      onMouseDown={onMark}
      aria-current={isAt ? "true" : undefined}
      className={`rounded-2xl border bg-surface p-4 sm:p-5 ${isAt ? "border-accent" : "border-line"}`}
    >
      <div className="mb-2 flex flex-wrap items-center gap-2 text-sm">
        <Badge tone="warn">{code}</Badge>
        <span className="text-muted">{message}</span>
      </div>
      {children}
    </div>
  );
}

const SEEN: Partial<Record<DoubtfulChange["relation"], string>> = { replaces: "replaces", ends: "ends", same: "says the same as" };

/** A change that the judge is not sure of. Denied, it counts for no model any more; left alone, it stays a guess. */
function Doubt({ doubt, isAt, onMark }: { doubt: DoubtfulChange; isAt: boolean; onMark: () => void }) {
  const mayWrite = useMay("write");
  const refute = useAct("refute", "Noted: this is not a change.");
  const deny = () => refute.mutate({ note_id: doubt.older_id, other_id: doubt.newer_id });
  useKeys(isAt && mayWrite ? { r: deny } : {});
  return (
    <Waiter code="doubtful change" message={`The newer one ${SEEN[doubt.relation] ?? doubt.relation} the older one, with ${Math.round(doubt.score * 100)}% certainty.`} isAt={isAt} onMark={onMark}>
      <p className="break-words text-muted"><span className="sr-only">Older: </span>{doubt.older}</p>
      <p className="mt-1 break-words"><span className="sr-only">Newer: </span>{doubt.newer}</p>
      {mayWrite && (
        <Button small tone="danger" icon="close" className="mt-3" disabled={refute.isPending} onClick={deny}>Not a change</Button>
      )}
    </Waiter>
  );
}

function Decision({ note, isAt }: { note: Note; isAt: boolean }) {
  const space = useSpace();
  const mayWrite = useMay("write");
  const [text, setText] = useState<string>();
  const settle = useAct("settle", (settled) => (settled.state === "retracted" ? "Rejected." : "Decided."));
  const decide = (decision: "accept" | "reject" | "edit") =>
    settle.mutate({ note_id: note.id, decision, text: decision === "edit" ? text : undefined });
  // Only the marked one listens: a key that one of them takes does not reach the others.
  useKeys(isAt && mayWrite ? { a: () => decide("accept"), r: () => decide("reject"), e: () => setText(note.text) } : {});
  return (
    <>
      <Link to={`/${space}/memories/${note.id}` as string} className="block hover:underline"><NoteLine note={note} wrap /></Link>
      <p className="mt-1 text-xs text-muted">
        {note.origin.channel} {note.origin.principal && `· ${note.origin.principal}`} · {note.authority}
      </p>
      {text !== undefined && (
        <textarea autoFocus aria-label="In these words" rows={3} className={`${textarea} mt-3`} value={text} onChange={(event) => setText(event.target.value)} />
      )}
      {mayWrite && (
        <div className="mt-3 flex flex-wrap gap-2">
          {text === undefined ? (
            <>
              <Button small tone="accent" icon="check" disabled={settle.isPending} onClick={() => decide("accept")}>Accept</Button>
              <Button small icon="edit" onClick={() => setText(note.text)}>Edit</Button>
              <Button small tone="danger" icon="close" disabled={settle.isPending} onClick={() => decide("reject")}>Reject</Button>
            </>
          ) : (
            <>
              <Button small tone="accent" disabled={!text.trim() || settle.isPending} onClick={() => decide("edit")}>Keep in these words</Button>
              <Button small tone="quiet" onClick={() => setText(undefined)}>Cancel</Button>
            </>
          )}
        </div>
      )}
    </>
  );
}
