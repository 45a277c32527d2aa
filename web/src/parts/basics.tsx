/** The small parts that every screen is made of. */
import type { UseQueryResult } from "@tanstack/react-query";
import { useState, type ButtonHTMLAttributes, type ReactNode } from "react";
import type { ServerProblem } from "../api/client";
import { Icon, type IconName } from "./icons";

type Tone = "plain" | "accent" | "quiet" | "danger";
const TONES: Record<Tone, string> = {
  plain: "border-line bg-surface hover:bg-sunken",
  accent: "border-transparent bg-accent text-accent-ink hover:opacity-90",
  quiet: "border-transparent text-muted hover:bg-sunken hover:text-ink",
  danger: "border-transparent bg-bad-soft text-bad hover:opacity-85",
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: Tone;
  icon?: IconName;
  small?: boolean;
}

export function Button({ tone = "plain", icon, small, className = "", children, ...rest }: ButtonProps) {
  const size = small ? "h-8 px-2.5 text-[0.8125rem]" : "h-9.5 px-3.5 text-sm";
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex items-center justify-center gap-1.5 rounded-lg border font-medium whitespace-nowrap transition-colors disabled:cursor-default disabled:opacity-45 ${size} ${TONES[tone]} ${className}`}
    >
      {icon && <Icon name={icon} className="size-4" />}
      {children}
    </button>
  );
}

export function Badge({ tone = "plain", children }: { tone?: "plain" | "accent" | "good" | "warn" | "bad"; children: ReactNode }) {
  const tones = {
    plain: "bg-sunken text-muted",
    accent: "bg-accent-soft text-accent",
    good: "bg-good-soft text-good",
    warn: "bg-warn-soft text-warn",
    bad: "bg-bad-soft text-bad",
  };
  return (
    <span className={`inline-flex items-center rounded-md px-1.5 py-px text-xs font-medium whitespace-nowrap ${tones[tone]}`}>
      {children}
    </span>
  );
}

export function Card({ title, aside, className = "", children }: { title?: ReactNode; aside?: ReactNode; className?: string; children: ReactNode }) {
  return (
    <section className={`min-w-0 rounded-2xl border border-line bg-surface p-4 shadow-card sm:p-5 ${className}`}>
      {(title || aside) && (
        <header className="mb-3 flex items-baseline justify-between gap-3">
          <h2 className="text-sm font-semibold">{title}</h2>
          {aside && <div className="text-xs text-muted">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** The head of a screen and its content, in one calm column. */
export function Page({ title, lead, aside, wide, children }: { title: string; lead?: ReactNode; aside?: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className={`mx-auto w-full px-4 pt-5 pb-28 sm:px-6 lg:px-8 lg:pt-8 lg:pb-12 ${wide ? "max-w-6xl" : "max-w-4xl"}`}>
      <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-[1.375rem] leading-tight font-semibold tracking-tight">{title}</h1>
          {lead && <p className="mt-1 text-sm text-muted">{lead}</p>}
        </div>
        {aside && <div className="flex flex-wrap items-center gap-2">{aside}</div>}
      </header>
      {children}
    </div>
  );
}

/** There is nothing here, why that is so, and what makes it otherwise. */
export function Empty({ icon, title, children, action }: { icon: IconName; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-6 py-14 text-center">
      <span className="mb-3 grid size-11 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon name={icon} className="size-5" />
      </span>
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 text-sm text-muted">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}

export function Problem({ error, retry }: { error: ServerProblem; retry?: () => void }) {
  return (
    <div role="alert" className="rounded-xl border border-bad/25 bg-bad-soft px-4 py-3 text-sm text-bad">
      <p className="font-medium">{error.message}</p>
      {error.hint && <p className="mt-0.5 opacity-90">{error.hint}</p>}
      {retry && <Button small className="mt-2" onClick={retry}>Try again</Button>}
    </div>
  );
}

/** An answer that is not there: it is on its way, or it failed and can be asked for again. */
export function Pending({ of, lines }: { of: Pick<UseQueryResult<unknown, ServerProblem>, "error" | "refetch">; lines?: number }) {
  return of.error ? <Problem error={of.error} retry={() => void of.refetch()} /> : <Waiting lines={lines} />;
}

/** Lines as long as what will stand there, so that nothing moves when it comes. */
export function Waiting({ lines = 4 }: { lines?: number }) {
  return (
    <div aria-busy className="space-y-3 py-1">
      <span className="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="h-4 animate-pulse rounded bg-sunken" style={{ width: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

const FIELD =
  "w-full rounded-lg border border-line bg-surface px-3 text-[0.9375rem] placeholder:text-muted focus:border-accent focus:outline-none focus-visible:ring-2 focus-visible:ring-accent/35";
export const input = `${FIELD} h-9.5`;
export const textarea = `${FIELD} py-2 leading-relaxed`;

export function Field({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <label className="block">
      <span className="mb-1 block text-[0.8125rem] font-medium">{label}</span>
      {children}
      {hint && <span className="mt-1 block text-xs text-muted">{hint}</span>}
    </label>
  );
}

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded border border-line bg-sunken px-1.5 py-px font-sans text-[0.6875rem] text-muted">{children}</kbd>
  );
}

export function Tabs<T extends string>({ tabs, at, onPick, label }: { tabs: readonly (readonly [T, ReactNode])[]; at: T; onPick: (tab: T) => void; label: string }) {
  return (
    <div role="tablist" aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(([name, said]) => (
        <button
          key={name}
          role="tab"
          type="button"
          aria-selected={at === name}
          onClick={() => onPick(name)}
          className={`-mb-px border-b-2 px-3 py-2 text-sm whitespace-nowrap ${
            at === name ? "border-accent font-medium text-ink" : "border-transparent text-muted hover:text-ink"
          }`}
        >
          {said}
        </button>
      ))}
    </div>
  );
}

/** A text to take along, as it is. */
export function Copied({ text, label = "Copy" }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <Button small tone="quiet" icon={done ? "check" : "copy"} onClick={() => void copy()}>
      {done ? "Copied" : label}
    </Button>
  );
}

export function Code({ children }: { children: string }) {
  return (
    <pre className="overflow-x-auto rounded-xl bg-sunken p-3.5 font-mono text-[0.8125rem] leading-relaxed break-words whitespace-pre-wrap" tabIndex={0}>
      {children}
    </pre>
  );
}
