/** The password of an account: chosen after a link, and changed later, each time soon after signing in. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { choosePassword, session, signOut, type ServerProblem, type Session } from "../api/client";
import { Button, Card, Field, input, Problem } from "../parts/basics";
import { Dialog } from "../parts/dialog";
import { useNotices } from "./notices";

const SHORTEST = 12; // characters, as the server has it

const useSession = () => useQuery<Session, ServerProblem>({ queryKey: ["session"], queryFn: session, retry: false });

/** Asks whoever came by the first link of an account for a password. They can do it later, by another link. */
export function FirstPassword() {
  const { data } = useSession();
  const [later, setLater] = useState(false);
  const open = Boolean(data?.account && !data.account.has_password && data.fresh_until) && !later;
  return (
    <Dialog title="Choose a password" open={open} onClose={() => setLater(true)}>
      <div className="p-5">
        <h2 className="text-base font-semibold">Choose a password</h2>
        <p className="mt-2 mb-4 text-sm text-muted">The link that you came by works once. From now on you sign in by name and password.</p>
        {data?.account && <PasswordForm name={data.account.name} onLater={() => setLater(true)} />}
      </div>
    </Dialog>
  );
}

/** The account of this browser, where there is one. */
export function AccountCard() {
  const { data } = useSession();
  const client = useQueryClient();
  if (!data?.account) return null;
  const again = () => void signOut().finally(() => void client.invalidateQueries());
  return (
    <Card title="Your account" aside={data.account.name}>
      {data.fresh_until ? (
        <div className="max-w-sm"><PasswordForm name={data.account.name} /></div>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
          <p>A password is changed within ten minutes after signing in.</p>
          <Button small onClick={again}>Sign in again</Button>
        </div>
      )}
    </Card>
  );
}

function PasswordForm({ name, onLater }: { name: string; onLater?: () => void }) {
  const client = useQueryClient();
  const notices = useNotices();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<ServerProblem>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await choosePassword(password);
      setPassword("");
      setProblem(undefined);
      notices.tell("From now on this is your password.");
      await client.invalidateQueries({ queryKey: ["session"] });
    } catch (error) {
      setProblem(error as ServerProblem);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-3">
      <input className="hidden" autoComplete="username" value={name} readOnly tabIndex={-1} aria-hidden />
      <Field label="New password" hint={`At least ${SHORTEST} characters. A few words that nobody would put together are easy to remember.`}>
        <input className={input} type="password" autoComplete="new-password" value={password} onChange={(event) => setPassword(event.target.value)} />
      </Field>
      {problem && <Problem error={problem} />}
      <div className="flex justify-end gap-2">
        {onLater && <Button tone="quiet" onClick={onLater}>Later</Button>}
        <Button tone="accent" type="submit" disabled={password.length < SHORTEST}>Keep the password</Button>
      </div>
    </form>
  );
}
