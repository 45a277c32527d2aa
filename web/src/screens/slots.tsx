/** Slots: small texts that agents keep at hand, each with a size that it may not grow beyond. */
import { useState } from "react";
import { useAct, useVerb } from "../api/hooks";
import type { Slot } from "../api/verbs";
import { Badge, Button, Card, Empty, Field, input, Page, Problem, textarea, Waiting } from "../parts/basics";
import { Meter } from "../parts/charts";
import { Dialog, DialogBody } from "../parts/dialog";
import { ago, count } from "../lib/format";
import { useMay } from "../shell/gate";

export default function Slots() {
  const mayWrite = useMay("write");
  const slots = useVerb("slots.list", {});
  const [open, setOpen] = useState<Partial<Slot>>();
  return (
    <Page title="Slots" lead="Short texts that are always told in full." aside={mayWrite && <Button icon="plus" onClick={() => setOpen({})}>New slot</Button>}>
      {slots.error && <Problem error={slots.error} />}
      {!slots.data && !slots.error && <Waiting />}
      {slots.data?.items.length === 0 && <Card><Empty icon="slots" title="No slot yet">A slot holds what an agent should have before its eyes: the task at hand, the persona, the plan.</Empty></Card>}
      <ul className="grid gap-4 md:grid-cols-2">
        {slots.data?.items.map((slot) => (
          <li key={slot.id}>
            <Card title={slot.label} aside={[slot.project, ago(slot.updated_at)].filter(Boolean).join(" · ")} className="h-full">
              {slot.description && <p className="mb-2 text-xs text-muted">{slot.description}</p>}
              <p className="line-clamp-6 break-words whitespace-pre-wrap">{slot.text || <span className="text-muted">empty</span>}</p>
              <div className="mt-3"><Meter label={`Size of ${slot.label}`} value={slot.text.length} most={slot.limit} /></div>
              <p className="mt-1.5 flex items-center gap-2 text-xs text-muted">
                {count(slot.text.length)} of {count(slot.limit)} characters {slot.pinned && <Badge tone="accent">pinned</Badge>}
                {mayWrite && <Button small tone="quiet" className="ml-auto" icon="edit" onClick={() => setOpen(slot)}>Edit</Button>}
              </p>
            </Card>
          </li>
        ))}
      </ul>
      {open && <EditSlot key={open.id ?? "new"} slot={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function EditSlot({ slot, onClose }: { slot: Partial<Slot>; onClose: () => void }) {
  const [label, setLabel] = useState(slot.label ?? "");
  const [text, setText] = useState(slot.text ?? "");
  const set = useAct("slots.set", "Written.");
  const drop = useAct("slots.delete", "Deleted.");
  const project = slot.project ?? undefined;
  return (
    <Dialog title="Slot" open onClose={onClose}>
      <DialogBody
        title={slot.id ? `Slot ${slot.label}` : "New slot"}
        actions={
          <>
            {slot.id && <Button tone="danger" className="mr-auto" onClick={() => drop.mutate({ label, project }, { onSuccess: onClose })}>Delete</Button>}
            <Button tone="quiet" onClick={onClose}>Cancel</Button>
            <Button tone="accent" disabled={!label.trim() || set.isPending} onClick={() => set.mutate({ label, text, project }, { onSuccess: onClose })}>Save</Button>
          </>
        }
      >
        {!slot.id && <Field label="Name"><input className={input} value={label} onChange={(event) => setLabel(event.target.value)} /></Field>}
        <Field label="Text" hint={slot.limit && `${count(text.length)} of ${count(slot.limit)} characters`}>
          <textarea rows={7} className={textarea} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </DialogBody>
    </Dialog>
  );
}
