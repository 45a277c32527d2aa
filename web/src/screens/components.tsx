/** Every part of the dashboard on one page, to look at: the tokens, and what screens are made of, with long words and none. */
import { useState } from "react";
import { ServerProblem } from "../api/client";
import type { Kind } from "../api/verbs";
import { Badge, Button, Card, Code, Copied, Empty, Field, input, Kbd, Page, Problem, Tabs, textarea } from "../parts/basics";
import { Dialog, DialogBody } from "../parts/dialog";
import { DiffView } from "../parts/diff-view";
import { Editor } from "../parts/editor";
import { KindDot, KINDS, StateBadge } from "../parts/note";

const COLOURS = {
  Ground: ["paper", "surface", "sunken", "line", "ink", "muted"],
  Meaning: ["accent", "accent-ink", "accent-soft", "good", "good-soft", "warn", "warn-soft", "bad", "bad-soft"],
  Kinds: ["k-semantic", "k-episodic", "k-procedural", "k-lesson", "k-pattern"],
};
const TONES = ["plain", "accent", "quiet", "danger"] as const;
const BADGES = ["plain", "accent", "good", "warn", "bad"] as const;
const STATES = ["active", "superseded", "retracted", "expired", "disputed", "quarantined"] as const;
const PROBLEM = new ServerProblem(409, "version_conflict", "The note is at version 3; the change was made on version 2.", "Read it again, and repeat the change on the version you then see.");

export default function Components() {
  const [tab, setTab] = useState<"one" | "two">("one");
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("## A heading\n\nSome **bold** words, `code` and a [link](https://example.org).");
  return (
    <Page title="Components" lead="What the screens are made of. Colours and sizes are tokens of one file.">
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Card title="Colours" className="md:col-span-2">
          {Object.entries(COLOURS).map(([group, names]) => (
            <div key={group} className="mb-3 last:mb-0">
              <h3 className="mb-1.5 text-xs text-muted">{group}</h3>
              <ul className="grid grid-cols-3 gap-2 sm:grid-cols-5 lg:grid-cols-9">
                {names.map((name) => (
                  <li key={name} className="min-w-0 text-xs">
                    <span className="block h-10 rounded-lg border border-line" style={{ background: `var(--${name})` }} />
                    <span className="mt-1 block truncate">{name}</span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </Card>
        <Card title="Words">
          <p className="text-[1.375rem] leading-tight font-semibold tracking-tight">The head of a screen</p>
          <p className="mt-2 text-sm font-semibold">The head of a card</p>
          <p className="mt-2">What is read: a note, an answer, a sentence.</p>
          <p className="mt-2 text-sm text-muted">What stands beside it, and when.</p>
          <p className="mt-2 text-xs text-muted">The smallest, for counts and times <Kbd>Ctrl K</Kbd></p>
        </Card>
        <Card title="Buttons">
          <div className="flex flex-wrap gap-2">
            {TONES.map((tone) => <Button key={tone} tone={tone} icon="check">{tone}</Button>)}
            {TONES.map((tone) => <Button key={tone} small tone={tone}>{tone}, small</Button>)}
            <Button disabled>disabled</Button>
            <Copied text="copied" />
          </div>
        </Card>
        <Card title="Marks">
          <p className="flex flex-wrap gap-2">{BADGES.map((tone) => <Badge key={tone} tone={tone}>{tone}</Badge>)}</p>
          <p className="mt-3 flex flex-wrap gap-2">{STATES.map((state) => <StateBadge key={state} state={state} />)}</p>
          <p className="mt-3 flex flex-wrap gap-3 text-sm">{Object.entries(KINDS).map(([kind, said]) => <span key={kind} className="flex items-center gap-1.5"><KindDot kind={kind as Kind} />{said}</span>)}</p>
        </Card>
        <Card title="Fields">
          <div className="space-y-3">
            <Field label="A line" hint="With a hint below."><input className={input} placeholder="Nothing yet" /></Field>
            <Field label="A choice"><select className={input}><option>One of several</option></select></Field>
            <Field label="Some lines"><textarea rows={2} className={textarea} defaultValue="Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" /></Field>
          </div>
        </Card>
        <Card title="Editor" className="md:col-span-2"><Editor label="The text of a note" value={text} onChange={setText} /></Card>
        <Card title="Tabs and dialogs">
          <Tabs label="An example" at={tab} onPick={setTab} tabs={[["one", "One"], ["two", "Another"]]} />
          <Button className="mt-3" onClick={() => setOpen(true)}>Open a dialog</Button>
          <Dialog title="A dialog" open={isOpen} onClose={() => setOpen(false)}>
            <DialogBody title="A dialog" actions={<Button tone="accent" onClick={() => setOpen(false)}>Done</Button>}><p>It holds the focus, closes with Escape and gives the focus back.</p></DialogBody>
          </Dialog>
        </Card>
        <Card title="A difference"><DiffView before="We deploy storefront with make release" after="We deploy storefront from CI" /></Card>
        <Card title="Nothing here"><Empty icon="memories" title="No memories yet">It says why, and what makes it otherwise.</Empty></Card>
        <Card title="Gone wrong, and as it is">
          <Problem error={PROBLEM} />
          <div className="mt-3"><Code>recollect dashboard</Code></div>
        </Card>
      </div>
    </Page>
  );
}
