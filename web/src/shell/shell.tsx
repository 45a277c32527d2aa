/** The frame of every screen: the menu, the space, the way to search, and the light that says all is live. */
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useSpace } from "../api/hooks";
import { Kbd, Waiting } from "../parts/basics";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { useKeys } from "../lib/keys";
import { SCREENS, type ScreenEntry } from "../screens/table";
import { rememberSpace, useSpaces } from "./gate";
import { LiveContext, useLive, useLiveStream } from "./live";
import { Logo } from "./logo";
import { Palette } from "./palette";
import { FirstPassword } from "./password";
import { setTheme, useTheme } from "./theme";

const ON_PHONE = ["", "memories", "ask", "teach"]; // beside "More"

export function Shell() {
  const space = useSpace();
  const live = useLiveStream(space);
  const navigate = useNavigate();
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });

  useEffect(() => rememberSpace(space), [space]);
  useEffect(() => setMenu(false), [path]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPalette((open) => !open);
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  useKeys({
    "?": () => setHelp(true),
    "/": () => {
      const box = document.querySelector<HTMLInputElement>("[data-search]");
      if (box) box.focus();
      else void navigate({ to: `/${space}/memories` }).then(() => setTimeout(focusSearch, 60));
    },
  });

  return (
    <LiveContext value={live}>
      <a href="#main" className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:p-2">
        Skip to the content
      </a>
      <div className="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_minmax(0,1fr)]">
        <Sidebar onSearch={() => setPalette(true)} />
        <TopBar onSearch={() => setPalette(true)} />
        <main id="main" tabIndex={-1} className="min-w-0 outline-none">
          <Suspense fallback={<div className="mx-auto max-w-4xl p-8"><Waiting lines={6} /></div>}>
            <Outlet />
          </Suspense>
        </main>
        <BottomBar onMore={() => setMenu(true)} />
      </div>
      <Palette open={palette} onClose={() => setPalette(false)} />
      <FirstPassword />
      <Shortcuts open={help} onClose={() => setHelp(false)} />
      <Dialog title="All screens" open={menu} onClose={() => setMenu(false)}>
        <nav aria-label="All screens" className="p-4">
          <Menu />
          <div className="mt-4 border-t border-line pt-3">
            <ThemeSwitch />
          </div>
        </nav>
      </Dialog>
    </LiveContext>
  );
}

const focusSearch = () => document.querySelector<HTMLInputElement>("[data-search]")?.focus();

function Sidebar({ onSearch }: { onSearch: () => void }) {
  return (
    <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line px-3 py-4 lg:flex">
      <div className="flex items-center justify-between px-2">
        <Logo />
        <LiveLight />
      </div>
      <div className="mt-4">
        <SpacePicker />
      </div>
      <button
        type="button"
        onClick={onSearch}
        className="mt-2 flex h-9 w-full items-center gap-2 rounded-lg border border-line bg-surface px-2.5 text-sm text-muted hover:bg-sunken"
      >
        <Icon name="search" className="size-4" />
        Search
        <span className="ml-auto"><Kbd>Ctrl K</Kbd></span>
      </button>
      <nav aria-label="Screens" className="mt-3 min-h-0 flex-1 overflow-y-auto">
        <Menu />
      </nav>
      <ThemeSwitch />
    </aside>
  );
}

