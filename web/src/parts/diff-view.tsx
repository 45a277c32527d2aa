/** Two wordings of a text, as one with what came and what went. */
import { wordDiff } from "../lib/diff";

export function DiffView({ before, after }: { before: string; after: string }) {
  return (
    <p className="leading-relaxed break-words whitespace-pre-wrap">
      {wordDiff(before, after).map((piece, index) => {
        if (piece.kind === "same") return <span key={index}>{piece.text}</span>;
        const Mark = piece.kind === "came" ? "ins" : "del";
        const look = piece.kind === "came" ? "bg-good-soft text-good no-underline" : "bg-bad-soft text-bad";
        return (
          <Mark key={index} className={`rounded px-0.5 ${look}`}>
            {piece.text}
          </Mark>
        );
      })}
    </p>
  );
}
