/** Evaluation: how well memory answers questions about its own notes, run after run. */
import { useAct, useVerb } from "../api/hooks";
import { Button, Card, Empty, Page, Problem, Waiting } from "../parts/basics";
import { Bars } from "../parts/charts";
import { ago, day, many, words } from "../lib/format";
import { useMay } from "../shell/gate";

export default function Evaluation() {
  const mayWrite = useMay("write");
  const questions = useVerb("eval.questions", {});
  const runs = useVerb("eval.history", { limit: 30 });
  const build = useAct("eval.build", (built) => `${many(built.questions.length, "question")} made.`);
  const run = useAct("eval.run", "Asked all of them.");
  const drop = useAct("eval.drop", "Dropped.");
  if (questions.error) return <Page title="Evaluation"><Problem error={questions.error} /></Page>;
  if (!questions.data || !runs.data) return <Page title="Evaluation"><Waiting lines={6} /></Page>;
  const asked = questions.data.items;
  const newest = runs.data.items[0];
  const past = runs.data.items.toReversed();
  return (
    <Page
      title="Evaluation"
      lead="Questions about your own notes tell whether memory still finds them."
      aside={mayWrite && (
        <>
          <Button disabled={build.isPending} onClick={() => build.mutate({})}>{asked.length ? "Make more" : "Make questions"}</Button>
          <Button tone="accent" disabled={asked.length === 0 || run.isPending} onClick={() => run.mutate({})}>{run.isPending ? "Asking…" : "Run"}</Button>
        </>
      )}
    >
      {asked.length === 0 && <Card><Empty icon="evaluation" title="No question yet">Questions are made from your notes, worded by a model where one is configured. Each run says how many are answered by their note.</Empty></Card>}
      {newest && (
        <div className="grid gap-4 md:grid-cols-2">
          <Card title="Last run" aside={ago(newest.at)}>
            <dl className="grid grid-cols-2 gap-3">
              {Object.entries(newest.scores).map(([name, value]) => (
                <div key={name}><dd className="text-xl font-semibold tabular-nums">{Number.isInteger(value) ? value : value.toFixed(2)}</dd><dt className="text-xs text-muted">{words(name)}</dt></div>
              ))}
            </dl>
          </Card>
          <Card title={words(Object.keys(newest.scores)[0] ?? "score")} aside={many(past.length, "run")}>
            <Bars label="Scores over time" bars={past.map((each) => ({ label: day(each.at), value: Object.values(each.scores)[0] ?? 0, title: `${day(each.at)}: ${(Object.values(each.scores)[0] ?? 0).toFixed(2)}` }))} />
          </Card>
        </div>
      )}
      {asked.length > 0 && (
        <Card className="mt-4" title={many(asked.length, "question")}>
          <ul className="divide-y divide-line text-sm">
            {asked.slice(0, 100).map((question) => (
              <li key={question.id} className="flex items-center gap-3 py-2">
                <span className="min-w-0 flex-1">{question.text}</span>
                {newest?.places[question.id] !== undefined && <span className="text-xs text-muted">place {newest.places[question.id]}</span>}
                {mayWrite && <Button small tone="quiet" icon="close" aria-label={`Drop: ${question.text}`} onClick={() => drop.mutate({ question_id: question.id })} />}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}
