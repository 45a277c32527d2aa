/** The difference of two texts, word by word: the longest common run of words stays, the rest came or went. */

export interface Piece {
  text: string;
  kind: "same" | "came" | "went";
}

const MOST = 1500; // words of a text; longer ones are shown as one change, for the table is quadratic

export function wordDiff(before: string, after: string): Piece[] {
  const old = before.match(/\s+|[^\s]+/g) ?? [];
  const now = after.match(/\s+|[^\s]+/g) ?? [];
  if (old.length > MOST || now.length > MOST) {
    return before === after ? [{ text: after, kind: "same" }] : merged([
      { text: before, kind: "went" },
      { text: after, kind: "came" },
    ]);
  }
  const table = lengths(old, now);
  const pieces: Piece[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      pieces.push({ text: old[i], kind: "same" });
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || table[i + 1][j] >= table[i][j + 1])) {
      pieces.push({ text: old[i], kind: "went" });
      i += 1;
    } else {
      pieces.push({ text: now[j], kind: "came" });
      j += 1;
    }
  }
  return merged(pieces);
}

/** How long the longest common run is from each pair of places on. */
function lengths(old: string[], now: string[]): Uint16Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      table[i][j] = old[i] === now[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

function merged(pieces: Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else found.push({ ...piece });
  }
  return found.filter((piece) => piece.text !== "");
}
