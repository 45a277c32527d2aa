/** How memory is: what was learned, what it is asked, how it feels, and what happens right now. */
import { Link } from "@tanstack/react-router";
import { useSpace, useVerb } from "../api/hooks";
import type { ActivityDay, Kind } from "../api/verbs";
import { Badge, Button, Card, Empty, Page, Problem, Waiting } from "../parts/basics";
import { Bars, Meter, Shares } from "../parts/charts";
import { Icon } from "../parts/icons";
import { KINDS, NoteLine } from "../parts/note";
import { bytes, count, lastDays, many } from "../lib/format";
import { useInfo, useMay } from "../shell/gate";
import { useLive, type LiveEvent } from "../shell/live";

const DAYS = 30;

export default function Overview() {
  const space = useSpace();
  const activity = useVerb("activity", { limit: 90 });
  const kinds = useVerb("count", { by: ["kind"] });
  const newest = useVerb("list", { limit: 5 });
  if (activity.error) return <Page title="Overview"><Problem error={activity.error} /></Page>;
  const isThere = activity.data !== undefined && kinds.data !== undefined;
  const days = new Map(activity.data?.days.map((day) => [day.day, day]));
  const total = kinds.data?.total ?? 0;
  if (kinds.data && total === 0 && days.size === 0) return <Beginning />;
  return (
    <Page wide title="Overview" lead={isThere ? told(days, total) : "\u00a0"}>
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        <Figures days={days} total={total} isThere={isThere} />
        <Card title="Learned" aside={`${DAYS} days`} className="md:col-span-2 xl:col-span-2">
          <Bars label={`Notes learned in the last ${DAYS} days`} bars={bars(days, (day) => day?.learned ?? 0)} />
        </Card>
        <Card title="What it holds">
          {kinds.data ? (
            <Shares
              parts={Object.entries(kinds.data.by.kind ?? {}).map(([kind, value]) => [
                KINDS[kind as Kind] ?? kind,
                value,
                `bg-k-${kind}`,
              ])}
            />
          ) : (
            <Waiting />
          )}
        </Card>
        <Card title="Newest" aside={<Link className="hover:text-ink" to={`/${space}/memories` as string}>all memories</Link>} className="xl:col-span-2 xl:row-span-2">
          <ul className="-mx-2">
            {newest.data?.items.map((note) => (
              <li key={note.id}>
                <Link to={`/${space}/memories/${note.id}` as string} className="block rounded-lg px-2 py-2 hover:bg-sunken">
                  <NoteLine note={note} />
                </Link>
              </li>
            )) ?? <Waiting lines={8} />}
          </ul>
        </Card>
        <Feed />
        <Card title="Asked" aside={`${DAYS} days`}>
          <Bars
            label={`Searches and recalls in the last ${DAYS} days`}
            tone="fill-k-episodic"
            bars={bars(days, (day) => (day?.searches ?? 0) + (day?.recalls ?? 0))}
          />
        </Card>
        <Health />
      </div>
    </Page>
  );
}

type Days = Map<string, ActivityDay>;

const sum = (days: Days, last: number, value: (day: ActivityDay) => number): number =>
  lastDays(last).reduce((total, name) => total + (days.has(name) ? value(days.get(name) as ActivityDay) : 0), 0);

const bars = (days: Days, value: (day?: ActivityDay) => number) =>
  lastDays(DAYS).map((name) => ({
    label: new Date(name).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
    value: value(days.get(name)),
  }));

function told(days: Days, total: number): string {
  const today = sum(days, 1, (day) => day.learned);
  const week = sum(days, 7, (day) => day.learned);
  return `${many(total, "note")} held to be true. ${count(today)} learned today, ${count(week)} this week.`;
}

