/** The command palette: searches memory as you type, and goes to any screen. */
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { useEffect, useState } from "react";
import { useSpace, useVerb } from "../api/hooks";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { KindDot } from "../parts/note";
import { useDelayed } from "../lib/delay";
import { WHILE_TYPING } from "../lib/settings";
import { SCREENS } from "../screens/table";
import { useSpaces } from "./gate";

const ITEM =
  "flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 text-sm data-[selected=true]:bg-accent-soft data-[selected=true]:text-ink";

export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const space = useSpace();
  const spaces = useSpaces();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const query = useDelayed(typed.trim(), 120);
  const found = useVerb("search", { query, limit: 6, without: WHILE_TYPING }, { enabled: open && query.length > 1 });
  useEffect(() => {
    if (!open) setTyped("");
  }, [open]);
  const go = (to: string, search: Record<string, string> = {}) => {
    onClose();
    void navigate({ to, search: search as never });
  };
  const matches = (text: string) => text.toLowerCase().includes(typed.trim().toLowerCase());
  const hits = query.length > 1 ? (found.data?.hits.filter((hit) => hit.note) ?? []) : [];
  const others = spaces.filter((name) => name !== space && typed && matches(name));
  return (
    <Dialog title="Search and go" open={open} onClose={onClose} top>
      <Command label="Search and go" shouldFilter={false} loop>
        <div className="flex items-center gap-2 border-b border-line px-4">
          <Icon name="search" className="size-4 text-muted" />
          <Command.Input
            value={typed}
            onValueChange={setTyped}
            placeholder="Search memory, or go to a screen"
            className="h-12 w-full bg-transparent text-[0.9375rem] outline-none placeholder:text-muted"
          />
        </div>
        <Command.List className="max-h-[55vh] overflow-y-auto p-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted">
          {typed && (
            <Command.Item value="ask" onSelect={() => go(`/${space}/ask`, { q: typed.trim() })} className={ITEM}>
              <Icon name="question" className="text-accent" />
              <span className="truncate">Ask memory: “{typed.trim()}”</span>
            </Command.Item>
          )}
          {hits.length > 0 && (
            <Command.Group heading="Memories">
              {hits.map(({ note }) => note && (
                <Command.Item key={note.id} value={note.id} onSelect={() => go(`/${space}/memories/${note.id}`)} className={ITEM}>
                  <KindDot kind={note.kind} />
                  <span className="truncate">{note.text}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Go to">
            {SCREENS.filter((screen) => matches(screen.name)).map((screen) => (
              <Command.Item key={screen.path} value={`go ${screen.name}`} onSelect={() => go(`/${space}/${screen.path}`)} className={ITEM}>
                <Icon name={screen.icon} className="text-muted" />
                {screen.name}
              </Command.Item>
            ))}
            {others.map((name) => (
              <Command.Item key={name} value={`space ${name}`} onSelect={() => go(`/${name}`)} className={ITEM}>
                <Icon name="swap" className="text-muted" />
                Space {name}
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  );
}
