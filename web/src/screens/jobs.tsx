/** Jobs: work after the call that asked for it, what gave up, and what comes around by itself. */
import { useState } from "react";
import { useAct, useVerb } from "../api/hooks";
import type { Job, JobStage } from "../api/verbs";
import { Badge, Button, Card, Empty, Page, Problem, Tabs, Waiting } from "../parts/basics";
import { Meter } from "../parts/charts";
import { ago, clock, words } from "../lib/format";
import { useMay } from "../shell/gate";

const TONES: Record<JobStage, "plain" | "accent" | "good" | "bad"> = { waiting: "plain", running: "accent", done: "good", dead: "bad", cancelled: "plain" };

export default function Jobs() {
  const [stage, setStage] = useState<JobStage | "all">("all");
  const jobs = useVerb("jobs.list", { stage: stage === "all" ? undefined : stage, limit: 100 });
  const timers = useVerb("jobs.timers", {});
  return (
    <Page title="Jobs" lead="Reading, judging, sending, putting in order: done in the background, each once.">
      <Tabs label="Stage" at={stage} onPick={setStage} tabs={[["all", "All"], ["waiting", "Waiting"], ["running", "Running"], ["dead", "Gave up"], ["done", "Done"]]} />
      <Card className="mt-4">
        {jobs.error && <Problem error={jobs.error} />}
        {!jobs.data && !jobs.error && <Waiting />}
        {jobs.data?.items.length === 0 && <Empty icon="jobs" title="Nothing here">Jobs that were done are kept for a while, those that gave up until somebody looks.</Empty>}
        <ul className="divide-y divide-line">{jobs.data?.items.map((job) => <li key={job.id} className="py-3 first:pt-0 last:pb-0"><JobRow job={job} /></li>)}</ul>
      </Card>
      {timers.data && timers.data.items.length > 0 && (
        <Card className="mt-4" title="Comes around by itself">
          <ul className="space-y-1.5 text-sm">
            {timers.data.items.map((timer) => (
              <li key={timer.name} className="flex flex-wrap gap-x-3"><span>{words(timer.name)}</span><span className="ml-auto text-muted">next {clock(timer.next_at)}</span></li>
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}

function JobRow({ job }: { job: Job }) {
  const mayWrite = useMay("write");
  const retry = useAct("jobs.retry", "Queued again.");
  const cancel = useAct("jobs.cancel", "Called off.");
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[job.stage]}>{job.stage === "dead" ? "gave up" : job.stage}</Badge>
        <span className="font-medium">{words(job.kind)}</span>
        <span className="text-xs text-muted">{ago(job.settled_at ?? job.created_at)}{job.attempts > 1 && `, tried ${job.attempts} times`}</span>
        {mayWrite && (
          <span className="ml-auto flex gap-1">
            {job.stage === "dead" && <Button small onClick={() => retry.mutate({ job_id: job.id })}>Try again</Button>}
            {(job.stage === "waiting" || job.stage === "running") && <Button small tone="quiet" onClick={() => cancel.mutate({ job_id: job.id })}>Cancel</Button>}
          </span>
        )}
      </div>
      {job.detail && <p className={`mt-1 text-sm ${job.stage === "dead" ? "text-bad" : "text-muted"}`}>{job.detail}</p>}
      {job.progress && job.stage === "running" && <div className="mt-2"><Meter label={job.progress.phase} value={job.progress.done} most={job.progress.total} /></div>}
    </div>
  );
}
