/** Spaces, the tokens that open them, and who is told of what happens in them. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { signOut, tokenAct, tokens, type ServerProblem, type Token } from "../api/client";
import { useAct, useSpace, useVerb } from "../api/hooks";
import { Badge, Button, Card, Code, Copied, Empty, Field, input, Page, Pending, Problem, Waiting } from "../parts/basics";
import { Dialog, DialogBody } from "../parts/dialog";
import { ago, bytes, count, day, many } from "../lib/format";
import { useInfo, useMay } from "../shell/gate";
import { useNotices } from "../shell/notices";
import { AccountCard } from "../shell/password";

export default function AccessScreen() {
  const client = useQueryClient();
  const mayAdmin = useMay("admin");
  const { space: bound } = useInfo();
  const leave = () => void signOut().finally(() => void client.invalidateQueries());
  return (
    <Page title="Spaces and access" aside={<Button icon="out" onClick={leave}>Sign out</Button>}>
      <div className="space-y-4">
        <AccountCard />
        {bound === null && <SpaceList />}
        {mayAdmin ? <TokenList /> : <Card><p className="text-sm text-muted">Tokens and webhooks are looked after by administrators.</p></Card>}
        {mayAdmin && <Webhooks />}
      </div>
    </Page>
  );
}

function SpaceList() {
  const mayAdmin = useMay("admin");
  const client = useQueryClient();
  const spaces = useVerb("spaces.list", {});
  const create = useAct("spaces.create", "Made.");
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name }, { onSuccess: () => { setName(""); void client.invalidateQueries(); } });
  };
  if (!spaces.data) return <Card title="Spaces"><Pending of={spaces} /></Card>;
  return (
    <Card title="Spaces">
      <ul className="divide-y divide-line">
        {spaces.data.items.map((each) => (
          <li key={each.name} className="flex flex-wrap items-center gap-x-3 py-2.5">
            <Link className="font-medium hover:underline" to="/$space" params={{ space: each.name }}>{each.name}</Link>
            <span className="min-w-0 truncate text-sm text-muted">{each.description}</span>
            <span className="ml-auto text-sm text-muted">
              {many(each.notes, "note")}{each.max_notes && ` of ${count(each.max_notes)}`}, {many(each.sessions, "session")}{each.attachment_bytes > 0 && `, ${bytes(each.attachment_bytes)} of files`}
            </span>
          </li>
        ))}
      </ul>
      {mayAdmin && (
        <form onSubmit={submit} className="mt-3 flex max-w-sm gap-2">
          <input aria-label="Name of a new space" className={input} placeholder="team" value={name} onChange={(event) => setName(event.target.value)} />
          <Button type="submit" disabled={!name.trim()}>Make a space</Button>
        </form>
      )}
    </Card>
  );
}

function TokenList() {
  const client = useQueryClient();
  const notices = useNotices();
  const [making, setMaking] = useState(false);
  const found = useQuery<Token[], ServerProblem>({ queryKey: ["tokens"], queryFn: tokens });
  const revoke = async (token: Token) => {
    try {
      await tokenAct("/revoke", { id: token.id });
      notices.tell("It opens nothing any more.");
    } catch (error) {
      notices.tell((error as ServerProblem).message, "bad");
    }
    await client.invalidateQueries({ queryKey: ["tokens"] });
  };
  return (
    <Card title="Tokens" aside={<Button small icon="plus" onClick={() => setMaking(true)}>New token</Button>}>
      {found.error && <Problem error={found.error} />}
      {!found.data && !found.error && <Waiting />}
      <ul className="divide-y divide-line text-sm">
        {found.data?.map((token) => (
          <li key={token.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <span className="font-medium">{token.name || "without a name"}</span>
            <Badge tone={token.scope === "admin" ? "accent" : "plain"}>{token.scope}</Badge>
            <span className="text-muted">{token.space ?? "all spaces"}</span>
            <span className="ml-auto text-xs text-muted">{token.last_used_at ? `used ${ago(token.last_used_at)}` : "never used"}{token.expires_at && `, ends ${day(token.expires_at)}`}</span>
            {token.revoked_at ? <Badge tone="bad">revoked</Badge> : <Button small tone="quiet" onClick={() => void revoke(token)}>Revoke</Button>}
          </li>
        ))}
      </ul>
      {making && <NewToken onClose={() => setMaking(false)} />}
    </Card>
  );
}

function NewToken({ onClose }: { onClose: () => void }) {
  const space = useSpace();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState("read");
  const [where, setWhere] = useState(space);
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<ServerProblem>();
  const make = async () => {
    try {
      const made = await tokenAct("", { name, scope, ...(where ? { space: where } : {}), expires: "90d" });
      setSecret(made.token);
      await client.invalidateQueries({ queryKey: ["tokens"] });
    } catch (error) {
      setProblem(error as ServerProblem);
    }
  };
  return (
    <Dialog title="New token" open onClose={onClose}>
      {secret ? (
        <DialogBody title="This is the only time it is shown" actions={<><Copied text={secret} /><Button tone="accent" onClick={onClose}>Done</Button></>}><Code>{secret}</Code></DialogBody>
      ) : (
        <DialogBody title="New token" actions={<><Button tone="quiet" onClick={onClose}>Cancel</Button><Button tone="accent" disabled={!name.trim()} onClick={() => void make()}>Make it</Button></>}>
          <Field label="In whose name does it write?"><input className={input} value={name} onChange={(event) => setName(event.target.value)} /></Field>
          <div className="grid grid-cols-2 gap-3">
            <Field label="It may"><select className={input} value={scope} onChange={(event) => setScope(event.target.value)}>{["read", "write", "admin"].map((each) => <option key={each}>{each}</option>)}</select></Field>
            <Field label="In"><select className={input} value={where} onChange={(event) => setWhere(event.target.value)}><option value={space}>{space}</option><option value="">all spaces</option></select></Field>
          </div>
          <p className="text-muted">It ends after 90 days.</p>
          {problem && <Problem error={problem} />}
        </DialogBody>
      )}
    </Dialog>
  );
}

function Webhooks() {
  const hooks = useVerb("webhooks.list", {});
  const test = useAct("webhooks.test", (sent) => (sent.status ? `Answered ${sent.status} in ${sent.milliseconds} ms.` : `Not delivered: ${sent.code}.`));
  const remove = useAct("webhooks.remove", "Removed.");
  return (
    <Card title="Webhooks">
      {hooks.error && <Problem error={hooks.error} />}
      {hooks.data?.items.length === 0 && <Empty icon="connect" title="Nobody is told">A webhook tells another program what is written here: <code className="font-mono text-xs">recollect webhooks add NAME URL</code></Empty>}
      <ul className="divide-y divide-line text-sm">
        {hooks.data?.items.map((hook) => (
          <li key={hook.id} className="flex flex-wrap items-center gap-2 py-2.5">
            <span className="font-medium">{hook.name}</span><span className="text-muted">{hook.host}</span>
            <span className="ml-auto flex gap-1">
              <Button small onClick={() => test.mutate({ webhook: hook.name })}>Test</Button>
              <Button small tone="quiet" onClick={() => remove.mutate({ webhook: hook.name })}>Remove</Button>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
