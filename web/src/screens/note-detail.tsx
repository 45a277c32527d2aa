/** One note: what it says, how it stands, its life, where it comes from, and everything that can be done with it. */
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useAct, useSpace, useVerb } from "../api/hooks";
import type { Link as NoteLink, Note, Relation, Step } from "../api/verbs";
import { Badge, Button, Pending, Problem, Tabs, Waiting } from "../parts/basics";
import { DiffView } from "../parts/diff-view";
import { Icon } from "../parts/icons";
import { KindDot, KINDS, StateBadge } from "../parts/note";
import { clock, count, day, many, subjectName, validity, words } from "../lib/format";
import { useKeys } from "../lib/keys";
import type { Looked } from "../router";
import { useMay } from "../shell/gate";
import { EditNote, ForgetNote, ReplaceNote, RetractNote } from "./note-forms";

const LONG = 280; // letters; beyond, a text is read and no longer a headline
type Form = "edit" | "replace" | "retract" | "forget";

export function NoteDetail() {
  const { note: id = "" } = useParams({ strict: false });
  const found = useVerb("get", { note_id: id });
  if (found.error) return <div className="p-6"><Problem error={found.error} /></div>;
  if (!found.data || found.data.id !== id) return <div className="p-6 lg:p-8"><Waiting lines={6} /></div>;
  return <Detail key={id} note={found.data} />;
}

function Detail({ note }: { note: Note }) {
  const space = useSpace();
  const navigate = useNavigate();
  const looked: Looked = useSearch({ strict: false });
  const mayWrite = useMay("write");
  const [form, setForm] = useState<Form>();
  const [tab, setTab] = useState<"sources" | "life" | "links" | "usage" | "about">("sources");
  const pin = useAct(note.pinned ? "unpin" : "pin", note.pinned ? "No longer pinned." : "Pinned: it is always told first.");
  const togglePin = () => pin.mutate({ note_id: note.id });
  useKeys({ e: () => mayWrite && setForm("edit"), p: () => mayWrite && togglePin() });
  const close = () => setForm(undefined);
  return (
    <article className="mx-auto max-w-3xl px-4 pt-4 pb-28 sm:px-6 lg:px-8 lg:pt-8 lg:pb-12">
      <button
        type="button"
        className="mb-3 flex items-center gap-1 text-sm text-muted lg:hidden"
        onClick={() => void navigate({ to: `/${space}/memories`, search: looked as never })}
      >
        <Icon name="back" className="size-4" /> All memories
      </button>
      <div className="mb-3 flex flex-wrap items-center gap-2 text-sm text-muted">
        <KindDot kind={note.kind} /> {KINDS[note.kind]}
        <StateBadge state={note.state} />
        {note.authority !== "fact" && <Badge tone={note.authority === "instruction" ? "accent" : "plain"}>{note.authority}</Badge>}
        {note.pinned && <Badge tone="accent">pinned</Badge>}
        {note.review && <Badge tone="warn">to review: {note.review}</Badge>}
      </div>
      {note.title && <p className="mb-1 text-sm font-medium text-muted">{note.title}</p>}
      <h1 className={`break-words whitespace-pre-wrap ${note.text.length > LONG ? "text-base leading-relaxed" : "text-xl leading-snug font-medium tracking-tight sm:text-2xl"}`}>{note.text}</h1>
      <p className="mt-2 text-sm text-muted">{standing(note)}</p>
      {note.tags.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-1.5">
          {note.tags.map((tag) => (
            <Link key={tag} to={`/${space}/memories` as string} search={{ tag } as never}><Badge>#{tag}</Badge></Link>
          ))}
        </p>
      )}
      {mayWrite && (
        <div className="mt-5 flex flex-wrap gap-2">
          <Button icon="edit" onClick={() => setForm("edit")}>Edit</Button>
          <Button icon="swap" onClick={() => setForm("replace")} disabled={note.state !== "active"}>Replace</Button>
          <Button icon="pin" onClick={togglePin}>{note.pinned ? "Unpin" : "Pin"}</Button>
          <Button icon="undo" onClick={() => setForm("retract")} disabled={note.state === "retracted"}>Retract</Button>
          <Button icon="trash" tone="danger" onClick={() => setForm("forget")}>Forget</Button>
        </div>
      )}
      {mayWrite && <Verdict note={note} />}
      <div className="mt-7">
        <Tabs
          label="About this note"
          at={tab}
          onPick={setTab}
          tabs={[["sources", "Where it comes from"], ["life", "Life"], ["links", "Links"], ["usage", "Use"], ["about", "Details"]]}
        />
        <div className="pt-4">
          {tab === "sources" && <Sources note={note} />}
          {tab === "life" && <Life note={note} />}
          {tab === "links" && <Links note={note} />}
          {tab === "usage" && <Usage note={note} />}
          {tab === "about" && <About note={note} />}
        </div>
      </div>
      <EditNote note={note} open={form === "edit"} onClose={close} />
      <ReplaceNote note={note} open={form === "replace"} onClose={close} />
      <RetractNote note={note} open={form === "retract"} onClose={close} />
      <ForgetNote note={note} open={form === "forget"} onClose={close} />
    </article>
  );
}

