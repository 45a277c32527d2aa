/** Ask memory: the answer with its citations, the hits with their reasons, and the block exactly as an agent gets it. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState, type FormEvent } from "react";
import { useAct, useSpace, useVerb } from "../api/hooks";
import type { Explanation, Hit } from "../api/verbs";
import { AnswerView } from "../parts/answer";
import { Badge, Button, Card, Code, Copied, Empty, Field, input, Page, Pending, Problem, Tabs } from "../parts/basics";
import { Icon } from "../parts/icons";
import { NoteLine } from "../parts/note";
import { count, many, words } from "../lib/format";
import { settingsOf, WHILE_TYPING, withoutSecond, withSettings, type Address, type Settings } from "../lib/settings";
import { SettingsForm } from "../parts/settings-form";
import { useMay } from "../shell/gate";
import { Compare } from "./ask-compare";

export default function Ask() {
  const looked: Address = useSearch({ strict: false });
  const navigate = useNavigate();
  const [typed, setTyped] = useState(looked.q ?? "");
  const question = looked.q ?? "";
  const isTwo = looked.two === "yes";
  const settings = settingsOf(looked, "");
  const look = (search: Address) => void navigate({ to: ".", search: search as never, replace: true });
  useEffect(() => setTyped(question), [question]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: ".", search: { ...looked, q: typed.trim() } as never });
  };
  return (
    <Page
      wide={isTwo}
      title="Ask"
      lead="The answer that an agent would get, and how it came about."
      aside={
        <Button small icon="swap" aria-pressed={isTwo} onClick={() => look(isTwo ? withoutSecond(looked) : { ...looked, two: "yes" })}>
          {isTwo ? "One setting" : "Compare two settings"}
        </Button>
      }
    >
      <form onSubmit={submit} className="flex gap-2">
        <div className="relative flex-1">
          <Icon name="question" className="pointer-events-none absolute top-3 left-3.5 text-muted" />
          <input
            data-search
            autoFocus
            aria-label="Question"
            className={`${input} h-11 rounded-xl pl-11 text-base`}
            placeholder="Where do I live?"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button tone="accent" type="submit" className="h-11 rounded-xl" disabled={!typed.trim()}>Ask</Button>
      </form>
      {!isTwo && <div className="mt-3 px-1"><SettingsForm settings={settings} onChange={(change) => look(withSettings(looked, "", change))} /></div>}
      {question && isTwo ? (
        <Compare question={question} address={looked} onLook={look} />
      ) : question ? (
        <Answered key={question} question={question} settings={settings} />
      ) : (
        <Empty icon="question" title="Ask anything it may know">
          Each sentence of an answer says which memory it rests on. Where nothing is known, it says so and makes nothing up.
        </Empty>
      )}
    </Page>
  );
}

function Answered({ question, settings }: { question: string; settings: Settings }) {
  const [tab, setTab] = useState<"hits" | "block" | "why" | "whynot">("hits");
  const answer = useVerb("answer", { question, ...settings });
  // An answer waits for no other writer, and comes without a receipt where it met one.
  const recall = useVerb("recall", { query: question, ...settings }, { isWhole: (told) => tab !== "why" || Boolean(told.receipt) });
  const search = useVerb("search", { query: question, limit: 10, explain: true, ...settings });
  return (
    <div className="mt-5 space-y-5">
      <Card>{answer.data ? <AnswerView answer={answer.data} /> : <Pending of={answer} lines={2} />}</Card>
      <div>
        <Tabs
          label="How it came about"
          at={tab}
          onPick={setTab}
          tabs={[["hits", `Hits${search.data ? ` (${search.data.hits.length})` : ""}`], ["block", "As an agent gets it"], ["why", "Why"], ["whynot", "Why not?"]]}
        />
        <div className="pt-4">
          {tab === "hits" && (search.data ? <Hits hits={search.data.hits} explained={search.data.explained} /> : <Pending of={search} lines={6} />)}
          {tab === "block" &&
            (recall.data ? (
              <>
                <p className="mb-2 flex items-center justify-between text-sm text-muted">
                  <span>{count(recall.data.tokens)} of {count(recall.data.budget)} tokens, {many(recall.data.lines.length, "line")}</span>
                  <Copied text={recall.data.block} />
                </p>
                <Code>{recall.data.block || "(nothing is told)"}</Code>
              </>
            ) : <Pending of={recall} lines={6} />)}
          {tab === "why" && (recall.data?.receipt ? <WhyTable receipt={recall.data.receipt} /> : <p className="text-sm text-muted">No receipt was kept: memory was being written to, or can only be read.</p>)}
          {tab === "whynot" && <WhyNot question={question} settings={settings} />}
        </div>
      </div>
    </div>
  );
}

function Hits({ hits, explained }: { hits: Hit[]; explained: Explanation[] }) {
  const best = Math.max(...hits.map((hit) => hit.score), 0.001);
  const by = new Map(explained.map((each) => [each.id, each]));
  if (hits.length === 0) return <p className="text-sm text-muted">Nothing was found.</p>;
  return (
    <ol className="space-y-2.5">
      {hits.map((hit, index) => (
        <li key={hit.note?.id ?? hit.observation?.id ?? index}>
          <HitCard hit={hit} share={hit.score / best} explained={by.get(hit.note?.id ?? hit.observation?.id ?? "")} />
        </li>
      ))}
    </ol>
  );
}

function HitCard({ hit, share, explained }: { hit: Hit; share: number; explained?: Explanation }) {
  const space = useSpace();
  const mayWrite = useMay("write");
  const feedback = useAct("feedback", "Thank you. It counts from now on.");
  const note = hit.note;
  return (
    <div className="rounded-xl border border-line bg-surface p-4">
      {note ? (
        <Link to={`/${space}/memories/${note.id}` as string} className="block hover:underline"><NoteLine note={note} wrap /></Link>
      ) : (
        <p>{hit.observation?.text} <span className="text-xs text-muted">a message</span></p>
      )}
      {hit.said && hit.said.text !== note?.text && <p className="mt-2 border-l-2 border-line pl-3 text-sm text-muted">“{hit.said.text}”</p>}
      <div className="mt-3 flex items-center gap-3">
        <div className="h-1 w-24 overflow-hidden rounded-full bg-sunken"><div className="h-full bg-accent" style={{ width: `${Math.max(3, share * 100)}%` }} /></div>
        <span className="text-xs text-muted tabular-nums">{hit.score.toFixed(2)}</span>
        {mayWrite && note && (
          <span className="ml-auto flex">
            <Button small tone="quiet" onClick={() => feedback.mutate({ note_id: note.id, verdict: "wrong" })}>Wrong</Button>
            <Button small tone="quiet" onClick={() => feedback.mutate({ note_id: note.id, verdict: "outdated" })}>Outdated</Button>
          </span>
        )}
      </div>
      <p className="mt-1 flex flex-wrap gap-1.5">
        {(explained ? Object.entries(explained.signals).map(([name, value]) => `${words(name)} ${value}`) : hit.why).map((each) => <Badge key={each}>{each}</Badge>)}
      </p>
    </div>
  );
}

function WhyTable({ receipt }: { receipt: string }) {
  const space = useSpace();
  const why = useVerb("why", { receipt_id: receipt });
  if (!why.data) return <Pending of={why} lines={6} />;
  const { receipt: found, answered } = why.data;
  const texts = new Map(answered.map((each) => [each.id, each.text || each.gone]));
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        {count(found.candidates)} looked at, {many(found.found.filter((each) => each.fate === "shown").length, "line")} told.{" "}
        {Object.entries(found.took).map(([step, ms]) => `${words(step)} ${ms} ms`).join(" · ")}
      </p>
      <div className="overflow-x-auto rounded-xl border border-line bg-surface">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-xs text-muted"><th className="p-3 font-medium">What</th><th className="p-3 font-medium">Fate</th><th className="p-3 text-right font-medium">Score</th></tr>
          </thead>
          <tbody>
            {found.found.map((each) => (
              <tr key={`${each.id} ${each.version}`} className="border-b border-line/60 last:border-0">
                <td className="max-w-0 min-w-40 truncate p-3">
                  {each.version > 0 ? <Link className="hover:underline" to={`/${space}/memories/${each.id}` as string}>{texts.get(each.id) ?? each.id}</Link> : (texts.get(each.id) ?? "a message")}
                </td>
                <td className="w-32 p-3"><Badge tone={each.fate === "shown" ? "good" : "plain"}>{each.fate}</Badge></td>
                <td className="w-20 p-3 text-right text-muted tabular-nums">{each.score.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Why a chosen note is not in the answer. */
