/** The one way to the server: a verb by its name, in a space. `verbs.ts` has the types of each. */
import { OUTSIDE, type Verbs } from "./verbs";

export type { Verbs };
export type Verb = keyof Verbs;
export type Takes<V extends Verb> = Verbs[V]["takes"];
export type Answers<V extends Verb> = Verbs[V]["answers"];

/** A refusal of the server. `code` never changes; `message` and `hint` are for people. */
export class ServerProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }

  get isSignedOut(): boolean {
    return this.status === 401;
  }
}

export interface Info {
  version: string;
  scopes: string[];
  space: string | null;
}

/** Call a verb. With `dryRun` every check is made and nothing is written. */
export async function ask<V extends Verb>(
  space: string,
  verb: V,
  takes: Takes<V>,
  { dryRun = false, signal }: { dryRun?: boolean; signal?: AbortSignal } = {},
): Promise<Answers<V>> {
  return (await send(pathOf(space, verb), {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(dryRun ? { "Dry-Run": "true" } : {}) },
    body: JSON.stringify(given(takes)),
    signal,
  })) as Answers<V>;
}

export const info = (): Promise<Info> => send("/v1/info", {}) as Promise<Info>;

/** The ways by which a person can sign in to this server. */
export type Way = "token" | "password" | "issuer";
export const waysIn = async (): Promise<Way[]> => ((await send("/sign-in/ways", {})) as { ways: Way[] }).ways;

/** Sign this browser in by a token or by the secret of a link. */
export const signIn = (secret: string): Promise<unknown> =>
  send("/v1/session", { method: "POST", headers: { Authorization: `Bearer ${secret}` } });

/** Sign this browser in by the name and the password of an account. */
export const signInByName = (name: string, password: string): Promise<unknown> => {
  const said = String.fromCharCode(...new TextEncoder().encode(`${name}:${password}`));
  return send("/v1/session", { method: "POST", headers: { Authorization: `Basic ${btoa(said)}` } });
};

export interface Session {
  account: { name: string; has_password: boolean } | null;
  fresh_until: string | null;
}
export const session = (): Promise<Session> => send("/v1/session", {}) as Promise<Session>;

export const choosePassword = (password: string): Promise<unknown> =>
  send("/v1/session/password", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ password }),
  });

export const signOut = (): Promise<unknown> => send("/v1/session/end", { method: "POST" });

export interface Token {
  id: string;
  name: string;
  scope: string;
  space: string | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

export const tokens = async (): Promise<Token[]> => ((await send("/v1/tokens", {})) as { items: Token[] }).items;

/** Make or end a token; `issue` answers with its secret, this once. */
export const tokenAct = (act: "" | "/revoke", body: Record<string, string>): Promise<{ token?: string }> =>
  send(`/v1/tokens${act}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }) as Promise<{ token?: string }>;

export const streamOf = (space: string): string => `/v1/spaces/${encodeURIComponent(space)}/stream`;

export function pathOf(space: string, verb: string): string {
  const words = verb.replaceAll(".", "/");
  return OUTSIDE.has(verb) ? `/v1/${words}` : `/v1/spaces/${encodeURIComponent(space)}/${words}`;
}

/** Fields that say something: an empty filter is no filter. */
export function given(takes: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(takes).filter(([, value]) => value !== undefined && value !== ""));
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ServerProblem(0, "unreachable", "The server does not answer.", "Is `recollect serve` running?");
  }
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) return said;
  throw new ServerProblem(
    answer.status,
    said.code ?? "unexpected",
    said.detail ?? `The server answered ${answer.status}.`,
    said.hint ?? "",
  );
}
