/** Every screen once: its address below the space, its name, its place in the menu. The menu, the palette and the router
 * are made of this. Each is loaded when it is first opened. */
import { lazy, type ComponentType } from "react";
import type { IconName } from "../parts/icons";

export interface ScreenEntry {
  path: string;
  name: string;
  icon: IconName;
  group: "Memory" | "Time" | "Working set" | "System";
  component: ComponentType;
  isAside?: boolean; // found by the palette, and in the menu only while it is open
}

const screen = (load: () => Promise<{ default: ComponentType }>): ComponentType => lazy(load);

export const SCREENS: ScreenEntry[] = [
  { path: "", name: "Overview", icon: "overview", group: "Memory", component: screen(() => import("./overview")) },
  { path: "memories", name: "Memories", icon: "memories", group: "Memory", component: screen(() => import("./memories")) },
  { path: "ask", name: "Ask", icon: "question", group: "Memory", component: screen(() => import("./ask")) },
  { path: "teach", name: "Teach", icon: "teach", group: "Memory", component: screen(() => import("./teach")) },
  { path: "review", name: "Review", icon: "review", group: "Memory", component: screen(() => import("./review")) },
  { path: "graph", name: "Graph", icon: "graph", group: "Memory", component: screen(() => import("./graph")) },
  { path: "time", name: "Time machine", icon: "clock", group: "Time", component: screen(() => import("./time-machine")) },
  { path: "sessions", name: "Sessions", icon: "sessions", group: "Time", component: screen(() => import("./sessions")) },
  { path: "history", name: "History", icon: "history", group: "Time", component: screen(() => import("./history")) },
  { path: "profile", name: "Profile", icon: "person", group: "Working set", component: screen(() => import("./profile")) },
  { path: "lessons", name: "Lessons", icon: "lesson", group: "Working set", component: screen(() => import("./lessons")) },
  { path: "slots", name: "Slots", icon: "slots", group: "Working set", component: screen(() => import("./slots")) },
  { path: "actions", name: "Actions", icon: "actions", group: "Working set", component: screen(() => import("./actions")) },
  { path: "jobs", name: "Jobs", icon: "jobs", group: "System", component: screen(() => import("./jobs")) },
  { path: "evaluation", name: "Evaluation", icon: "evaluation", group: "System", component: screen(() => import("./evaluation")) },
  { path: "access", name: "Spaces and access", icon: "key", group: "System", component: screen(() => import("./access")) },
  { path: "health", name: "Health and spend", icon: "health", group: "System", component: screen(() => import("./health")) },
  { path: "connect", name: "Connect", icon: "connect", group: "System", component: screen(() => import("./connect")) },
  { path: "components", name: "Components", icon: "overview", group: "System", isAside: true, component: screen(() => import("./components")) },
];
