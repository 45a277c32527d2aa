/** An answer from memory: each sentence with the records that say so, when it held, and what is not known. */
import { Link } from "@tanstack/react-router";
import { useSpace } from "../api/hooks";
import type { AnswerSentence, Citation, CitedAnswer, Coverage } from "../api/verbs";
import { Badge } from "./basics";

const COVERED: Record<Coverage, ["good" | "warn" | "plain", string]> = {
  full: ["good", "known"],
  partial: ["warn", "partly known"],
  none: ["plain", "not known"],
};
const BEFORE: Record<AnswerSentence["time"], string> = { current: "", past: "Earlier: ", disputed: "Disputed: " };

/** `isOther` says which sentences the other side of a comparison does not have. */
export function AnswerView({ answer, small, isOther }: { answer: CitedAnswer; small?: boolean; isOther?: (sentence: AnswerSentence) => boolean }) {
  const cited = new Map(answer.citations.map((each) => [each.number, each]));
  const [tone, said] = COVERED[answer.coverage];
  const size = small ? "" : "text-lg leading-snug";
  return (
    <>
      <div className="mb-2 flex items-center gap-2">
        <Badge tone={tone}>{said}</Badge>
        {answer.model && <span className="text-xs text-muted">in the words of {answer.model}</span>}
      </div>
      {answer.sentences.length === 0 && answer.gaps.length === 0 && <p className="text-muted">Nothing is known about that.</p>}
      <ul className="space-y-1.5">
        {answer.sentences.map((sentence, index) => (
          <li key={index} className={`break-words ${sentence.time === "current" ? `${size} font-medium` : "text-muted"}`}>
            {BEFORE[sentence.time]}
            {sentence.text}{" "}
            {sentence.date && <span className="text-sm font-normal text-muted">({sentence.date})</span>}
            {sentence.citations.map((number) => <Cited key={number} citation={cited.get(number)} />)}
            {isOther?.(sentence) && <span className="ml-2 align-middle"><Badge tone="accent">only here</Badge></span>}
          </li>
        ))}
      </ul>
      {answer.gaps.map((gap) => <p key={gap} className="mt-2 text-sm break-words text-warn">{gap}</p>)}
    </>
  );
}

/** The number of a record. It leads to the note; a message has no page, and says its words. */
function Cited({ citation }: { citation?: Citation }) {
  const space = useSpace();
  if (!citation) return null;
  const look = "ml-1 rounded bg-accent-soft px-1 align-super text-[0.6875rem] font-medium text-accent";
  if (citation.version === 0) return <span className={look} title={citation.quote}>{citation.number}</span>;
  return (
    <Link to={`/${space}/memories/${citation.id}` as string} title={citation.quote} aria-label={`Source ${citation.number}`} className={`${look} hover:underline`}>
      {citation.number}
    </Link>
  );
}

/** The records below an answer, in their own words. */
export function Sources({ citations }: { citations: Citation[] }) {
  const space = useSpace();
  return (
    <ol className="mt-3 space-y-1 border-t border-line pt-2 text-xs text-muted">
      {citations.map((each) => (
        <li key={each.number} className="flex gap-2">
          <span className="tabular-nums">{each.number}</span>
          <span className="min-w-0 break-words">
            {each.version === 0 ? `“${each.quote}”` : <Link className="text-ink hover:underline" to={`/${space}/memories/${each.id}` as string}>{each.quote}</Link>}
            {" "}{[each.date, each.origin].filter(Boolean).join(" · ")}
          </span>
        </li>
      ))}
    </ol>
  );
}
