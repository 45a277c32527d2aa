/** One question under two settings, side by side, with what differs marked. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSpace, useVerb } from "../api/hooks";
import type { Hit } from "../api/verbs";
import { changesOf, overlap, type Change } from "../lib/comparison";
import { count, many } from "../lib/format";
import { settingsOf, unlike, withSettings, type Address, type Settings, type Side } from "../lib/settings";
import { AnswerView } from "../parts/answer";
import { Badge, Card, Problem, Waiting } from "../parts/basics";
import { DiffView } from "../parts/diff-view";
import { NoteLine } from "../parts/note";
import { SettingsForm } from "../parts/settings-form";

const NAMES: Record<keyof Settings, string> = { as_of: "the day that is asked about", known_at: "the day of the knowledge", kind: "kind", state: "state", subject: "whom it is about", project: "project", tag: "tag", without: "the models that take part" };

export function Compare({ question, address, onLook }: { question: string; address: Address; onLook: (address: Address) => void }) {
  const [left, right] = [settingsOf(address, ""), settingsOf(address, "b_")];
  const [one, other] = [useSide(question, left), useSide(question, right)];
  const differing = unlike(left, right);
  const column = (name: string, side: Side, settings: Settings, here: Asked, there: Asked) => (
    <section aria-label={name} className="min-w-0 space-y-3">
      <Card title={name}><SettingsForm settings={settings} onChange={(change) => onLook(withSettings(address, side, change))} /></Card>
      <Found here={here} there={there} />
    </section>
  );
  return (
    <div className="mt-5 space-y-4">
      <p role="status" className="text-sm text-muted">
        {differing.length === 0 ? "Both sides are the same: change a setting of one of them." : `They differ in ${differing.map((each) => NAMES[each]).join(", ")}. `}
        {differing.length > 0 && <Shares one={one} other={other} />}
      </p>
      <div className="grid items-start gap-4 md:grid-cols-2">
        {column("First", "", left, one, other)}
        {column("Second", "b_", right, other, one)}
      </div>
      {one.recall.data && other.recall.data && (
        <Card title="The block that an agent would get" aside={`${count(one.recall.data.tokens)} and ${count(other.recall.data.tokens)} tokens`}>
          <div className="max-h-96 overflow-y-auto text-sm" tabIndex={0} role="group" aria-label="The difference of the two blocks">
            <DiffView before={one.recall.data.block} after={other.recall.data.block} />
          </div>
        </Card>
      )}
    </div>
  );
}

function useSide(question: string, settings: Settings) {
  return {
    answer: useVerb("answer", { question, ...settings }),
    search: useVerb("search", { query: question, limit: 10, ...settings }),
    recall: useVerb("recall", { query: question, ...settings }),
  };
}
type Asked = ReturnType<typeof useSide>;

const idOf = (hit: Hit): string => hit.note?.id ?? hit.observation?.id ?? "";
const idsOf = (asked: Asked): string[] | undefined => asked.search.data?.hits.map(idOf);

function Shares({ one, other }: { one: Asked; other: Asked }) {
  const [left, right] = [idsOf(one), idsOf(other)];
  if (!left || !right) return null;
  const shared = overlap(left, right);
  return <>{many(shared.both, "hit")} on both sides, {count(shared.one)} only in the first, {count(shared.other)} only in the second.</>;
}

function Found({ here, there }: { here: Asked; there: Asked }) {
  const error = here.answer.error ?? here.search.error;
  if (error) return <Problem error={error} />;
  if (!here.answer.data || !here.search.data) return <Card><Waiting lines={5} /></Card>;
  const said = there.answer.data && new Set(there.answer.data.sentences.map((each) => each.text));
  const theirs = idsOf(there);
  const changes = theirs && changesOf(here.search.data.hits.map(idOf), theirs);
  return (
    <>
      <Card><AnswerView small answer={here.answer.data} isOther={said && ((sentence) => !said.has(sentence.text))} /></Card>
      {here.search.data.hits.length === 0 && <p className="px-1 text-sm text-muted">Nothing was found.</p>}
      <ol className="space-y-2">
        {here.search.data.hits.map((hit) => <HitRow key={idOf(hit)} hit={hit} change={changes?.get(idOf(hit))} />)}
      </ol>
    </>
  );
}

function HitRow({ hit, change }: { hit: Hit; change?: Change }) {
  const space = useSpace();
  return (
    <li className={`rounded-xl border bg-surface px-3.5 py-3 ${change?.kind === "only" ? "border-accent" : "border-line"}`}>
      {hit.note ? (
        <Link to={`/${space}/memories/${hit.note.id}` as string} className="block hover:underline"><NoteLine note={hit.note} /></Link>
      ) : (
        <p className="line-clamp-3 break-words">{hit.observation?.text} <span className="text-xs text-muted">a message</span></p>
      )}
      <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-xs text-muted tabular-nums">
        {hit.score.toFixed(2)} {marked(change)} {hit.why.slice(0, 2).map((each) => <Badge key={each}>{each}</Badge>)}
      </p>
    </li>
  );
}

function marked(change?: Change): ReactNode {
  switch (change?.kind) {
    case "only":
      return <Badge tone="accent">only here</Badge>;
    case "up":
      return <Badge tone="good">{many(change.by, "place")} higher</Badge>;
    case "down":
      return <Badge tone="warn">{many(change.by, "place")} lower</Badge>;
    default:
      return null;
  }
}
