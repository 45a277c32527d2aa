/** Acts on several notes at once. Those that can be taken back say so. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, ServerProblem } from "../api/client";
import { useSpace } from "../api/hooks";
import type { Note } from "../api/verbs";
import { Button, input } from "../parts/basics";
import { Dialog, DialogBody } from "../parts/dialog";
import { many } from "../lib/format";
import { useMay } from "../shell/gate";
import { useNotices } from "../shell/notices";

export function BulkBar({ notes, onDone }: { notes: Note[]; onDone: () => void }) {
  const space = useSpace();
  const client = useQueryClient();
  const notices = useNotices();
  const mayWrite = useMay("write");
  const [asking, setAsking] = useState<"tag" | "forget">();
  const [tag, setTag] = useState("");

  /** One after the other; what fails is said, and the rest is done. */
  const each = async (done: string, act: (note: Note) => Promise<unknown>, undo?: (note: Note) => Promise<unknown>) => {
    setAsking(undefined);
    const failed: string[] = [];
    const changed: Note[] = [];
    for (const note of notes) {
      try {
        await act(note);
        changed.push(note);
      } catch (error) {
        failed.push(error instanceof ServerProblem ? error.message : String(error));
      }
    }
    const refresh = () => client.invalidateQueries({ queryKey: [space] });
    await refresh();
    const back = undo && (() => void Promise.allSettled(changed.map(undo)).then(refresh));
    if (changed.length) notices.tell(`${many(changed.length, "note")} ${done}.`, "good", back);
    if (failed.length) notices.tell(`${many(failed.length, "note")} not: ${failed[0]}`, "bad");
    onDone();
  };
  const pinned = notes.every((note) => note.pinned);
  const tags = (note: Note, all: string[]) => ask(space, "update", { note_id: note.id, tags: all });
  if (!mayWrite) return null;
  return (
    <div role="toolbar" aria-label="Chosen notes" className="flex flex-wrap items-center gap-1.5 border-b border-line bg-accent-soft px-3 py-2 sm:px-4">
      <span className="mr-auto text-sm font-medium">{notes.length} chosen</span>
      <Button
        small
        icon="pin"
        onClick={() =>
          void each(
            pinned ? "unpinned" : "pinned",
            (note) => ask(space, pinned ? "unpin" : "pin", { note_id: note.id }),
            (note) => ask(space, note.pinned ? "pin" : "unpin", { note_id: note.id }),
          )
        }
      >
        {pinned ? "Unpin" : "Pin"}
      </Button>
      <Button small onClick={() => setAsking("tag")}>Tag</Button>
      <Button small icon="trash" tone="danger" onClick={() => setAsking("forget")}>Forget</Button>
      <Button small tone="quiet" icon="close" aria-label="Choose none" onClick={onDone} />
      <Dialog title="Tag" open={asking === "tag"} onClose={() => setAsking(undefined)}>
        <DialogBody
          title={`Tag ${many(notes.length, "note")}`}
          actions={
            <Button
              tone="accent"
              disabled={!tag.trim()}
              onClick={() => void each("tagged", (note) => tags(note, [...new Set([...note.tags, tag.trim()])]), (note) => tags(note, note.tags))}
            >
              Tag
            </Button>
          }
        >
          <input aria-label="Tag" className={input} value={tag} onChange={(event) => setTag(event.target.value)} />
        </DialogBody>
      </Dialog>
      <Dialog title="Forget" open={asking === "forget"} onClose={() => setAsking(undefined)}>
        <DialogBody
          title={`Forget ${many(notes.length, "note")} for good?`}
          actions={
            <>
              <Button tone="quiet" onClick={() => setAsking(undefined)}>Cancel</Button>
              <Button tone="danger" onClick={() => void each("forgotten", (note) => ask(space, "forget", { note_id: note.id }))}>Forget for good</Button>
            </>
          }
        >
          <p>Each goes with all its versions and with the messages it was read from. This cannot be undone.</p>
          <ul className="max-h-40 list-disc overflow-y-auto pl-5 text-muted">
            {notes.map((note) => <li key={note.id}>{note.text}</li>)}
          </ul>
        </DialogBody>
      </Dialog>
    </div>
  );
}