function standing(note: Note): string {
  const about = subjectName(note.subject) && `${subjectName(note.subject)}${note.attribute ? `’s ${words(note.attribute)}` : ""}`;
  const when = validity(note.valid_from, note.valid_until);
  const by = note.origin.principal && `written by ${note.origin.principal}`;
  return [about, when && `true ${when}`, by, `${Math.round(note.confidence * 100)}% sure`].filter(Boolean).join("  ·  ");
}

function Verdict({ note }: { note: Note }) {
  const feedback = useAct("feedback", "Thank you. It counts from now on.");
  const say = (verdict: "useful" | "wrong" | "outdated") => feedback.mutate({ note_id: note.id, verdict });
  return (
    <div className="mt-4 flex flex-wrap items-center gap-1 text-sm text-muted">
      <span className="mr-1">Is it right?</span>
      <Button small tone="quiet" icon="check" onClick={() => say("useful")}>Useful</Button>
      <Button small tone="quiet" onClick={() => say("wrong")}>Wrong</Button>
      <Button small tone="quiet" onClick={() => say("outdated")}>Outdated</Button>
    </div>
  );
}

function quoteOf(note: Note): string {
  const said = note.metadata.said as { quote?: unknown } | undefined;
  return typeof said?.quote === "string" ? said.quote : "";
}

function Sources({ note }: { note: Note }) {
  const relations = useVerb("relations", { note_id: note.id });
  const quote = quoteOf(note);
  if (!relations.data) return <Pending of={relations} lines={3} />;
  const sources = relations.data.links.filter((link) => link.relation === "derived_from");
  if (sources.length === 0) {
    return <p className="text-sm text-muted">Written as it stands, {note.origin.principal ? `by ${note.origin.principal}, ` : ""}{clock(note.recorded_at)}, through {note.origin.channel}.</p>;
  }
  return (
    <ul className="space-y-3">
      {sources.map((source) => (
        <li key={source.id} className="rounded-xl border border-line bg-surface p-4">
          <Quoted text={source.text} quote={quote} />
          <p className="mt-2 text-xs text-muted">The message it was read from, word for word</p>
        </li>
      ))}
    </ul>
  );
}

function Quoted({ text, quote }: { text: string; quote: string }) {
  const at = quote ? text.indexOf(quote) : -1;
  if (at < 0) return <p className="break-words whitespace-pre-wrap">{text}</p>;
  return (
    <p className="break-words whitespace-pre-wrap">
      {text.slice(0, at)}
      <mark className="rounded bg-accent-soft px-0.5 text-ink">{quote}</mark>
      {text.slice(at + quote.length)}
    </p>
  );
}

/** The chain of notes that took each other's place, each with its wordings. */
function Life({ note }: { note: Note }) {
  const history = useVerb("history", { note_id: note.id });
  if (!history.data) return <Pending of={history} lines={4} />;
  return (
    <ol className="relative ml-1.5 space-y-5 border-l border-line pl-5">
      {history.data.steps.toReversed().map((step) => <LifeStep key={step.note.id} step={step} isThis={step.note.id === note.id} />)}
    </ol>
  );
}

