/** Sessions of agents and talks: what was asked, what happened, what came of it, and the whole again at any speed. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useSpace, useVerb } from "../api/hooks";
import type { Beat, Counted, Observation, Session } from "../api/verbs";
import { Badge, Button, Card, Empty, Page, Pending, Problem, Waiting } from "../parts/basics";
import { Icon } from "../parts/icons";
import { ago, clock, count, many, words } from "../lib/format";
import type { Looked } from "../router";

export default function Sessions() {
  const looked: Looked = useSearch({ strict: false });
  return looked.q ? <One id={looked.q} /> : <All />;
}

function All() {
  const sessions = useVerb("sessions", { limit: 50 });
  const space = useSpace();
  if (sessions.error) return <Page title="Sessions"><Problem error={sessions.error} /></Page>;
  return (
    <Page title="Sessions" lead="Each talk and each run of an agent, newest first.">
      <Card>
        {!sessions.data && <Waiting lines={8} />}
        {sessions.data?.items.length === 0 && (
          <Empty icon="sessions" title="No session yet"><code className="font-mono">recollect init</code> connects your coding agents; what they do is then kept here.</Empty>
        )}
        <ul className="-mx-2 divide-y divide-line/70">
          {sessions.data?.items.map((session) => (
            <li key={session.id}>
              <Link to={`/${space}/sessions` as string} search={{ q: session.id } as never} className="flex items-center gap-3 rounded-lg px-2 py-2.5 hover:bg-sunken">
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{session.title || "Without a title"}</span>
                  <span className="block truncate text-xs text-muted">{aboutOf(session)}</span>
                </span>
                {!session.ended_at && <Badge tone="good">open</Badge>}
                {session.commits.length > 0 && <Badge>{many(session.commits.length, "commit")}</Badge>}
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}

const aboutOf = (session: Session): string =>
  [ago(session.started_at), session.scope.agent, session.scope.project, session.branch].filter(Boolean).join("  ·  ");

function One({ id }: { id: string }) {
  const space = useSpace();
  const navigate = useNavigate();
  const digest = useVerb("session.show", { session_id: id });
  const replay = useVerb("replay", { session_id: id, limit: 200 });
  if (!digest.data) return <Page title="Session"><Pending of={digest} lines={8} /></Page>;
  const { session } = digest.data;
  return (
    <Page
      title={session.title || "Session"}
      lead={aboutOf(session)}
      aside={<Button small tone="quiet" icon="back" onClick={() => void navigate({ to: `/${space}/sessions` })}>All sessions</Button>}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <Card title="What was asked" className="md:col-span-2">
          <p className="break-words">{digest.data.ask || <span className="text-muted">Nothing that was written down.</span>}</p>
          {digest.data.outcome && <p className="mt-3 border-t border-line pt-3"><span className="text-sm text-muted">What came of it: </span>{digest.data.outcome}</p>}
          {digest.data.open_ends.length > 0 && <ul className="mt-2 list-disc pl-5 text-sm text-warn">{digest.data.open_ends.map((each) => <li key={each}>{each}</li>)}</ul>}
        </Card>
        <Card title="Files"><Times counted={digest.data.files} none="No file was touched." /></Card>
        <Card title="Commands" aside={digest.data.failures > 0 && many(digest.data.failures, "failure")}><Times counted={digest.data.commands} none="No command was run." /></Card>
        {session.commits.length > 0 && (
          <Card title="Commits" className="md:col-span-2">
            <ul className="space-y-1 text-sm">
              {session.commits.map((commit) => <li key={commit.sha}><code className="font-mono text-xs text-muted">{commit.sha.slice(0, 8)}</code> {commit.message}</li>)}
            </ul>
          </Card>
        )}
      </div>
      <Player beats={replay.data?.beats ?? []} more={replay.data?.next_cursor != null} />
    </Page>
  );
}

function Times({ counted, none }: { counted: Counted[]; none: string }) {
  if (counted.length === 0) return <p className="text-sm text-muted">{none}</p>;
  return (
    <ul className="space-y-1 text-sm">
      {counted.slice(0, 8).map((each) => (
        <li key={each.name} className="flex gap-3"><code className="min-w-0 truncate font-mono text-xs leading-6">{each.name}</code><span className="ml-auto text-muted">{count(each.times)}×</span></li>
      ))}
    </ul>
  );
}

const SPEEDS = [1, 5, 20];
const LONGEST = 3000; // milliseconds that a pause takes at most

function Player({ beats, more }: { beats: Beat[]; more: boolean }) {
  const [shown, setShown] = useState(Infinity);
  const [speed, setSpeed] = useState(5);
  const isPlaying = shown < beats.length;
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => setShown(shown + 1), Math.min(LONGEST, beats[shown].pause / speed));
    return () => clearTimeout(timer);
  }, [shown, isPlaying, speed, beats]);
  if (beats.length === 0) return null;
  return (
    <Card
      className="mt-4"
      title="What happened"
      aside={
        <span className="flex items-center gap-1">
          {SPEEDS.map((each) => (
            <button key={each} type="button" aria-pressed={speed === each} onClick={() => setSpeed(each)} className="rounded px-1.5 py-0.5 aria-pressed:bg-accent-soft aria-pressed:text-accent">{each}×</button>
          ))}
          <Button small tone="quiet" onClick={() => setShown(isPlaying ? Infinity : 0)}>{isPlaying ? "Show all" : "Replay"}</Button>
        </span>
      }
    >
      <ol className="relative ml-1.5 space-y-3.5 border-l border-line pl-5">
        {beats.slice(0, shown).map((beat) => <Happened key={beat.observation.id} observation={beat.observation} />)}
      </ol>
      {more && <p className="mt-3 text-sm text-muted">The first {beats.length} are shown.</p>}
    </Card>
  );
}

function Happened({ observation }: { observation: Observation }) {
  const isTool = observation.kind.startsWith("tool");
  return (
    <li className="animate-rise">
      <span className={`absolute -left-[5px] mt-1.5 size-2.5 rounded-full ${observation.kind === "tool_failure" ? "bg-bad" : isTool ? "bg-line" : "bg-accent"}`} />
      <p className="flex gap-2 text-xs text-muted"><span>{words(observation.kind)}</span><span>{clock(observation.observed_at)}</span></p>
      <p className={`line-clamp-6 break-words whitespace-pre-wrap ${isTool ? "font-mono text-xs" : ""}`}>{observation.text || observation.title}</p>
      {observation.files.map((file) => <span key={file} className="mr-2 inline-flex items-center gap-1 text-xs text-muted"><Icon name="memories" className="size-3" />{file}</span>)}
    </li>
  );
}