function WhyNot({ question, settings }: { question: string; settings: Settings }) {
  const [words_, setWords] = useState("");
  const [picked, setPicked] = useState("");
  const found = useVerb("search", { query: words_, limit: 5, state: "any", without: WHILE_TYPING }, { enabled: words_.length > 1 });
  const why = useVerb("why-not", { note_id: picked, query: question, ...settings }, { enabled: picked !== "" });
  return (
    <div className="space-y-3">
      <Field label="Which note did you expect?">
        <input className={input} value={words_} placeholder="Search for it" onChange={(event) => { setWords(event.target.value); setPicked(""); }} />
      </Field>
      <ul className="space-y-1">
        {words_.length > 1 && found.data?.hits.map(({ note }) => note && (
          <li key={note.id}>
            <button type="button" aria-pressed={picked === note.id} onClick={() => setPicked(note.id)} className="w-full rounded-lg border border-line bg-surface px-3 py-2 text-left hover:bg-sunken aria-pressed:border-accent">
              <NoteLine note={note} />
            </button>
          </li>
        ))}
      </ul>
      {why.error && <Problem error={why.error} />}
      {picked && why.data && (
        <Card title={why.data.step === "not lost" ? "It is in the answer" : `Lost: ${why.data.step}`}>
          <p className="text-sm">{why.data.reason}</p>
        </Card>
      )}
    </div>
  );
}
