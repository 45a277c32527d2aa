/** Notes in space, with projects as hubs and colours by kind. Turned with the mouse, a finger or the arrow keys. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { ask, type ServerProblem } from "../api/client";
import { useSpace } from "../api/hooks";
import type { Kind, Note, Page_Note } from "../api/verbs";
import { count, many } from "../lib/format";
import { farthest, FIRST, fitted, mapped, onScreen, pointAt, turned, zoomed, type Camera, type SpaceMap } from "../lib/space-map";
import { Button, Card, Empty, Problem, Waiting } from "./basics";
import { KINDS, NoteLine } from "./note";
import { SpaceCanvas, type Colour, type Scene } from "./space-canvas";
import { useTheme } from "../shell/theme";

const PAGE = 200;
const PAGES = 10; // fetched by themselves; more when somebody asks
const NAMED = 12; // hubs that have their name on the map
const LISTED = 30; // notes of a hub beside the map
const KEYS: Record<string, [number, number, number]> = {
  ArrowLeft: [-0.15, 0, 1],
  ArrowRight: [0.15, 0, 1],
  ArrowUp: [0, 0.12, 1],
  ArrowDown: [0, -0.12, 1],
  "+": [0, 0, 0.85],
  "-": [0, 0, 1.18],
};
export interface Asked {
  as_of?: string;
  state?: "any";
}

export default function Map3D({ asked, onFail }: { asked: Asked; onFail: () => void }) {
  const { notes, more, isWhole, error } = useNotes(asked);
  const [hidden, setHidden] = useState<ReadonlySet<Kind>>(new Set());
  const [chosen, setChosen] = useState<{ note?: Note; hub?: string }>({});
  const map = useMemo(() => mapped(notes?.map((note) => note.scope.project) ?? []), [notes]);
  if (error) return <Problem error={error} />;
  if (!notes) return <Card><Waiting lines={8} /></Card>;
  if (notes.length === 0) return <Card><Empty icon="graph" title="Nothing to draw yet">Each note becomes a point, near those of its project.</Empty></Card>;
  const toggle = (kind: Kind) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setHidden(next);
  };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card className="relative">
        <View notes={notes} map={map} hidden={hidden} chosen={chosen} onChoose={setChosen} onFail={onFail} />
        <Legend notes={notes} hidden={hidden} toggle={toggle} />
        {!isWhole && <p className="mt-2 flex items-center gap-2 text-xs text-muted">The newest {count(notes.length)} are drawn. {more && <Button small tone="quiet" onClick={more}>Draw more</Button>}</p>}
      </Card>
      <Beside notes={notes} map={map} chosen={chosen} onHub={(hub) => setChosen({ hub })} />
    </div>
  );
}

/** Notes, page after page, until there are many; the newest first. */
function useNotes(asked: Asked) {
  const space = useSpace();
  const [most, setMost] = useState(PAGES);
  const pages = useInfiniteQuery<Page_Note, ServerProblem, { pages: Page_Note[] }, unknown[], string | undefined>({
    queryKey: [space, "list", "in space", asked],
    queryFn: ({ pageParam, signal }) => ask(space, "list", { ...asked, limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  const held = pages.data?.pages;
  const isOn = pages.hasNextPage && !pages.isFetching && !pages.error && (held?.length ?? 0) < most;
  useEffect(() => {
    if (isOn) void pages.fetchNextPage();
  }, [isOn, held]);
  const notes = useMemo(() => held?.flatMap((page) => page.items), [held]);
  return { notes, error: pages.error, isWhole: !pages.hasNextPage, more: pages.isFetching ? undefined : () => setMost(most + PAGES) };
}

const nameOf = (hub: string): string => hub || "no project";

function View({ notes, map, hidden, chosen, onChoose, onFail }: {
  notes: Note[];
  map: SpaceMap;
  hidden: ReadonlySet<Kind>;
  chosen: { note?: Note; hub?: string };
  onChoose: (chosen: { note?: Note; hub?: string }) => void;
  onFail: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<SpaceCanvas>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const moved = useRef(0);
  const isTouched = useRef(false); // by a person, who has then chosen where to look from
  const [camera, setCamera] = useState<Camera>(FIRST);
  const [size, setSize] = useState({ width: 600, height: 420 });
  const colours = useColours();
  const scene = useMemo(() => sceneOf(notes, map, colours, hidden, chosen), [notes, map, colours, hidden, chosen]);

  const fit = () => {
    const hub = map.hubs.find((each) => each.name === chosen.hub);
    const points = hub ? hub.notes.map((index) => map.places[index]) : map.places;
    isTouched.current = false;
    setCamera((now) => fitted({ ...now, middle: hub?.at ?? [0, 0, 0] }, points, size.width, size.height));
  };
  useEffect(fit, [chosen.hub]);
  useEffect(() => {
    if (!isTouched.current) fit();
  }, [map, size]);
  const look = (change: (now: Camera) => Camera) => {
    isTouched.current = true;
    setCamera(change);
  };
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    try {
      drawn.current = new SpaceCanvas(element);
    } catch {
      onFail();
      return undefined;
    }
    const lost = () => onFail();
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      look((now) => zoomed(now, Math.exp(event.deltaY * 0.0012), map.radius));
    };
    const watching = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watching.observe(element);
    element.addEventListener("webglcontextlost", lost);
    element.addEventListener("wheel", zoom, { passive: false });
    return () => {
      watching.disconnect();
      element.removeEventListener("webglcontextlost", lost);
      element.removeEventListener("wheel", zoom);
      drawn.current?.end();
      drawn.current = null;
    };
  }, [map.radius]);
  useEffect(() => drawn.current?.show(scene), [scene, map.radius]);
  useEffect(() => drawn.current?.draw(camera, farthest(map.radius)), [scene, camera, size]);

  const press = (event: KeyboardEvent) => {
    const way = KEYS[event.key];
    if (event.key === "0" || event.key === "Escape") fit();
    else if (way) look((now) => zoomed(turned(now, way[0], way[1]), way[2], map.radius));
    else return;
    event.preventDefault();
  };
  const down = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved.current = 0;
  };
  const move = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved.current += Math.hypot(dx, dy);
    if (!other) look((now) => turned(now, dx * -0.007, dy * 0.007));
    else look((now) => zoomed(now, Math.hypot(before.x - other.x, before.y - other.y) / Math.max(1, Math.hypot(event.clientX - other.x, event.clientY - other.y)), map.radius));
  };
  const up = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!fingers.current.delete(event.pointerId) || moved.current > 6) return;
    const box = event.currentTarget.getBoundingClientRect();
    const shown = notes.map((note, index) => (hidden.has(note.kind) ? undefined : index)).filter((index) => index !== undefined);
    const found = pointAt(shown.map((index) => map.places[index]), camera, box.width, box.height, event.clientX - box.left, event.clientY - box.top);
    if (found !== undefined) onChoose({ note: notes[shown[found]] });
  };
  return (
    <div className="relative overflow-hidden rounded-xl bg-sunken">
      <canvas
        ref={canvas}
        role="application"
        tabIndex={0}
        aria-label={`A map of ${many(notes.length, "note")} in ${many(map.hubs.filter((hub) => hub.name).length, "project")}. Arrow keys turn it, plus and minus zoom, zero shows all.`}
        className="block h-[min(62dvh,34rem,95vw)] w-full cursor-grab touch-none outline-offset-[-3px] active:cursor-grabbing"
        onKeyDown={press}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={(event) => fingers.current.delete(event.pointerId)}
      />
      {map.hubs.slice(0, NAMED).map((hub) => {
        const at = onScreen(hub.at, camera, size.width, size.height);
        if (!at || at.x < 0 || at.y < 0 || at.x > size.width || at.y > size.height) return null;
        return (
          <span key={hub.name} aria-hidden className="pointer-events-none absolute max-w-40 -translate-x-1/2 truncate rounded-md bg-surface/85 px-1.5 py-px text-xs font-medium" style={{ left: at.x, top: at.y + 8 }}>
            {nameOf(hub.name)}
          </span>
        );
      })}
    </div>
  );
}

