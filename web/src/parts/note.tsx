/** A note as lists show it, and the marks that say how it stands. */
import type { Kind, Note, State } from "../api/verbs";
import { ago, subjectName, validity, words } from "../lib/format";
import { Badge } from "./basics";
import { Icon } from "./icons";

const DOTS: Record<Kind, string> = {
  semantic: "bg-k-semantic",
  episodic: "bg-k-episodic",
  procedural: "bg-k-procedural",
  lesson: "bg-k-lesson",
  pattern: "bg-k-pattern",
};
/** The kinds in people's words. */
export const KINDS: Record<Kind, string> = {
  semantic: "Fact",
  episodic: "Event",
  procedural: "How-to",
  lesson: "Lesson",
  pattern: "Pattern",
};
const STATES: Record<State, "plain" | "good" | "warn" | "bad"> = {
  active: "good",
  superseded: "plain",
  retracted: "bad",
  expired: "plain",
  disputed: "warn",
  quarantined: "bad",
};

export function KindDot({ kind }: { kind: Kind }) {
  return <span title={KINDS[kind]} className={`inline-block size-2 shrink-0 rounded-full ${DOTS[kind]}`} />;
}

export function StateBadge({ state }: { state: State }) {
  return <Badge tone={STATES[state]}>{state}</Badge>;
}

/** The line below the text: about whom, what, since when. */
export function NoteFacts({ note }: { note: Note }) {
  const said = [
    subjectName(note.subject) && `${subjectName(note.subject)}${note.attribute ? ` · ${words(note.attribute)}` : ""}`,
    note.scope.project,
    validity(note.valid_from, note.valid_until) || ago(note.recorded_at),
  ];
  return <span className="truncate text-xs text-muted">{said.filter(Boolean).join("  ·  ")}</span>;
}

export function NoteLine({ note, wrap }: { note: Note; wrap?: boolean }) {
  return (
    <div className="min-w-0 flex-1">
      <p className={`text-[0.9375rem] leading-snug ${wrap ? "break-words" : "line-clamp-2 break-words"} ${note.state === "active" ? "" : "text-muted"}`}>
        {note.text}
      </p>
      <div className="mt-1 flex min-w-0 items-center gap-2">
        <KindDot kind={note.kind} />
        <NoteFacts note={note} />
        {note.pinned && <Icon name="pin" className="size-3.5 text-accent" />}
        {note.state !== "active" && <StateBadge state={note.state} />}
        {note.review && <Badge tone="warn">to review</Badge>}
        {note.tags.slice(0, 2).map((tag) => (
          <span key={tag} className="hidden truncate text-xs text-muted sm:inline">
            #{tag}
          </span>
        ))}
      </div>
    </div>
  );
}
