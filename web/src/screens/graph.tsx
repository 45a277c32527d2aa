/** The map of whom and what memory knows, around one of them, with what is known of the one that was chosen. */
import { useQueries } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { ask } from "../api/client";
import { useSpace, useVerb } from "../api/hooks";
import type { Entity, EntityName, EntityRelation } from "../api/verbs";
import { Badge, Button, Card, Empty, input, Page, Pending, Problem, Tabs, Waiting } from "../parts/basics";
import { many, subjectName, validity, words } from "../lib/format";
import { laidOut } from "../lib/layout";
import type { Looked } from "../router";

const MOST = 200; // names to choose from
const BUDGET = 2000; // tokens of relations around the middle; more are shown by going on from another one
const LABELLED = 16; // relations that have their word on the line; among more, only those of the chosen one
const FILLS: Record<string, string> = {
  Person: "fill-k-semantic",
  Place: "fill-k-episodic",
  Organization: "fill-k-procedural",
  Project: "fill-k-lesson",
  Tag: "fill-muted",
};
const Map3D = lazy(() => import("../parts/map-3d"));
type Asked = { ended?: boolean; as_of?: string };
const fillOf = (type: string): string => FILLS[type] ?? "fill-k-pattern";
const nameOf = (entity: EntityName): string => (entity.id === "user" ? "User" : entity.name);

export default function Graph() {
  const looked: Looked = useSearch({ strict: false });
  const navigate = useNavigate();
  const list = useVerb("graph.list", { limit: MOST, as_of: looked.at });
  const known = list.data?.items.filter((each) => subjectName(each.id)) ?? [];
  const busiest = known.toSorted((one, other) => other.note_ids.length - one.note_ids.length)[0]?.id;
  const middle = looked.subject ?? busiest;
  const look = (change: Looked) => void navigate({ to: ".", search: { ...looked, ...change } as never, replace: true });
  const isOver = looked.state === "any";
  const isSpace = looked.tab === "3d";
  const [flatFor, setFlatFor] = useState(() => (drawsSpace() ? "" : "This browser has no WebGL, which the map in 3D needs."));
  return (
    <Page
      wide
      title="Graph"
      lead={list.data && `Memory knows ${many(known.length, "name")}${list.data.next_cursor ? " and more" : ""}.`}
      aside={
        <>
          <label className="flex items-center gap-2 text-sm"><input type="checkbox" className="size-4 accent-accent" checked={isOver} onChange={(event) => look({ state: event.target.checked ? "any" : undefined })} />Also what is over</label>
          {!isSpace && <select aria-label="In the middle" className={`${input} !w-44`} disabled={!middle} value={middle ?? ""} onChange={(event) => look({ subject: event.target.value })}>
            {middle && !known.some((each) => each.id === middle) && <option value={middle}>{middle}</option>}
            {known.map((each) => <option key={each.id} value={each.id}>{nameOf(each)}</option>)}
          </select>}
          <input type="date" aria-label="As of" className={`${input} !w-40`} value={looked.at?.slice(0, 10) ?? ""} onChange={(event) => look({ at: event.target.value || undefined })} />
        </>
      }
    >
      <div className="mb-4">
        <Tabs label="Maps" at={isSpace ? "3d" : "names"} onPick={(tab) => look({ tab: tab === "3d" ? "3d" : undefined })} tabs={[["names", "Names"], ["3d", "Notes in 3D"]]} />
      </div>
      {isSpace && flatFor && <p role="status" className="mb-3 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">{flatFor} Here is the flat one.</p>}
      {isSpace && !flatFor ? (
        <Suspense fallback={<Card><Waiting lines={8} /></Card>}>
          <Map3D asked={{ as_of: looked.at, state: isOver ? "any" : undefined }} onFail={() => setFlatFor("The map in 3D could not be drawn.")} />
        </Suspense>
      ) : (
        <Names list={list} middle={middle} looked={looked} onMiddle={(subject) => look({ subject })} />
      )}
    </Page>
  );
}

function Names({ list, middle, looked, onMiddle }: { list: ReturnType<typeof useVerb<"graph.list">>; middle?: string; looked: Looked; onMiddle: (id: string) => void }) {
  return (
    <>
      {list.error && <Problem error={list.error} />}
      {!list.data && !list.error && <Card><Waiting lines={8} /></Card>}
      {list.data && !middle && (
        <Card><Empty icon="graph" title={looked.at ? "Nothing was known then" : "Nothing to draw yet"}>Facts about people, places and projects draw themselves: “My sister Ana lives in Paris.”</Empty></Card>
      )}
      {middle && <Around key={middle} middle={middle} looked={looked} onMiddle={onMiddle} />}
    </>
  );
}

