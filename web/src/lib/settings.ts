/** The settings of a question, as the address keeps them: one set under plain names, a second one beside it under `b_`. */
import type { Takes } from "../api/client";

export type Settings = Pick<Takes<"search">, "kind" | "state" | "subject" | "project" | "tag"> & { as_of?: string; known_at?: string };
export type Side = "" | "b_";
export type Address = Record<string, string | undefined>;

const NAMES: [keyof Settings, string][] = [
  ["as_of", "at"],
  ["known_at", "known"],
  ["kind", "kind"],
  ["state", "state"],
  ["subject", "subject"],
  ["project", "project"],
  ["tag", "tag"],
];

/** The settings of one side. An empty one is none. */
export function settingsOf(address: Address, side: Side): Settings {
  return Object.fromEntries(NAMES.flatMap(([field, name]) => (address[side + name] ? [[field, address[side + name]]] : [])));
}

/** The address with a change of one side's settings. */
export function withSettings(address: Address, side: Side, change: Settings): Address {
  const said = NAMES.filter(([field]) => field in change).map(([field, name]) => [side + name, change[field] || undefined]);
  return { ...address, ...Object.fromEntries(said) };
}

/** The address without its second side. */
export function withoutSecond(address: Address): Address {
  return Object.fromEntries(Object.entries(address).filter(([name]) => !name.startsWith("b_") && name !== "two"));
}

/** The settings that the two sides do not share. */
export function unlike(one: Settings, other: Settings): (keyof Settings)[] {
  return NAMES.map(([field]) => field).filter((field) => one[field] !== other[field]);
}
