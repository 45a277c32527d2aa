/** The vault's history: every revision with its differences, the machines that sync it, and who did what. */
import { useState } from "react";
import { useAct, useVerb } from "../api/hooks";
import type { AuditEntry, Revision } from "../api/verbs";
import { Badge, Button, Card, Code, Empty, Page, Pending, Tabs, Waiting } from "../parts/basics";
import { ago, clock, many } from "../lib/format";
import { useMay } from "../shell/gate";

export default function History() {
  const [tab, setTab] = useState<"revisions" | "machines" | "audit">("revisions");
  return (
    <Page title="History" lead="What changed, on which machine, and by whose hand.">
      <Tabs label="History" at={tab} onPick={setTab} tabs={[["revisions", "Revisions"], ["machines", "Machines"], ["audit", "Audit"]]} />
      <div className="pt-4">
        {tab === "revisions" && <Revisions />}
        {tab === "machines" && <MachineList />}
        {tab === "audit" && <Audit />}
      </div>
    </Page>
  );
}

function NoVault() {
  return (
    <Card>
      <Empty icon="history" title="This space has no vault">
        A vault keeps memory as Markdown files under git, on as many machines as you like:
        <code className="mt-2 block font-mono text-[0.8125rem]">recollect vault open ~/memory</code>
      </Empty>
    </Card>
  );
}

function Revisions() {
  const log = useVerb("log", { limit: 50 });
  const [open, setOpen] = useState<string>();
  if (log.error) return <NoVault />;
  if (!log.data) return <Waiting lines={6} />;
  if (log.data.revisions.length === 0) return <Card><Empty icon="history" title="No revision yet" /></Card>;
  return (
    <ol className="relative ml-2 space-y-4 border-l border-line pl-5">
      {log.data.revisions.map((revision) => (
        <li key={revision.id}>
          <span className="absolute -left-[5px] mt-1.5 size-2.5 rounded-full bg-accent" />
          <button type="button" className="text-left hover:underline" aria-expanded={open === revision.id} onClick={() => setOpen(open === revision.id ? undefined : revision.id)}>{summed(revision)}</button>
          <p className="text-xs text-muted">{clock(revision.at)} on {revision.machine} <code className="font-mono">{revision.id.slice(0, 8)}</code></p>
          {open === revision.id && <Shown id={revision.id} />}
        </li>
      ))}
    </ol>
  );
}

function summed(revision: Revision): string {
  const parts = [["written", revision.written], ["changed", revision.changed], ["removed", revision.removed], ["erased", revision.erased]] as const;
  const said = parts.filter(([, notes]) => notes.length > 0).map(([verb, notes]) => `${many(notes.length, "note")} ${verb}`);
  return said.join(", ") || "nothing that is a note";
}

function Shown({ id }: { id: string }) {
  const shown = useVerb("show", { revision: id });
  const mayWrite = useMay("write");
  const revert = useAct("revert", "Taken back, as a new revision.");
  if (!shown.data) return <Pending of={shown} lines={3} />;
  return (
    <div className="mt-2 space-y-2">
      {shown.data.differences.map((each) => <Code key={each.note_id}>{each.lines.join("\n")}</Code>)}
      {mayWrite && <Button small icon="undo" disabled={revert.isPending} onClick={() => revert.mutate({ revision: id })}>Take it back</Button>}
    </div>
  );
}

function MachineList() {
  const machines = useVerb("machines", {});
  const mayAdmin = useMay("admin");
  const sync = useAct("sync", (report) => `${many(report.received.length, "revision")} received, ${many(report.sent.length, "revision")} sent.`);
  if (machines.error) return <NoVault />;
  if (!machines.data) return <Waiting lines={3} />;
  return (
    <Card title="Machines" aside={mayAdmin && <Button small disabled={sync.isPending} onClick={() => sync.mutate({})}>Sync now</Button>}>
      <ul className="divide-y divide-line">
        {machines.data.machines.map((machine) => (
          <li key={machine.name} className="flex items-center gap-2 py-2.5">
            <span className="font-medium">{machine.name}</span>
            {machine.is_this && <Badge tone="accent">this one</Badge>}
            <span className="ml-auto text-sm text-muted">{many(machine.notes, "note")}, seen {ago(machine.last_seen)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Audit() {
  const audit = useVerb("audit", { limit: 50 });
  if (!audit.data) return <Pending of={audit} lines={6} />;
  return (
    <Card title={audit.data.whole ? "The chain is whole" : "The chain is broken"} aside={<Badge tone={audit.data.whole ? "good" : "bad"}>{audit.data.detail}</Badge>}>
      <ul className="divide-y divide-line text-sm">
        {audit.data.entries.toReversed().map((entry) => (
          <li key={entry.seq} className="flex flex-wrap items-center gap-x-3 py-2">
            <Badge>{entry.reason}</Badge>
            <span>{touched(entry)}</span>
            <span className="ml-auto text-xs text-muted">{[entry.principal, entry.channel, ago(entry.at)].filter(Boolean).join(" · ")}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** How many records an entry is about: its summary is a list of them, as JSON. */
function touched(entry: AuditEntry): string {
  try {
    const records = (JSON.parse(entry.summary) as [string, string, number][]).filter(([kind]) => kind !== "embedded");
    return many(records.length, "record");
  } catch {
    return "";
  }
}
