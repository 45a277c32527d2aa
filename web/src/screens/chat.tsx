/** A chat that answers from memory: a message may go on from the one before, and can be kept as something to remember. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { ask, type ServerProblem } from "../api/client";
import { useAct, useSpace, useTrial } from "../api/hooks";
import type { CitedAnswer, Remembered } from "../api/verbs";
import { AnswerView, Sources } from "../parts/answer";
import { Button, Empty, Problem, textarea, Waiting } from "../parts/basics";
import { Outcome } from "../parts/outcome";
import { useMay } from "../shell/gate";

interface Turn {
  id: number;
  text: string;
  follows?: string;
  kept?: Remembered;
}

/** The messages so far, for as long as this page is open: going to a source and back keeps them. Signing out drops them. */
function useTurns(space: string) {
  const client = useQueryClient();
  const key = ["chat", space];
  const turns = useQuery<Turn[]>({ queryKey: key, queryFn: () => [], enabled: false, initialData: [], gcTime: Infinity });
  return {
    turns: turns.data,
    say: (text: string) => client.setQueryData<Turn[]>(key, (now = []) => [...now, { id: now.length, text, follows: now.at(-1)?.text }]),
    keep: (turn: Turn, kept: Remembered) =>
      client.setQueryData<Turn[]>(key, (now = []) => now.map((each) => (each.id === turn.id && each.text === turn.text ? { ...each, kept } : each))),
    clear: () => {
      client.removeQueries({ queryKey: ["chat-answer", space] });
      client.setQueryData<Turn[]>(key, []);
    },
  };
}

export function Chat() {
  const space = useSpace();
  const { turns, say, keep, clear } = useTurns(space);
  const [text, setText] = useState("");
  const end = useRef<HTMLDivElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    say(text.trim());
    setText("");
  };
  // In braces: newer browsers answer with a promise, which is nothing for an effect to end with.
  const follow = () => {
    end.current?.scrollIntoView({ block: "end" });
  };
  useEffect(() => {
    if (turns.length) follow();
  }, [turns.length]);
  return (
    <>
      <div role="log" aria-label="Chat with memory" className="space-y-6">
        {turns.map((turn) => <Exchange key={`${space} ${turn.id}`} turn={turn} onKeep={(kept) => keep(turn, kept)} onChange={turn.id === turns.length - 1 ? follow : undefined} />)}
      </div>
      {turns.length === 0 && (
        <Empty icon="sessions" title="Ask what it knows">
          It answers in the words of its records and says what it does not know. A message that is worth remembering can be kept.
        </Empty>
      )}
      <form onSubmit={submit} className="sticky bottom-18 z-10 mt-5 rounded-2xl border border-line bg-surface p-2 shadow-float lg:bottom-4">
        <textarea
          data-search
          autoFocus
          rows={1}
          aria-label="Message"
          placeholder="Who is my manager?"
          className={`${textarea} resize-none border-transparent text-base focus:border-transparent focus-visible:ring-0`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
          }}
        />
        <div className="flex items-center justify-between gap-2 px-1">
          <Button small tone="quiet" disabled={turns.length === 0} onClick={clear}>Begin anew</Button>
          <Button small tone="accent" type="submit" disabled={!text.trim()}>Send</Button>
        </div>
      </form>
      <div ref={end} className="scroll-mb-24" />
    </>
  );
}

function Exchange({ turn, onKeep, onChange }: { turn: Turn; onKeep: (kept: Remembered) => void; onChange?: () => void }) {
  const space = useSpace();
  const mayWrite = useMay("write");
  // Asked once: an answer in a chat stays what it was.
  const answer = useQuery<CitedAnswer, ServerProblem>({
    queryKey: ["chat-answer", space, turn.id, turn.text],
    queryFn: ({ signal }) => ask(space, "answer", { question: turn.text, follows: turn.follows }, { signal }),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const trial = useTrial("add");
  const add = useAct("add");
  const told = turn.kept ?? trial.data;
  // By the promise: it is told even when the person has gone to another screen meanwhile.
  const keep = () => void add.mutateAsync({ messages: turn.text }).then(onKeep, () => undefined);
  useEffect(() => onChange?.(), [answer.data, trial.data, turn.kept]);
  return (
    <section aria-label={turn.text}>
      <div className="ml-auto w-fit max-w-[85%] rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap">{turn.text}</div>
      {mayWrite && !told && (
        <p className="mt-1 flex justify-end">
          <Button small tone="quiet" icon="plus" disabled={trial.isPending} onClick={() => trial.mutate({ messages: turn.text })}>Keep this</Button>
        </p>
      )}
      {trial.error && <div className="mt-2"><Problem error={trial.error} /></div>}
      {told && (
        <div className="mt-2 sm:ml-12">
          <Outcome
            kept={turn.kept !== undefined}
            answer={told}
            action={
              !turn.kept && (
                <>
                  <Button small tone="quiet" onClick={() => trial.reset()}>Leave it</Button>
                  <Button small tone="accent" icon="check" disabled={add.isPending} onClick={keep}>Keep</Button>
                </>
              )
            }
          />
        </div>
      )}
      <div className="mt-3 max-w-[92%] rounded-2xl rounded-bl-md border border-line bg-surface px-4 py-3 shadow-card">
        {answer.error && <Problem error={answer.error} />}
        {answer.isPending && <Waiting lines={2} />}
        {answer.data && <AnswerView small answer={answer.data} />}
        {answer.data && answer.data.citations.length > 0 && <Sources citations={answer.data.citations} />}
      </div>
    </section>
  );
}