/** Whether this browser can draw in space at all. */
function drawsSpace(): boolean {
  const drawing = document.createElement("canvas").getContext("webgl2");
  drawing?.getExtension("WEBGL_lose_context")?.loseContext();
  return drawing !== null;
}

/** The relations around one entity, and around those from which somebody went on. */
function Around({ middle, looked, onMiddle }: { middle: string; looked: Looked; onMiddle: (id: string) => void }) {
  const space = useSpace();
  const [chosen, setChosen] = useState(middle);
  const [opened, setOpened] = useState<string[]>([]);
  const asked: Asked = { ended: looked.state === "any" || undefined, as_of: looked.at };
  const around = useVerb("graph.around", { entity: middle, budget: BUDGET, ...asked });
  const more = useQueries({
    queries: opened.map((entity) => ({ queryKey: [space, "graph.show", { entity, ...asked }], queryFn: () => ask(space, "graph.show", { entity, ...asked }) })),
    combine: (found) => found.flatMap((each) => each.data?.relations ?? []),
  });
  if (!around.data) return <Card><Pending of={around} lines={8} /></Card>;
  const relations = begun([...new globalThis.Map([...around.data.relations, ...more].map((each) => [each.id, each])).values()], asked);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card>
        <Map entities={around.data.entities} relations={relations} chosen={chosen} onChoose={setChosen} />
        {!around.data.whole && <p className="mt-2 text-xs text-muted">There is more than this: choose one, and go on from there.</p>}
      </Card>
      <About
        key={chosen}
        id={chosen}
        asked={asked}
        onMiddle={chosen === middle ? undefined : () => onMiddle(chosen)}
        onOpen={chosen === middle || opened.includes(chosen) ? undefined : () => setOpened([...opened, chosen])}
        onChoose={setChosen}
      />
    </div>
  );
}

function Map({ entities, relations, chosen, onChoose }: { entities: EntityName[]; relations: EntityRelation[]; chosen: string; onChoose: (id: string) => void }) {
  const [ref, width] = useWidth();
  const height = Math.max(300, Math.min(560, width * 0.7));
  const names = useMemo(
    () => [...new globalThis.Map([...entities, ...relations.flatMap((each) => [each.subject, each.object])].map((each) => [each.id, each])).values()],
    [entities, relations],
  );
  const places = useMemo(() => placed(names, relations, width, height), [names, relations, width, height]);
  const nearby = relations.filter((each) => each.subject.id === chosen || each.object.id === chosen);
  const types = [...new Set(names.map((each) => each.type))];
  return (
    <div ref={ref}>
      <svg width={width} height={height} role="group" aria-label={`A map of ${many(names.length, "name")}`} className="max-w-full">
        {relations.map((each) => {
          const [a, b] = [places.get(each.subject.id), places.get(each.object.id)];
          const near = nearby.includes(each);
          if (!a || !b) return null;
          return (
            <g key={each.id}>
              <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} className={near ? "stroke-accent" : "stroke-line"} strokeWidth={1.5} strokeDasharray={each.current ? undefined : "4 4"} />
              {(near ? nearby : relations).length <= LABELLED && <text x={(a.x + b.x) / 2} y={(a.y + b.y) / 2 + 3} textAnchor="middle" className="fill-muted stroke-surface text-[10px] [paint-order:stroke]" strokeWidth={4}>{words(each.predicate)}</text>}
            </g>
          );
        })}
        {names.map((each) => {
          const at = places.get(each.id) ?? { x: 0, y: 0 };
          const press = (event: React.KeyboardEvent) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            onChoose(each.id);
          };
          return (
            <g key={each.id} role="button" tabIndex={0} aria-label={`${nameOf(each)}, ${each.type}`} aria-pressed={each.id === chosen} onClick={() => onChoose(each.id)} onKeyDown={press} className="cursor-pointer rounded outline-offset-4">
              <circle cx={at.x} cy={at.y} r={each.id === chosen ? 10 : 7} className={`${fillOf(each.type)} ${each.id === chosen ? "stroke-accent-soft" : ""}`} strokeWidth={6} />
              <text x={at.x} y={at.y - 14} textAnchor="middle" className="fill-ink stroke-surface text-[12px] font-medium [paint-order:stroke]" strokeWidth={4}>{short(nameOf(each))}</text>
            </g>
          );
        })}
      </svg>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        {types.map((type) => (
          <span key={type} className="flex items-center gap-1.5"><svg viewBox="0 0 8 8" className="size-2" aria-hidden><circle cx="4" cy="4" r="4" className={fillOf(type)} /></svg>{type}</span>
        ))}
      </p>
    </div>
  );
}