function LifeStep({ step, isThis }: { step: Step; isThis: boolean }) {
  const space = useSpace();
  const { note, versions } = step;
  const [open, setOpen] = useState(isThis);
  const wordings = versions.filter((version, index) => index === 0 || version.text !== versions[index - 1].text || version.state !== versions[index - 1].state);
  return (
    <li>
      <span className={`absolute -left-[5px] mt-2 size-2.5 rounded-full ${note.state === "active" ? "bg-accent" : "bg-line"}`} />
      <p className="text-xs text-muted">{validity(note.valid_from, note.valid_until) || clock(note.recorded_at)}</p>
      <p className={note.state === "active" ? "" : "text-muted"}>
        {isThis ? note.text : <Link className="hover:underline" to={`/${space}/memories/${note.id}` as string}>{note.text}</Link>}
      </p>
      <div className="mt-1 flex items-center gap-2">
        <StateBadge state={note.state} />
        {wordings.length > 1 && (
          <button type="button" className="text-xs text-accent hover:underline" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "hide versions" : `${versions.length} versions`}
          </button>
        )}
      </div>
      {open && wordings.length > 1 && (
        <ol className="mt-2 space-y-2">
          {wordings.map((version, index) => (
            <li key={version.version} className="rounded-lg bg-sunken px-3 py-2 text-sm">
              <p className="mb-1 text-xs text-muted">
                Version {version.version}, {clock(version.updated_at)}
                {version.origin.principal && `, by ${version.origin.principal}`}
                {index > 0 && version.state !== wordings[index - 1].state && ` · ${version.state}`}
              </p>
              {index === 0 ? <p className="break-words">{version.text}</p> : <DiffView before={wordings[index - 1].text} after={version.text} />}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

const RELATIONS: Partial<Record<Relation, string>> = {
  supersedes: "Took the place of",
  superseded_by: "Replaced by",
  source_of: "Other notes rest on it",
  depends_on: "Depends on",
  needed_by: "Needed by",
  related: "Related",
  replaces: "Judged to replace",
  replaced_by: "Judged to be replaced by",
  ends: "Judged to end",
  ended_by: "Judged to be ended by",
  same_as: "Judged to say the same as",
  unrelated: "Judged to be unrelated to",
};

function Links({ note }: { note: Note }) {
  const relations = useVerb("relations", { note_id: note.id });
  if (!relations.data) return <Pending of={relations} lines={3} />;
  const links = relations.data.links.filter((link) => link.relation !== "derived_from");
  if (links.length === 0) return <p className="text-sm text-muted">Nothing is linked with it yet. Links come by themselves, when a newer statement changes an older one.</p>;
  return (
    <ul className="space-y-2">
      {links.map((link) => <LinkRow key={`${link.relation} ${link.id}`} note={note} link={link} />)}
    </ul>
  );
}

function LinkRow({ note, link }: { note: Note; link: NoteLink }) {
  const space = useSpace();
  const mayWrite = useMay("write");
  const refute = useAct("refute", link.refuted ? "Counts again." : "Noted: this is not a change.");
  return (
    <li className="rounded-xl border border-line bg-surface p-3.5">
      <p className="text-xs text-muted">
        {RELATIONS[link.relation] ?? words(link.relation)}
        {link.score != null && ` · ${Math.round(link.score * 100)}%`}
        {link.refuted && " · denied"}
      </p>
      {link.settled && <p className="mt-0.5 text-xs text-muted">A model says: {link.settled}</p>}
      <Link className="mt-0.5 block hover:underline" to={`/${space}/memories/${link.id}` as string}>{link.text}</Link>
      {mayWrite && link.model && (
        <Button small tone="quiet" className="mt-1 -ml-2" onClick={() => refute.mutate({ note_id: note.id, other_id: link.id, undo: link.refuted || undefined })}>
          {link.refuted ? "It is a change after all" : "Not a change"}
        </Button>
      )}
    </li>
  );
}

/** How often it was told in the last 90 days, day by day and by whom. */
function Usage({ note }: { note: Note }) {
  const usage = useVerb("usage", { note_id: note.id });
  if (usage.error) return <Problem error={usage.error} />;
  if (!usage.data || usage.data.note_id !== note.id) return <Waiting lines={3} />;
  const { lines, recalled, found, since, dropped } = usage.data;
  return (
    <>
      <p className="text-sm">
        {lines.length === 0
          ? `It was not told to anybody since ${day(since)}.`
          : `Recalled ${many(recalled, "time")} and found ${many(found, "time")} since ${day(since)}.`}
      </p>
      {lines.length > 0 && (
        <table className="mt-3 w-full text-left text-sm">
          <thead className="text-xs text-muted">
            <tr>
              <th className="py-1 font-normal">Day</th>
              <th className="font-normal">By</th>
              <th className="text-right font-normal">Recalled</th>
              <th className="text-right font-normal">Found</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={`${line.day} ${line.actor}`} className="border-t border-line">
                <td className="py-1.5">{day(line.day)}</td>
                <td className="max-w-48 truncate" title={line.actor}>{line.actor || "somebody"}</td>
                <td className="text-right tabular-nums">{count(line.recalled)}</td>
                <td className="text-right tabular-nums">{count(line.found)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {dropped > 0 && <p className="mt-2 text-xs text-muted">{many(dropped, "use")} of notes could not be counted.</p>}
    </>
  );
}

function About({ note }: { note: Note }) {
  const rows: [string, string][] = [
    ["Id", note.id],
    ["Version", String(note.version)],
    ["Written", clock(note.recorded_at)],
    ["Changed", clock(note.updated_at)],
    ["Came through", [note.origin.channel, note.origin.source].filter(Boolean).join(", ")],
    ["Authority", note.authority],
    ["Importance", note.importance.toFixed(2)],
    ["Last seen", day(note.last_seen_at)],
    ["Expires", day(note.expires_at)],
    ...Object.entries(note.scope).map(([name, value]): [string, string] => [name, value ?? ""]),
  ];
  const { said: _, ...metadata } = note.metadata;
  return (
    <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      {rows.filter(([, value]) => value).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted capitalize">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
      {Object.keys(metadata).length > 0 && (
        <>
          <dt className="text-muted">Metadata</dt>
          <dd><code className="font-mono text-xs break-words">{JSON.stringify(metadata)}</code></dd>
        </>
      )}
    </dl>
  );
}
