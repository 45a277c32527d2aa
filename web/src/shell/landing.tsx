/** The first page of a shared server, for whoever comes by: what this is, and the way in. It asks for nothing and knows nothing. */
import type { ReactNode } from "react";
import { Icon, type IconName } from "../parts/icons";
import { Logo } from "./logo";

const POINTS: [IconName, string, string][] = [
  ["memories", "It remembers what is said", "Facts, decisions and how things are done, each with the words it was read from."],
  ["clock", "It knows what changed", "What is true now, what was true then, and when it came to know."],
  ["connect", "Your agents share it", "One memory for coding agents, chats and programs, and a dashboard for people."],
  ["key", "This page keeps to itself", "It asks no other host for anything."],
];

export function Landing({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-6xl content-center gap-10 px-5 py-10 lg:grid-cols-[minmax(0,1fr)_25rem] lg:items-center lg:gap-16 lg:px-10">
      <div>
        <Logo />
        <h1 className="mt-8 text-3xl leading-tight font-semibold tracking-tight text-balance sm:text-4xl">A memory that agents and people share</h1>
        <p className="mt-3 max-w-prose text-lg text-muted">Recollect keeps what is worth knowing and hands the right few lines back at the right moment.</p>
        <ul className="mt-8 grid gap-5 sm:grid-cols-2">
          {POINTS.map(([icon, title, said]) => (
            <li key={title} className="flex gap-3">
              <span className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-accent"><Icon name={icon} /></span>
              <span>
                <span className="block font-medium">{title}</span>
                <span className="block text-sm text-muted">{said}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div className="rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-8">{children}</div>
    </main>
  );
}
