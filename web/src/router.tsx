/** Addresses: the space, then the screen. Everything that can be looked at has one. */
import { createRootRoute, createRoute, createRouter, Navigate, Outlet } from "@tanstack/react-router";
import { Card, Empty, Page } from "./parts/basics";
import { NoteDetail } from "./screens/note-detail";
import { SCREENS } from "./screens/table";
import { Gate, useFirstSpace } from "./shell/gate";
import { Shell } from "./shell/shell";

const root = createRootRoute({
  component: () => (
    <Gate>
      <Outlet />
    </Gate>
  ),
});

/** The part of an address after `?`, as texts: filters of a list, a question, a time. */
export interface Looked {
  q?: string;
  kind?: string;
  state?: string;
  tag?: string;
  subject?: string;
  project?: string;
  pinned?: string;
  at?: string;
  known?: string;
  tab?: string;
}

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: function Home() {
    const space = useFirstSpace();
    return space ? <Navigate to="/$space" params={{ space }} replace /> : null;
  },
});

const space = createRoute({
  getParentRoute: () => root,
  path: "/$space",
  component: Shell,
  validateSearch: (search: Record<string, unknown>): Looked =>
    Object.fromEntries(Object.entries(search).filter(([, said]) => said != null).map(([name, said]) => [name, String(said)])),
});

const screens = SCREENS.map((entry) => {
  const route = createRoute({
    getParentRoute: () => space,
    path: entry.path || "/",
    component: entry.component as () => React.ReactNode,
  });
  if (entry.path !== "memories") return route;
  return route.addChildren([createRoute({ getParentRoute: () => route, path: "$note", component: NoteDetail })]);
});

const NoScreen = () => (
  <Page title="No such screen">
    <Card>
      <Empty icon="overview" title="There is nothing at this address">The menu leads to every screen.</Empty>
    </Card>
  </Page>
);

export const router = createRouter({
  routeTree: root.addChildren([home, space.addChildren(screens)]),
  basepath: "/ui",
  defaultNotFoundComponent: NoScreen,
  // Filters are plain texts: `q=123` is asked for as it was typed.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const said = new URLSearchParams(
      Object.entries(search).filter(([, value]) => value != null && value !== "") as [string, string][],
    ).toString();
    return said ? `?${said}` : "";
  },
  scrollRestoration: true,
});
