/** The settings of a question, as the address keeps them: one set under plain names, a second one beside it under `b_`. */
import type { Takes } from "../api/client";

export type Settings = Pick<Takes<"search">, "kind" | "state" | "subject" | "project" | "tag" | "without"> & { as_of?: string; known_at?: string };
export type Side = "" | "b_";
export type Address = Record<string, string | undefined>;

/** The settings that are texts, and their names in the address. Models that are left out stand together in one. */
const NAMES: [Exclude<keyof Settings, "without">, string][] = [
  ["as_of", "at"],
  ["known_at", "known"],
  ["kind", "kind"],
  ["state", "state"],
  ["subject", "subject"],
  ["project", "project"],
  ["tag", "tag"],
];

const LEFT_OUT = "without";
/** Left out of a search for each letter that is typed: it reads the first hits for a quarter of a second. */
export const WHILE_TYPING = ["reranker"];
export const MODELS = ["embedding", "reranker", "judge"];

/** The settings of one side. An empty one is none. */
export function settingsOf(address: Address, side: Side): Settings {
  const without = address[side + LEFT_OUT]?.split(".").filter((each) => MODELS.includes(each));
  return {
    ...Object.fromEntries(NAMES.flatMap(([field, name]) => (address[side + name] ? [[field, address[side + name]]] : []))),
    ...(without?.length ? { without } : {}),
  };
}

/** The address with a change of one side's settings. */
export function withSettings(address: Address, side: Side, change: Settings): Address {
  const said = NAMES.filter(([field]) => field in change).map(([field, name]) => [side + name, change[field] || undefined]);
  const without = "without" in change ? { [side + LEFT_OUT]: change.without?.join(".") || undefined } : {};
  return { ...address, ...Object.fromEntries(said), ...without };
}

/** The address without its second side. */
export function withoutSecond(address: Address): Address {
  return Object.fromEntries(Object.entries(address).filter(([name]) => !name.startsWith("b_") && name !== "two"));
}

/** The settings that the two sides do not share. */
export function unlike(one: Settings, other: Settings): (keyof Settings)[] {
  const texts: (keyof Settings)[] = NAMES.map(([field]) => field).filter((field) => one[field] !== other[field]);
  return String(one.without ?? "") === String(other.without ?? "") ? texts : [...texts, "without"];
}