function Figures({ days, total, isThere }: { days: Days; total: number; isThere: boolean }) {
  const asked = sum(days, 7, (day) => day.searches + day.recalls);
  const slow = sum(days, 7, (day) => day.mean_ms * (day.searches + day.recalls)) / (asked || 1);
  const figures: [string, string][] = [
    ["notes", count(total)],
    ["learned this week", count(sum(days, 7, (day) => day.learned))],
    ["asked this week", count(asked)],
    ["mean answer", asked ? `${Math.round(slow)} ms` : "–"],
    ["superseded this week", count(sum(days, 7, (day) => day.superseded))],
    ["model cost, 30 days", `$${sum(days, DAYS, (day) => day.cost_usd).toFixed(2)}`],
  ];
  return (
    <Card title="At a glance" className="md:col-span-2 xl:col-span-1">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 xl:grid-cols-2">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dd className="text-xl font-semibold tracking-tight tabular-nums">{isThere ? value : <span aria-busy className="inline-block h-5 w-10 animate-pulse rounded bg-sunken" />}</dd>
            <dt className="text-xs text-muted">{name}</dt>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Feed() {
  const { events, connected } = useLive();
  const shown = events.filter((event) => event.note || event.observation || event.job || event.kind === "erased");
  return (
    <Card title="Live" aside={connected ? "listening" : "connecting"}>
      {shown.length === 0 ? (
        <p className="text-sm text-muted">
          What is written from now on appears here, whoever writes it: you, an agent, or another machine.
        </p>
      ) : (
        <ul className="max-h-64 space-y-2 overflow-y-auto text-sm" aria-live="polite">
          {shown.map((event) => (
            <li key={event.seq} className="flex animate-rise gap-2">
              <Badge tone={event.kind === "erased" ? "bad" : event.note ? "accent" : "plain"}>{verbOf(event)}</Badge>
              <span className="min-w-0 truncate">{event.note?.text ?? event.observation?.text ?? event.job?.kind ?? "a record"}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function verbOf(event: LiveEvent): string {
  if (event.kind === "erased") return "forgot";
  if (event.kind === "observed") return "heard";
  if (event.job) return event.kind.replace("job-", "job ");
  return event.version > 1 ? "changed" : "learned";
}

function Health() {
  const { space: bound } = useInfo();
  const space = useSpace();
  const status = useVerb("status", {}, { enabled: bound === null });
  const review = useVerb("review", {});
  const mine = status.data?.spaces.find((each) => each.name === space);
  const lines: [string, string, boolean][] = status.data
    ? [
        ["Waiting for vectors", count(status.data.unembedded), status.data.unembedded === 0],
        ["Waiting for the judge", count(status.data.unjudged), status.data.unjudged === 0],
        ["Jobs that gave up", count(status.data.jobs.dead ?? 0), !status.data.jobs.dead],
        ["To review", count(review.data?.items.length ?? 0), !review.data?.items.length],
      ]
    : [];
  return (
    <Card title="Health" aside={status.data && [status.data.store, bytes(status.data.size_bytes)].filter(Boolean).join(", ")}>
      <ul className="space-y-1.5 text-sm">
        {lines.map(([name, value, good]) => (
          <li key={name} className="flex items-center gap-2">
            <span className={`size-2 rounded-full ${good ? "bg-good" : "bg-warn"}`} />
            {name}
            <span className="ml-auto text-muted tabular-nums">{value}</span>
          </li>
        ))}
      </ul>
      {mine?.max_notes && (
        <div className="mt-4">
          <p className="mb-1.5 flex justify-between text-xs text-muted">
            <span>Notes of the quota</span>
            <span>{count(mine.notes)} of {count(mine.max_notes)}</span>
          </p>
          <Meter label="Notes of the quota" value={mine.notes} most={mine.max_notes} />
        </div>
      )}
    </Card>
  );
}

function Beginning() {
  const space = useSpace();
  const may = useMay("write");
  return (
    <Page title="Overview">
      <Card>
        <Empty
          icon="lesson"
          title="This memory is new"
          action={
            may && (
              <Link to={`/${space}/teach` as string}>
                <Button tone="accent" icon="teach">Teach it something</Button>
              </Link>
            )
          }
        >
          Tell it where you live, who you work with, how your project is built. It keeps what was said, what is true now,
          and what was true before.
        </Empty>
        <p className="mx-auto flex max-w-md items-center justify-center gap-2 border-t border-line pt-4 text-sm text-muted">
          <Icon name="connect" /> <span>Agents teach it too: <code className="font-mono text-[0.8125rem]">recollect init</code> connects them.</span>
        </p>
      </Card>
    </Page>
  );
}