function Menu() {
  const space = useSpace();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isShown = (screen: ScreenEntry) => !screen.isAside || path.endsWith(`/${encodeURIComponent(space)}/${screen.path}`);
  const groups = [...new Set(SCREENS.map((screen) => screen.group))];
  return groups.map((group) => (
    <div key={group} className="mb-2.5">
      <p className="mb-0.5 px-2.5 text-xs font-medium text-muted">{group}</p>
      <ul className="space-y-px">
        {SCREENS.filter((screen) => screen.group === group && isShown(screen)).map((screen) => (
          <li key={screen.path}>
            <MenuLink screen={screen} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

function MenuLink({ screen }: { screen: ScreenEntry }) {
  const space = useSpace();
  // A low window has no room for the whole menu: the screen that is open stays in sight.
  const show = (link: HTMLAnchorElement | null) => {
    if (link?.getAttribute("aria-current") === "page") link.scrollIntoView({ block: "nearest" });
  };
  return (
    <Link
      ref={show}
      to={`/${space}${screen.path ? `/${screen.path}` : ""}` as string}
      activeOptions={{ exact: screen.path === "", includeSearch: false }}
      className="flex h-8 items-center gap-2.5 rounded-lg px-2.5 text-sm text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
    >
      <Icon name={screen.icon} />
      {screen.name}
    </Link>
  );
}

function TopBar({ onSearch }: { onSearch: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-3 border-b border-line bg-paper/90 px-4 backdrop-blur lg:hidden">
      <Logo bare />
      <div className="min-w-0 flex-1">
        <SpacePicker />
      </div>
      <LiveLight />
      <button type="button" aria-label="Search" onClick={onSearch} className="grid size-9 place-items-center rounded-lg hover:bg-sunken">
        <Icon name="search" />
      </button>
    </header>
  );
}

function BottomBar({ onMore }: { onMore: () => void }) {
  const space = useSpace();
  const item = "flex flex-1 flex-col items-center gap-0.5 py-2 text-[0.6875rem] text-muted aria-[current=page]:text-accent";
  return (
    <nav aria-label="Main screens" className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden">
      {SCREENS.filter((screen) => ON_PHONE.includes(screen.path)).map((screen) => (
        <Link
          key={screen.path}
          to={`/${space}${screen.path ? `/${screen.path}` : ""}` as string}
          activeOptions={{ exact: screen.path === "", includeSearch: false }}
          className={item}
        >
          <Icon name={screen.icon} className="size-5" />
          {screen.name}
        </Link>
      ))}
      <button type="button" onClick={onMore} className={item}>
        <Icon name="more" className="size-5" />
        More
      </button>
    </nav>
  );
}

function SpacePicker() {
  const space = useSpace();
  const found = useSpaces();
  const navigate = useNavigate();
  const names = found.includes(space) ? found : [space, ...found];
  return (
    <select
      aria-label="Space"
      value={space}
      onChange={(event) => void navigate({ to: "/$space", params: { space: event.target.value } })}
      className="h-9 w-full truncate rounded-lg border border-line bg-surface px-2 text-sm font-medium hover:bg-sunken"
    >
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

function LiveLight() {
  const { connected } = useLive();
  const said = connected ? "Live: changes appear as they happen" : "Not connected; trying again";
  return (
    <span role="img" title={said} aria-label={said} className="grid size-6 place-items-center">
      <span className={`size-2 rounded-full ${connected ? "bg-good" : "animate-pulse bg-warn"}`} />
    </span>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  return (
    <div role="group" aria-label="Colours" className="flex rounded-lg bg-sunken p-0.5 text-xs">
      {(["system", "light", "dark"] as const).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={theme === name}
          onClick={() => setTheme(name)}
          className="h-7 flex-1 rounded-md text-muted capitalize aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card"
        >
          {name}
        </button>
      ))}
    </div>
  );
}

const KEYS: [string, string][] = [
  ["Ctrl K", "search memory, or go anywhere"],
  ["/", "search in the list"],
  ["j  k", "down and up in a list"],
  ["Enter", "open what is marked"],
  ["e", "edit the note"],
  ["p", "pin it, or let it go"],
  ["x", "choose it, for several at once"],
  ["Esc", "close"],
  ["?", "this list"],
];

function Shortcuts({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" open={open} onClose={onClose}>
      <div className="p-5">
        <h2 className="mb-3 font-semibold">Keys</h2>
        <dl className="space-y-2 text-sm">
          {KEYS.map(([key, meaning]) => (
            <div key={key} className="flex items-center gap-4">
              <dt className="w-20"><Kbd>{key}</Kbd></dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