/** One entity: its attributes, and its relations with the notes that say so. */
function About({ id, asked, onMiddle, onOpen, onChoose }: { id: string; asked: Asked; onMiddle?: () => void; onOpen?: () => void; onChoose: (id: string) => void }) {
  const space = useSpace();
  const shown = useVerb("graph.show", { entity: id, ...asked });
  if (!shown.data || shown.isPlaceholderData) return <Card><Pending of={shown} lines={5} /></Card>;
  const { entity, similar } = shown.data;
  const relations = begun(shown.data.relations, asked);
  return (
    <Card title={<span className="break-words">{nameOf(entity)}</span>} aside={entity.type}>
      {(onMiddle || onOpen) && (
        <p className="mb-3 flex flex-wrap gap-1.5">
          {onOpen && <Button small icon="plus" onClick={onOpen}>Go on from here</Button>}
          {onMiddle && <Button small tone="quiet" onClick={onMiddle}>Put in the middle</Button>}
        </p>
      )}
      {entity.aliases.length > 0 && <p className="mb-2 text-sm text-muted">Also called {entity.aliases.join(", ")}</p>}
      <Attributes entity={entity} />
      <ul className="divide-y divide-line text-sm">
        {relations.map((each) => {
          const other = each.subject.id === entity.id ? each.object : each.subject;
          return (
            <li key={each.id} className={`py-2 ${each.current ? "" : "text-muted"}`}>
              <span className="text-muted">{other === each.object ? words(each.predicate) : `${words(each.predicate)} of`}</span>{" "}
              <button type="button" className="font-medium break-words hover:underline" onClick={() => onChoose(other.id)}>{nameOf(other)}</button>
              <span className="block text-xs text-muted">
                {validity(each.valid_from, each.valid_to)}{!each.current && " · over"}{each.review && " · "}{each.review && <Badge tone="warn">to review</Badge>}
                {each.evidence.map((note, index) => <Link key={note} className="ml-1.5 text-accent underline" to={`/${space}/memories/${note}` as string}>{index ? index + 1 : "note"}</Link>)}
              </span>
            </li>
          );
        })}
      </ul>
      {relations.length === 0 && <p className="text-sm text-muted">Nothing ties it to anybody.</p>}
      {similar.length > 0 && <p className="mt-3 text-xs text-muted">Perhaps the same: {similar.map(nameOf).join(", ")}</p>}
    </Card>
  );
}

function Attributes({ entity }: { entity: Entity }) {
  const said = Object.entries(entity.attributes);
  if (said.length === 0) return null;
  return (
    <dl className="mb-2 space-y-1 text-sm">
      {said.map(([name, values]) => (
        <div key={name}><dt className="inline text-muted">{words(name)}</dt> <dd className="inline break-words">{values.join(", ")}</dd></div>
      ))}
    </dl>
  );
}

/** Without what began only after the day that was asked about. */
const begun = (relations: EntityRelation[], { as_of: at }: Asked): EntityRelation[] =>
  relations.filter((each) => !at || !each.valid_from || each.valid_from <= at);

const short = (name: string): string => (name.length > 24 ? `${name.slice(0, 23)}…` : name);

/** Where each stands, in pixels: as the forces lay them out, stretched to fill the room and kept off its edges. */
function placed(names: EntityName[], relations: EntityRelation[], width: number, height: number) {
  const place = new globalThis.Map(names.map((each, index) => [each.id, index]));
  const links = relations.map((each) => [place.get(each.subject.id) ?? 0, place.get(each.object.id) ?? 0] as [number, number]);
  const points = laidOut(names.map((each) => each.id), links.filter(([one, other]) => one !== other));
  const spread = (values: number[], room: number, edge: number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (value: number) => (high - low < 1 ? room / 2 : edge + ((value - low) / (high - low)) * (room - 2 * edge));
  };
  const [x, y] = [spread(points.map((each) => each.x), width, 60), spread(points.map((each) => each.y), height, 36)];
  return new globalThis.Map(points.map((each) => [each.id, { x: x(each.x), y: y(each.y) }]));
}

/** How wide an element is, now and whenever that changes. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (!ref.current) return undefined;
    const watching = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.floor(entry.contentRect.width))));
    watching.observe(ref.current);
    return () => watching.disconnect();
  }, []);
  return [ref, width] as const;
}
