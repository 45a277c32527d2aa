/** Whether everything is sound, what language models cost, and how to keep a copy. */
import { useState } from "react";
import { useAct, useVerb } from "../api/hooks";
import type { MaintenanceScope } from "../api/verbs";
import { Badge, Button, Card, Code, Empty, Page, Problem, Waiting } from "../parts/basics";
import { Meter } from "../parts/charts";
import { bytes, count, many } from "../lib/format";
import { useInfo, useMay } from "../shell/gate";

export default function Health() {
  const { space: bound } = useInfo();
  const mayAdmin = useMay("admin");
  if (bound !== null) return <Page title="Health and spend"><Card><Empty icon="key" title="Not with this token">It is for one space; the store is looked after by a token for all.</Empty></Card></Page>;
  return (
    <Page title="Health and spend">
      <div className="space-y-4">
        <Doctor />
        {mayAdmin && <Spend />}
        <Order />
        <Card title="Copies">
          <p className="text-sm text-muted">A backup is one file with a manifest and a digest. Take one now, or every day:</p>
          <div className="mt-3"><Code>{"recollect backup ~/backups/recollect.db\nrecollect backup --to s3://bucket/recollect --every 1d --keep 14"}</Code></div>
        </Card>
      </div>
    </Page>
  );
}

function Doctor() {
  const status = useVerb("status", {});
  const [asked, setAsked] = useState(false);
  const doctor = useVerb("doctor", {}, { enabled: asked });
  const store = status.data;
  return (
    <Card title="The store" aside={store && `version ${store.version}`}>
      {!store ? <Waiting lines={3} /> : (
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {[["notes", count(store.notes)], ["size", bytes(store.size_bytes) || "–"], ["schema", String(store.schema)], ["kept in", store.store]].map(([name, value]) => (
            <div key={name}><dd className="text-lg font-semibold">{value}</dd><dt className="text-xs text-muted">{name}</dt></div>
          ))}
        </dl>
      )}
      <div className="mt-4 border-t border-line pt-4">
        {!asked && <Button icon="health" onClick={() => setAsked(true)}>Examine everything</Button>}
        {asked && doctor.isFetching && !doctor.data && <p className="text-sm text-muted">Reading every page…</p>}
        {doctor.error && <Problem error={doctor.error} />}
        {doctor.data && (
          <>
            <p className="mb-2"><Badge tone={doctor.data.healthy ? "good" : "bad"}>{doctor.data.healthy ? "healthy" : "problems were found"}</Badge></p>
            <ul className="space-y-1 text-sm">
              {doctor.data.checks.map((check) => (
                <li key={check.name} className="flex gap-2">
                  <span className={`mt-1.5 size-2 shrink-0 rounded-full ${check.ok ? "bg-good" : "bg-bad"}`} />
                  <span className="min-w-0"><span className="font-medium">{check.name}</span> <span className="break-words text-muted">{check.detail} {check.hint}</span></span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Card>
  );
}

function Spend() {
  const spend = useVerb("spend", { by: ["task"] });
  const providers = useVerb("providers", {});
  return (
    <Card title="Language models" aside={spend.data && `since ${spend.data.since}`}>
      {spend.error && <Problem error={spend.error} />}
      {spend.data?.lines.length === 0 && <p className="text-sm text-muted">Nothing was spent. Without a provider, memory works with rules and small models on this machine.</p>}
      <ul className="space-y-1 text-sm">
        {spend.data?.lines.map((line) => (
          <li key={line.task} className="flex gap-3"><span>{line.task}</span><span className="ml-auto text-muted">{many(line.calls, "call")}, {count(line.tokens)} tokens</span><span className="w-16 text-right tabular-nums">${line.cost_usd.toFixed(2)}</span></li>
        ))}
      </ul>
      {spend.data?.caps.filter((cap) => cap.cap > 0).map((cap) => (
        <div key={`${cap.of} ${cap.unit}`} className="mt-3">
          <p className="mb-1 flex justify-between text-xs text-muted"><span>{cap.unit} of a {cap.of}</span><span>{count(cap.spent)} of {count(cap.cap)}</span></p>
          <Meter label={`${cap.unit} of a ${cap.of}`} value={cap.spent} most={cap.cap} />
        </div>
      ))}
      {providers.data && providers.data.providers.length > 0 && (
        <ul className="mt-4 divide-y divide-line border-t border-line pt-2 text-sm">
          {providers.data.providers.map((each) => (
            <li key={each.name} className="flex flex-wrap gap-x-3 py-1.5"><span className="font-medium">{each.name}</span><span className="text-muted">{each.model}</span><span className="ml-auto">{each.problem ? <Badge tone="warn">{each.problem}</Badge> : <Badge tone="good">ready</Badge>}</span></li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Put the space in order now, without waiting for the night. */
function Order() {
  const mayWrite = useMay("write");
  const maintain = useAct("maintain", "Queued: it is done in the background.");
  const begin = (scope: MaintenanceScope) => maintain.mutate({ scope, background: true });
  if (!mayWrite) return null;
  return (
    <Card title="Put in order">
      <p className="text-sm text-muted">Expire, merge what says the same, make missing vectors and links, reflect. Nothing is deleted.</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => begin("quick")}>Quick</Button>
        <Button onClick={() => begin("full")}>Full</Button>
      </div>
    </Card>
  );
}
