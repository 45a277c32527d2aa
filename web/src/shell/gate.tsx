/** The gate: who is signed in, and what to do when nobody is. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState, type FormEvent, type ReactNode } from "react";
import { ask, info, signIn, signInByName, waysIn, type Info, type ServerProblem } from "../api/client";
import { Button, Code, Field, input, Problem } from "../parts/basics";
import { Landing } from "./landing";
import { Logo } from "./logo";

const InfoContext = createContext<Info>({ version: "", scopes: [], space: null });
/** The rights of this browser. */
export const useInfo = (): Info => useContext(InfoContext);
export const useMay = (scope: "read" | "write" | "admin"): boolean => useInfo().scopes.includes(scope);

export function Gate({ children }: { children: ReactNode }) {
  const found = useQuery<Info, ServerProblem>({ queryKey: ["info"], queryFn: info, refetchInterval: 60_000 });
  if (found.error?.isSignedOut) return <SignedOut />;
  if (found.data) return <InfoContext value={found.data}>{children}</InfoContext>;
  if (found.error) {
    return (
      <Alone>
        <Problem error={found.error} />
        <Button className="mt-4" onClick={() => void found.refetch()}>
          Try again
        </Button>
      </Alone>
    );
  }
  return null;
}

const LAST = "recollect.space";
export const rememberSpace = (space: string): void => localStorage.setItem(LAST, space);

/** The names of the spaces that this browser may look into. */
export function useSpaces(): string[] {
  const { space } = useInfo();
  const found = useQuery({
    queryKey: ["spaces"],
    queryFn: () => ask("", "spaces.list", {}),
    enabled: space === null,
  });
  return space !== null ? [space] : (found.data?.items.map((each) => each.name) ?? []);
}

/** The space to begin with: the last one on this machine, else the one with the most in it. */
export function useFirstSpace(): string | undefined {
  const { space } = useInfo();
  const found = useQuery({ queryKey: ["spaces"], queryFn: () => ask("", "spaces.list", {}), enabled: space === null });
  if (space !== null) return space;
  if (!found.data) return undefined;
  const last = localStorage.getItem(LAST);
  const items = found.data.items;
  if (last && items.some((each) => each.name === last)) return last;
  return items.toSorted((one, other) => other.notes - one.notes)[0]?.name ?? "default";
}

/** Keys of what is not one person's: whether somebody is signed in, and the ways in. A longer key may begin with a space of such a name. */
const OF_NOBODY = new Set<unknown>(["info", "ways"]);

function SignedOut() {
  const client = useQueryClient();
  useEffect(() => {
    // The next person at this browser may be another one.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey.length > 1 || !OF_NOBODY.has(queryKey[0]) });
  }, [client]);
  const ways = useQuery({ queryKey: ["ways"], queryFn: waysIn });
  const [byToken, setByToken] = useState(false);
  const known = ways.data ?? (ways.error ? ["token"] : []);
  const shared = known.includes("password") || known.includes("issuer");
  // A shared server says what it is where it begins; an address further in is of somebody who knows.
  const isLanding = shared && /^\/ui\/?$/.test(location.pathname);
  const Title = isLanding ? "h2" : "h1";
  const Around = isLanding ? Landing : Alone;
  return (
    <Around>
      <Title className="text-xl font-semibold tracking-tight">Sign in to your memory</Title>
      {shared && (
        <div className="mt-5 space-y-3">
          {known.includes("password") && <ByName />}
          {known.includes("issuer") && (
            <a href="/sign-in/issuer" className="flex h-9.5 items-center justify-center rounded-lg border border-line bg-surface text-sm font-medium hover:bg-sunken">
              Sign in with your organisation
            </a>
          )}
        </div>
      )}
      {shared && !byToken ? (
        <Button small tone="quiet" className="mt-4 -ml-2.5" onClick={() => setByToken(true)}>Other ways to sign in</Button>
      ) : (
        <div className={shared ? "mt-6 border-t border-line pt-5" : ""}>
          <p className="mt-2 text-sm text-muted">
            Sessions end after two hours without a request. On the machine where Recollect runs, this opens the dashboard
            again:
          </p>
          <div className="mt-3">
            <Code>recollect dashboard</Code>
          </div>
          <ByToken />
        </div>
      )}
    </Around>
  );
}

/** A form of this page signs in, then asks for everything again; or says why not. */
function useEntry(enter: () => Promise<unknown>) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<ServerProblem>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await enter();
      await client.invalidateQueries();
    } catch (error) {
      setProblem(error as ServerProblem);
    }
    setBusy(false);
  };
  return { problem, busy, submit: (event: FormEvent) => void submit(event) };
}

function ByName() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { problem, busy, submit } = useEntry(() => signInByName(name.trim(), password));
  return (
    <form onSubmit={submit} className="space-y-3">
      <Field label="Name">
        <input className={input} autoFocus autoComplete="username" value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="Password">
        <input className={input} type="password" autoComplete="current-password" value={password} onChange={(event) => setPassword(event.target.value)} />
      </Field>
      {problem && <Problem error={problem} />}
      <Button tone="accent" type="submit" className="w-full" disabled={busy || !name.trim() || !password}>
        Sign in
      </Button>
    </form>
  );
}

function ByToken() {
  const [secret, setSecret] = useState("");
  const { problem, busy, submit } = useEntry(() => signIn(secret.trim()));
  return (
    <form onSubmit={submit} className="mt-6 space-y-3 border-t border-line pt-5">
      <Field label="Or show a token" hint="`recollect tokens create` makes one. It is not kept in this browser.">
        <input
          className={input}
          type="password"
          autoComplete="off"
          value={secret}
          placeholder="rcl_…"
          onChange={(event) => setSecret(event.target.value)}
        />
      </Field>
      {problem && <Problem error={problem} />}
      <Button tone="accent" type="submit" disabled={busy || !secret.trim()}>
        Sign in by token
      </Button>
    </form>
  );
}

function Alone({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-5">
      <div className="w-full max-w-md rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-8">
        <Logo />
        <div className="mt-6">{children}</div>
      </div>
    </main>
  );
}
