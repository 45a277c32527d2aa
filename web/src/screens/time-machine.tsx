/** The truth and the knowledge of any moment: a slider over everything that is held. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useSpace, useVerb } from "../api/hooks";
import type { Note } from "../api/verbs";
import { Badge, Button, Card, Empty, Page, Problem, Waiting } from "../parts/basics";
import { NoteLine } from "../parts/note";
import { clock, many } from "../lib/format";
import { useDelayed } from "../lib/delay";
import type { Looked } from "../router";

const STEPS = 400; // places of the slider
const SHOWN = 60;

export default function TimeMachine() {
  const looked: Looked = useSearch({ strict: false });
  const navigate = useNavigate();
  const space = useSpace();
  const life = useVerb("list", { state: "any", limit: 200 });
  const span = useMemo(() => spanOf(life.data?.items ?? []), [life.data]);
  const at = looked.at ? new Date(looked.at).getTime() : span[1];
  const isKnown = looked.known === "yes";
  const moment = useDelayed(new Date(at).toISOString(), 80);
  const then = useVerb(
    "list",
    { as_of: moment, known_at: isKnown ? moment : undefined, limit: SHOWN, total: true },
    { enabled: life.data !== undefined },
  );
  const now = useVerb("list", { limit: 200 });
  const look = (change: Looked) => void navigate({ to: ".", search: { ...looked, ...change } as never, replace: true });
  if (life.error) return <Page title="Time machine"><Problem error={life.error} /></Page>;
  if (life.data?.items.length === 0) {
    return (
      <Page title="Time machine">
        <Card><Empty icon="clock" title="No past yet">As soon as something is learned, you can go back to any moment and see what held then.</Empty></Card>
      </Page>
    );
  }
  const current = new Set(now.data?.items.map((note) => note.id));
  return (
    <Page title="Time machine" lead={isKnown ? "What memory knew at that moment, and held to be true." : "What was true at that moment, as far as is known today."}>
      <Card>
        <div className="flex flex-wrap items-baseline justify-between gap-2">
          <p className="text-lg font-semibold tabular-nums">{clock(new Date(at).toISOString())}</p>
          <Button small tone="quiet" disabled={!looked.at} onClick={() => look({ at: undefined })}>Now</Button>
        </div>
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={clock(new Date(at).toISOString())}
          className="mt-3 w-full accent-accent"
          min={0}
          max={STEPS}
          value={Math.round(((at - span[0]) / (span[1] - span[0])) * STEPS)}
          onChange={(event) => look({ at: new Date(span[0] + (Number(event.target.value) / STEPS) * (span[1] - span[0])).toISOString() })}
        />
        <div className="flex justify-between text-xs text-muted"><span>{clock(new Date(span[0]).toISOString())}</span><span>now</span></div>
        <label className="mt-3 flex items-center gap-2 text-sm">
          <input type="checkbox" className="size-4 accent-accent" checked={isKnown} onChange={(event) => look({ known: event.target.checked ? "yes" : undefined })} />
          Only what was known then
        </label>
      </Card>
      <Card className="mt-4" title="Held to be true then" aside={then.data && many(then.data.total ?? then.data.items.length, "note")}>
        {then.error && <Problem error={then.error} />}
        {!then.data && !then.error && <Waiting lines={6} />}
        {then.data?.items.length === 0 && <p className="text-sm text-muted">Nothing yet.</p>}
        <ul className="-mx-2">
          {then.data?.items.map((note) => (
            <li key={note.id}>
              <Link to={`/${space}/memories/${note.id}` as string} className="flex items-start gap-2 rounded-lg px-2 py-2 hover:bg-sunken">
                <NoteLine note={{ ...note, state: "active" }} />
                {now.data && !now.data.next_cursor && !current.has(note.id) && <Badge tone="warn">no longer</Badge>}
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}

/** From the first thing that was true or written to now. */
function spanOf(notes: Note[]): [number, number] {
  const times = notes.flatMap((note) => [note.valid_from, note.recorded_at]).filter((each) => each != null);
  const end = Date.now();
  const start = Math.min(...times.map((each) => new Date(each).getTime()), end - 3_600_000);
  return [start, end];
}