const KIND_NAMES = Object.keys(KINDS) as Kind[];
const DOTS: Record<Kind, string> = { semantic: "bg-k-semantic", episodic: "bg-k-episodic", procedural: "bg-k-procedural", lesson: "bg-k-lesson", pattern: "bg-k-pattern" };

function Legend({ notes, hidden, toggle }: { notes: Note[]; hidden: ReadonlySet<Kind>; toggle: (kind: Kind) => void }) {
  return (
    <div role="group" aria-label="Kinds" className="mt-3 flex flex-wrap gap-1.5">
      {KIND_NAMES.map((kind) => {
        const held = notes.filter((note) => note.kind === kind).length;
        if (held === 0) return null;
        return (
          <button key={kind} type="button" aria-pressed={!hidden.has(kind)} onClick={() => toggle(kind)} className="flex h-7 items-center gap-1.5 rounded-md border border-line px-2 text-xs text-muted hover:bg-sunken aria-pressed:text-ink">
            <span className={`size-2 rounded-full ${DOTS[kind]} ${hidden.has(kind) ? "opacity-25" : ""}`} />
            {KINDS[kind]} {count(held)}
          </button>
        );
      })}
    </div>
  );
}

/** The chosen note; else the notes of the chosen hub; else all hubs. The way through the map for whoever sees none. */
function Beside({ notes, map, chosen, onHub }: { notes: Note[]; map: SpaceMap; chosen: { note?: Note; hub?: string }; onHub: (hub?: string) => void }) {
  const space = useSpace();
  const hub = map.hubs.find((each) => each.name === (chosen.note ? (chosen.note.scope.project ?? "") : chosen.hub));
  const line = (note: Note) => <Link to={`/${space}/memories/${note.id}` as string} className="-mx-2 block rounded-lg px-2 py-2 hover:bg-sunken"><NoteLine note={note} /></Link>;
  return (
    <div className="space-y-4">
      {chosen.note && <Card title="Chosen">{line(chosen.note)}</Card>}
      {hub ? (
        <Card title={<span className="break-words">{nameOf(hub.name)}</span>} aside={many(hub.notes.length, "note")}>
          <Button small tone="quiet" icon="back" className="mb-2 -ml-2" onClick={() => onHub(undefined)}>All projects</Button>
          <ul className="max-h-96 overflow-y-auto">
            {hub.notes.slice(0, LISTED).map((index) => <li key={notes[index].id}>{line(notes[index])}</li>)}
          </ul>
          {hub.notes.length > LISTED && <Link className="mt-2 block text-sm text-accent hover:underline" to={`/${space}/memories` as string} search={{ project: hub.name || undefined } as never}>All of them</Link>}
        </Card>
      ) : (
        <Card title="Projects" aside={count(map.hubs.filter((each) => each.name).length)}>
          <ul className="-mx-2 max-h-128 overflow-y-auto">
            {map.hubs.map((each) => (
              <li key={each.name}>
                <button type="button" onClick={() => onHub(each.name)} className="flex w-full items-baseline justify-between gap-3 rounded-lg px-2 py-1.5 text-left text-sm hover:bg-sunken">
                  <span className="min-w-0 truncate">{nameOf(each.name)}</span>
                  <span className="text-xs text-muted tabular-nums">{count(each.notes.length)}</span>
                </button>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

type Colours = Record<Kind | "hub" | "line" | "chosen", Colour>;

function sceneOf(notes: Note[], map: SpaceMap, colours: Colours, hidden: ReadonlySet<Kind>, chosen: { note?: Note }): Scene {
  return {
    lines: map.hubs.flatMap((hub) => hub.notes.map((index) => ({ from: hub.at, to: map.places[index], colour: colours.line }))),
    points: [
      ...map.hubs.map((hub) => ({ at: hub.at, colour: colours.hub, size: 0.5, isFaint: false })),
      ...notes.map((note, index) => {
        const isChosen = note.id === chosen.note?.id;
        return { at: map.places[index], colour: isChosen ? colours.chosen : colours[note.kind], size: isChosen ? 0.6 : 0.3, isFaint: hidden.has(note.kind) };
      }),
    ],
  };
}

/** The tokens as numbers, again when light becomes dark. */
function useColours(): Colours {
  const theme = useTheme();
  const [isDark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const tell = () => setDark(system.matches);
    system.addEventListener("change", tell);
    return () => system.removeEventListener("change", tell);
  }, []);
  return useMemo(() => {
    const probe = document.body.appendChild(document.createElement("span"));
    const read = (token: string): Colour => {
      probe.style.color = `var(--${token})`;
      const [red, green, blue] = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).map((each) => Number(each) / 255);
      return [red ?? 0, green ?? 0, blue ?? 0];
    };
    const kinds = Object.fromEntries(KIND_NAMES.map((kind) => [kind, read(`k-${kind}`)])) as Record<Kind, Colour>;
    const colours = { ...kinds, hub: read("muted"), line: read("muted"), chosen: read("ink") };
    probe.remove();
    return colours;
  }, [theme, isDark]);
}
