/** Every note: search as you type, filters with their counts, a list of any length, and beside it the one that is open. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { ask, type ServerProblem, type Takes } from "../api/client";
import { useSpace, useVerb } from "../api/hooks";
import type { Note } from "../api/verbs";
import { Button, Empty, input, Kbd, Problem, Waiting } from "../parts/basics";
import { Icon } from "../parts/icons";
import { Pick } from "../parts/pick";
import { KINDS, NoteLine } from "../parts/note";
import { count, many, subjectName } from "../lib/format";
import { useDelayed } from "../lib/delay";
import { useKeys } from "../lib/keys";
import { settingsOf, WHILE_TYPING } from "../lib/settings";
import type { Looked } from "../router";
import { useMay } from "../shell/gate";
import { BulkBar } from "./bulk-bar";
import { NewNote } from "./note-forms";

type Filters = Pick<Takes<"list">, "kind" | "state" | "tag" | "subject" | "project" | "pinned" | "as_of" | "known_at">;
const PAGE = 60;
const ROW = 70; // pixels of a row of two lines

export default function Memories() {
  const open = useParams({ strict: false }).note;
  const looked: Looked = useSearch({ strict: false });
  const filters = useMemo(() => filtersOf(looked), [looked]);
  return (
    <div className="lg:grid lg:h-dvh lg:grid-cols-[minmax(20rem,27rem)_minmax(0,1fr)]">
      <section aria-label="List of memories" className={`${open ? "hidden lg:flex" : "flex"} h-[calc(100dvh-3.25rem)] min-h-0 flex-col border-line lg:h-dvh lg:border-r`}>
        <List filters={filters} looked={looked} open={open} />
      </section>
      <section aria-label="Memory" className={`${open ? "" : "hidden lg:block"} min-w-0 overflow-y-auto lg:h-dvh`}>
        {open ? <Outlet /> : <Nothing />}
      </section>
    </div>
  );
}

const filtersOf = (looked: Looked): Filters => ({ ...settingsOf({ ...looked, without: undefined }, ""), pinned: looked.pinned === "true" ? true : undefined });

function List({ filters, looked, open }: { filters: Filters; looked: Looked; open?: string }) {
  const space = useSpace();
  const navigate = useNavigate();
  const mayWrite = useMay("write");
  const [typed, setTyped] = useState(looked.q ?? "");
  const [creating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const query = useDelayed(typed.trim(), 120);
  useEffect(() => {
    if ((looked.q ?? "") !== query) look({ q: query });
  }, [query]);

  const look = (change: Looked) =>
    void navigate({ to: ".", search: { ...looked, ...change } as never, replace: true });
  const found = useNotes(query, filters);
  const notes = found.notes;
  const at = notes.findIndex((note) => note.id === open);
  const [marked, setMarked] = useState(0);
  const shown = at >= 0 ? at : Math.min(marked, Math.max(0, notes.length - 1));
  const goTo = (index: number) => {
    const note = notes[index];
    if (!note) return;
    setMarked(index);
    void navigate({ to: `/${space}/memories/${note.id}`, search: looked as never });
  };
  const choose = (id: string) =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  useKeys({
    j: () => goTo(at < 0 ? shown : shown + 1),
    k: () => goTo(shown - 1),
    x: () => notes[shown] && choose(notes[shown].id),
    n: () => mayWrite && setCreating(true),
    Enter: () => goTo(shown),
    Escape: () => (chosen.size ? setChosen(new Set()) : void navigate({ to: `/${space}/memories`, search: looked as never })),
  });

  return (
    <>
      <div className="space-y-2.5 border-b border-line p-3 sm:p-4">
        <div className="flex items-center gap-2">
          <h1 className="mr-auto text-lg font-semibold tracking-tight">Memories</h1>
          <span className="text-xs text-muted tabular-nums">{found.total !== undefined && many(found.total, "note")}</span>
          {mayWrite && <Button small icon="plus" onClick={() => setCreating(true)}>New</Button>}
        </div>
        <div className="relative">
          <Icon name="search" className="pointer-events-none absolute top-2.75 left-3 size-4 text-muted" />
          <input
            data-search
            type="search"
            aria-label="Search memories"
            placeholder="Search, in your own words"
            className={`${input} pl-9`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown" || event.key === "Enter") {
                event.preventDefault();
                event.currentTarget.blur();
                goTo(at < 0 ? 0 : at);
              }
              if (event.key === "Escape") event.currentTarget.blur();
            }}
          />
          {!typed && <span className="absolute top-2 right-3 hidden sm:block"><Kbd>/</Kbd></span>}
        </div>
        <FilterRow filters={filters} look={look} isReady={!found.isLoading} />
      </div>
      {chosen.size > 0 && <BulkBar notes={notes.filter((note) => chosen.has(note.id))} onDone={() => setChosen(new Set())} />}
      {found.error ? (
        <div className="p-4"><Problem error={found.error} /></div>
      ) : found.isLoading ? (
        <div className="p-4"><Waiting lines={9} /></div>
      ) : notes.length === 0 ? (
        <NoMatch query={query} isFiltered={Object.values(filters).some(Boolean)} clear={() => { setTyped(""); void navigate({ to: `/${space}/memories` }); }} />
      ) : (
        <Rows notes={notes} at={shown} open={open} chosen={chosen} choose={choose} goTo={goTo} more={found.more} />
      )}
      <NewNote open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

/** Notes of a list or of a search, page after page. */
function useNotes(query: string, filters: Filters) {
  const space = useSpace();
  const pages = useInfiniteQuery({
    queryKey: [space, "list", filters],
    queryFn: ({ pageParam, signal }) => ask(space, "list", { ...filters, limit: PAGE, cursor: pageParam, total: pageParam === undefined }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    enabled: query === "",
    placeholderData: keepPreviousData,
  });
  const hits = useVerb("search", { query, limit: 50, without: WHILE_TYPING, ...filters }, { enabled: query !== "" });
  const source = query ? hits : pages;
  const notes = useMemo<Note[]>(() => {
    const all = query
      ? (hits.data?.hits.flatMap((hit) => (hit.note ? [hit.note] : [])) ?? [])
      : (pages.data?.pages.flatMap((page) => page.items) ?? []);
    return [...new Map(all.map((note) => [note.id, note])).values()];
  }, [query, hits.data, pages.data]);
  return {
    notes,
    total: query ? notes.length : (pages.data?.pages[0].total ?? undefined),
    isLoading: source.isLoading,
    error: source.error as ServerProblem | null,
    more: () => {
      if (!query && pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
    },
  };
}

interface RowsProps {
  notes: Note[];
  at: number;
  open?: string;
  chosen: ReadonlySet<string>;
  choose: (id: string) => void;
  goTo: (index: number) => void;
  more: () => void;
}

function Rows({ notes, at, open, chosen, choose, goTo, more }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: notes.length, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 12 });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= notes.length - 15) more();
  }, [last, notes.length]);
  useEffect(() => {
    if (open) rows.scrollToIndex(at);
  }, [at, open]);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto pb-20 lg:pb-0" tabIndex={-1}>
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map((row) => {
          const note = notes[row.index];
          const isOpen = note.id === open;
          return (
            <li
              key={note.id}
              ref={rows.measureElement}
              data-index={row.index}
              className={`absolute inset-x-0 top-0 flex border-b border-line/70 ${isOpen ? "bg-accent-soft" : row.index === at ? "bg-sunken/60" : ""}`}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <label className="flex items-start py-3.5 pl-3 sm:pl-4">
                <input
                  type="checkbox"
                  aria-label={`Choose: ${note.text.slice(0, 60)}`}
                  className="size-4 accent-accent"
                  checked={chosen.has(note.id)}
                  onChange={() => choose(note.id)}
                />
              </label>
              <button
                type="button"
                aria-current={isOpen ? "true" : undefined}
                onClick={() => goTo(row.index)}
                className="flex min-w-0 flex-1 px-3 py-3 text-left hover:bg-sunken/60"
              >
                <NoteLine note={note} />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const STATES = ["active", "superseded", "disputed", "retracted", "expired", "quarantined", "any"];

/** The filters. Counting is the longer work among many notes, so it begins when the list is there. */
function FilterRow({ filters, look, isReady }: { filters: Filters; look: (change: Looked) => void; isReady: boolean }) {
  const { kind, state, tag, subject, project, pinned, ...time } = filters;
  const facets = useVerb("count", { by: ["kind", "tag", "subject", "project"], state: state ?? undefined, ...time }, { enabled: isReady });
  const by = facets.data?.by ?? {};
  const options = (name: string, label = (value: string) => value) =>
    Object.entries(by[name] ?? {})
      .filter(([value]) => label(value) !== "")
      .map(([value, times]) => [value, `${label(value)} (${count(times)})`] as const);
  return (
    <div className="flex flex-wrap gap-1.5">
      <Pick label="Kind" at={kind} options={options("kind", (value) => KINDS[value as keyof typeof KINDS] ?? value)} pick={(value) => look({ kind: value })} />
      <Pick label="State" at={state} options={STATES.map((value) => [value, value] as const)} pick={(value) => look({ state: value })} />
      <Pick label="About" at={subject} options={options("subject", subjectName)} pick={(value) => look({ subject: value })} />
      <Pick label="Tag" at={tag} options={options("tag")} pick={(value) => look({ tag: value })} />
      <Pick label="Project" at={project} options={options("project")} pick={(value) => look({ project: value })} />
      <button
        type="button"
        aria-pressed={!!pinned}
        onClick={() => look({ pinned: pinned ? undefined : "true" })}
        className="h-7 rounded-md border border-line px-2 text-xs text-muted hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
      >
        Pinned
      </button>
    </div>
  );
}

function NoMatch({ query, isFiltered, clear }: { query: string; isFiltered: boolean; clear: () => void }) {
  if (query || isFiltered) {
    return (
      <Empty icon="search" title="Nothing found" action={<Button onClick={clear}>Clear search and filters</Button>}>
        {query ? "Other words may find it: search goes by meaning as well as by words." : "No note has all of these."}
      </Empty>
    );
  }
  return (
    <Empty icon="memories" title="No memories yet">
      Write one with <Kbd>n</Kbd>, or tell it something on the Teach screen.
    </Empty>
  );
}

function Nothing() {
  return (
    <div className="grid h-full place-items-center">
      <Empty icon="memories" title="Choose a memory">
        <Kbd>j</Kbd> and <Kbd>k</Kbd> go through the list, <Kbd>/</Kbd> searches, <Kbd>?</Kbd> shows all keys.
      </Empty>
    </div>
  );
}
