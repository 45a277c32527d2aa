/** Two lists in order of merit, against each other: what only one has, and what stands higher or lower. */

/** `up` and `down` say by how many places; on the other side the same entry has the opposite. */
export type Change = { kind: "only" } | { kind: "same" } | { kind: "up" | "down"; by: number };

export function changesOf(here: string[], there: string[]): Map<string, Change> {
  const places = new Map(there.map((id, place) => [id, place]));
  return new Map(here.map((id, place) => [id, changeOf(place, places.get(id))]));
}

function changeOf(place: number, other: number | undefined): Change {
  if (other === undefined) return { kind: "only" };
  if (other === place) return { kind: "same" };
  return other > place ? { kind: "up", by: other - place } : { kind: "down", by: place - other };
}

/** How many are on both sides, and on one alone. */
export function overlap(one: string[], other: string[]): { both: number; one: number; other: number } {
  const [left, right] = [new Set(one), new Set(other)];
  const both = [...left].filter((id) => right.has(id)).length;
  return { both, one: left.size - both, other: right.size - both };
}
