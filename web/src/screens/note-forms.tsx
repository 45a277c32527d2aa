/** Forms that write by hand: a new note, an edit, a replacement, and the last word before something is forgotten. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState, type FormEvent, type ReactNode } from "react";
import { useAct, useSpace, useTrial } from "../api/hooks";
import type { Kind, Note } from "../api/verbs";
import { Button, Field, input, Problem, Waiting } from "../parts/basics";
import { Dialog, DialogBody } from "../parts/dialog";
import { DiffView } from "../parts/diff-view";
import { Editor } from "../parts/editor";
import { KINDS } from "../parts/note";
import { many } from "../lib/format";

interface FormProps {
  open: boolean;
  onClose: () => void;
}

function Form({ title, submit, children, onSubmit, onClose, disabled, tone = "accent" }: {
  title: string;
  submit: string;
  children: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
  disabled?: boolean;
  tone?: "accent" | "danger";
}) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!disabled) onSubmit();
  };
  return (
    <form
      onSubmit={send}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(event);
      }}
    >
      <DialogBody
        title={title}
        actions={
          <>
            <Button tone="quiet" onClick={onClose}>Cancel</Button>
            <Button tone={tone} type="submit" disabled={disabled}>{submit}</Button>
          </>
        }
      >
        {children}
      </DialogBody>
    </form>
  );
}

const tagsIn = (said: string): string[] => [...new Set(said.split(/[\s,]+/).map((tag) => tag.replace(/^#/, "")).filter(Boolean))];

export function NewNote({ open, onClose }: FormProps) {
  const space = useSpace();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [kind, setKind] = useState<Kind>("semantic");
  const [tags, setTags] = useState("");
  const save = useAct("save", "Saved.");
  useEffect(() => {
    if (open) {
      setText("");
      setTags("");
    }
  }, [open]);
  const submit = () =>
    save.mutate(
      { text, kind, tags: tagsIn(tags) },
      {
        onSuccess: (note) => {
          onClose();
          void navigate({ to: `/${space}/memories/${note.id}` });
        },
      },
    );
  return (
    <Dialog title="New note" open={open} onClose={onClose}>
      <Form title="New note" submit="Save" disabled={!text.trim() || save.isPending} onSubmit={submit} onClose={onClose}>
        <Editor label="What should be remembered?" value={text} onChange={setText} />
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Kind">
            <select className={input} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
              {Object.entries(KINDS).map(([name, said]) => <option key={name} value={name}>{said}</option>)}
            </select>
          </Field>
          <Field label="Tags">
            <input className={input} value={tags} placeholder="deploy, home" onChange={(event) => setTags(event.target.value)} />
          </Field>
        </div>
      </Form>
    </Dialog>
  );
}

export function EditNote({ note, open, onClose }: FormProps & { note: Note }) {
  const [text, setText] = useState(note.text);
  const [tags, setTags] = useState(note.tags.join(", "));
  const update = useAct("update", "Corrected. The earlier wording stays in its history.");
  useEffect(() => {
    if (open) {
      setText(note.text);
      setTags(note.tags.join(", "));
    }
  }, [open]);
  const submit = () =>
    update.mutate({ note_id: note.id, text, tags: tagsIn(tags), expected_version: note.version }, { onSuccess: onClose });
  return (
    <Dialog title="Correct the note" open={open} onClose={onClose}>
      <Form title="Correct the note" submit="Save" disabled={!text.trim() || update.isPending} onSubmit={submit} onClose={onClose}>
        <p className="text-muted">For a wording that was wrong. If the world has changed, use Replace: then both stay, each in its time.</p>
        <Editor label="Text" value={text} onChange={setText} />
        <Field label="Tags">
          <input className={input} value={tags} onChange={(event) => setTags(event.target.value)} />
        </Field>
        {text !== note.text && (
          <div className="rounded-lg bg-sunken p-3"><DiffView before={note.text} after={text} /></div>
        )}
      </Form>
    </Dialog>
  );
}

export function ReplaceNote({ note, open, onClose }: FormProps & { note: Note }) {
  const space = useSpace();
  const navigate = useNavigate();
  const [text, setText] = useState(note.text);
  const [since, setSince] = useState("");
  const supersede = useAct("supersede", "Replaced. The old one is history now.");
  useEffect(() => {
    if (open) setText(note.text);
  }, [open]);
  const submit = () =>
    supersede.mutate(
      { note_id: note.id, text, valid_from: since || undefined, expected_version: note.version },
      {
        onSuccess: (newer) => {
          onClose();
          void navigate({ to: `/${space}/memories/${newer.id}` });
        },
      },
    );
  return (
    <Dialog title="Replace the note" open={open} onClose={onClose}>
      <Form title="The world has changed" submit="Replace" disabled={!text.trim() || text === note.text || supersede.isPending} onSubmit={submit} onClose={onClose}>
        <Editor label="What is true now?" value={text} onChange={setText} />
        <Field label="Since when?" hint="Today, if you do not say.">
          <input type="date" className={input} value={since} onChange={(event) => setSince(event.target.value)} />
        </Field>
      </Form>
    </Dialog>
  );
}

export function RetractNote({ note, open, onClose }: FormProps & { note: Note }) {
  const [reason, setReason] = useState("");
  const retract = useAct("retract", "Taken back. It is no longer told to anybody.");
  return (
    <Dialog title="Take the note back" open={open} onClose={onClose}>
      <Form
        title="It was never true?"
        submit="Take it back"
        disabled={retract.isPending}
        onSubmit={() => retract.mutate({ note_id: note.id, reason: reason || undefined }, { onSuccess: onClose })}
        onClose={onClose}
      >
        <p className="text-muted">It stays in the history, marked as retracted, and no answer uses it any more.</p>
        <Field label="Why? (if you like)">
          <input className={input} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </Form>
    </Dialog>
  );
}

/** Says what would go, by trying it, before it goes. */
export function ForgetNote({ note, open, onClose }: FormProps & { note: Note }) {
  const space = useSpace();
  const navigate = useNavigate();
  const [cascade, setCascade] = useState(false);
  const trial = useTrial("forget");
  const forget = useAct("forget", "Forgotten, for good.");
  useEffect(() => {
    if (open) trial.mutate({ note_id: note.id, cascade });
  }, [open, cascade, note.id]);
  const loss = trial.data;
  const submit = () =>
    forget.mutate(
      { note_id: note.id, cascade },
      {
        onSuccess: () => {
          onClose();
          void navigate({ to: `/${space}/memories` });
        },
      },
    );
  return (
    <Dialog title="Forget the note" open={open} onClose={onClose}>
      <Form title="Forget this for good?" submit="Forget for good" tone="danger" disabled={forget.isPending || !loss} onSubmit={submit} onClose={onClose}>
        <blockquote className="border-l-2 border-line pl-3 text-muted">{note.text}</blockquote>
        {trial.error && <Problem error={trial.error} />}
        {loss ? (
          <div className="rounded-lg bg-bad-soft px-3 py-2.5 text-bad">
            <p className="font-medium">This cannot be undone. It erases:</p>
            <ul className="mt-1 list-disc pl-5">
              <li>{many(loss.note_ids.length, "note")}, with every version</li>
              {loss.observation_ids.length > 0 && <li>{many(loss.observation_ids.length, "message")} it was read from, word for word</li>}
              {loss.others.length > 0 && <li>{many(loss.others.length, "other record")}</li>}
            </ul>
          </div>
        ) : (
          !trial.error && <Waiting lines={2} />
        )}
        {(loss?.derived.length ?? 0) > 0 && (
          <label className="flex items-center gap-2">
            <input type="checkbox" className="size-4 accent-accent" checked={cascade} onChange={(event) => setCascade(event.target.checked)} />
            Also what was derived from it ({many(loss?.derived.length ?? 0, "note")})
          </label>
        )}
        <p className="text-muted">If it only stopped being true, replace it or take it back instead.</p>
      </Form>
    </Dialog>
  );
}
