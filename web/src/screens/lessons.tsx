/** Lessons: what was learned the hard way, and how sure of it memory has become. */
import { Link } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { useAct, useSpace, useVerb } from "../api/hooks";
import { Button, Card, Empty, input, Page, Problem, Waiting } from "../parts/basics";
import { Meter } from "../parts/charts";
import { many } from "../lib/format";
import { useMay } from "../shell/gate";

export default function Lessons() {
  const space = useSpace();
  const mayWrite = useMay("write");
  const lessons = useVerb("lessons.list", { limit: 100 });
  const add = useAct("lessons.add", "Learned.");
  const strengthen = useAct("lessons.strengthen", "It counts for more now.");
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ text }, { onSuccess: () => setText("") });
  };
  return (
    <Page title="Lessons" lead="What agents should not have to find out twice.">
      {mayWrite && (
        <form onSubmit={submit} className="mb-4 flex gap-2">
          <input aria-label="A lesson" className={input} placeholder="Close the cursor before a retry." value={text} onChange={(event) => setText(event.target.value)} />
          <Button tone="accent" type="submit" disabled={!text.trim() || add.isPending}>Add</Button>
        </form>
      )}
      {lessons.error && <Problem error={lessons.error} />}
      <Card>
        {!lessons.data && !lessons.error && <Waiting />}
        {lessons.data?.items.length === 0 && <Empty icon="lesson" title="No lesson yet">A lesson gains strength each time it proves right, and fades when it is never seen again.</Empty>}
        <ul className="divide-y divide-line">
          {lessons.data?.items.map(({ note, confidence, reinforcements }) => (
            <li key={note.id} className="flex items-center gap-4 py-3 first:pt-0 last:pb-0">
              <div className="min-w-0 flex-1">
                <Link className="break-words hover:underline" to={`/${space}/memories/${note.id}` as string}>{note.text}</Link>
                <p className="text-xs text-muted">{[note.scope.project, `seen ${many(reinforcements + 1, "time")}`].filter(Boolean).join("  ·  ")}</p>
              </div>
              <div className="w-20"><Meter label="Confidence" value={Math.round(confidence * 100)} most={100} /></div>
              {mayWrite && <Button small tone="quiet" onClick={() => strengthen.mutate({ note_id: note.id })}>Again</Button>}
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
