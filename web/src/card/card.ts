/** The fact card inside a chat: the life of a fact, why it is believed, and buttons that say what is wrong with it. */
import "./card.css";
import { reason, stepsIn, wordsIn, type Change, type Step } from "./fact";
import { Host, PROTOCOL } from "./host";

const STYLES = ["--color-background-primary", "--color-text-primary", "--color-text-secondary", "--color-border-primary", "--font-sans"];
const page = document.getElementById("card")!;
let asked: Record<string, unknown> = {};

const host = new Host((method, params) => {
  if (method === "ui/notifications/tool-input") asked = (params.arguments ?? {}) as Record<string, unknown>;
  if (method === "ui/notifications/tool-result") show(params);
  if (method === "ui/notifications/tool-cancelled") say("The question was taken back.");
  if (method === "ui/notifications/host-context-changed") dress(params);
});

/** An element with a text; texts are never read as HTML. */
function made<K extends keyof HTMLElementTagNameMap>(name: K, kind: string, text = "", ...inside: Node[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.className = kind;
  element.textContent = text;
  element.append(...inside);
  return element;
}

function show(answer: unknown): void {
  const steps = stepsIn(answer);
  if (!steps || steps.length === 0) return say((!steps && wordsIn(answer)) || "Nothing is known about it.");
  const list = made("ol", "life", "", ...steps.toReversed().map(row));
  page.replaceChildren(list, made("p", "said"));
}

function row(step: Step): HTMLElement {
  const holds = !step.state || step.state === "active";
  const item = made("li", holds ? "step holds" : "step");
  item.append(made("p", "when", [step.date, holds ? "" : step.state].filter(Boolean).join("  ·  ")));
  item.append(made("p", "text", step.text));
  if (step.said) item.append(made("blockquote", "quote", step.said));
  item.append(made("p", "why", reason(step)));
  if (step.review) item.append(made("p", "review", `to review: ${step.review}`));
  const verdicts = holds ? ["Wrong", "Outdated"] : [];
  const buttons = verdicts.map((label) => button(label, { note_id: step.id, verdict: label.toLowerCase() }));
  item.append(made("div", "acts", "", ...buttons, ...(step.changes ?? []).map(denial)));
  return item;
}

function denial(change: Change): HTMLElement {
  if (change.denied) return made("span", "why", "denied: not a change");
  return button("Not a change", { note_id: change.newer, not_a_change_of: change.older });
}

function button(label: string, meant: Record<string, string>): HTMLButtonElement {
  const element = made("button", "act", label);
  element.type = "button";
  element.addEventListener("click", () => void act(element, meant));
  return element;
}

/** Have the host call the tool, then look at the fact anew. */
async function act(element: HTMLButtonElement, given: Record<string, string>): Promise<void> {
  element.disabled = true;
  try {
    const done = await called("feedback", given);
    if (done.isError) throw new Error(wordsIn(done) || "It was refused.");
    const again = await called("timeline", Object.keys(asked).length > 0 ? asked : { note_id: given.note_id });
    if (!again.isError) show(again);
    note("Noted. It counts from now on.");
  } catch (problem) {
    element.disabled = false;
    note((problem as Error).message);
  }
}

async function called(name: string, given: Record<string, unknown>): Promise<{ isError?: boolean }> {
  return ((await host.ask("tools/call", { name, arguments: given })) ?? {}) as { isError?: boolean };
}

function say(words: string): void {
  page.replaceChildren(made("p", "said", words));
}

function note(words: string): void {
  const place = page.querySelector(".said:last-child") ?? page.appendChild(made("p", "said"));
  place.textContent = words;
}

/** The colours of the host, as far as it says them; fonts from elsewhere are left alone. */
function dress(context: Record<string, unknown>): void {
  const root = document.documentElement;
  if (context.theme === "light" || context.theme === "dark") root.style.colorScheme = context.theme;
  const variables = ((context.styles as { variables?: unknown })?.variables ?? {}) as Record<string, unknown>;
  for (const name of STYLES) {
    const value = variables[name];
    if (typeof value === "string") root.style.setProperty(name, value);
  }
}

async function begin(): Promise<void> {
  page.setAttribute("aria-live", "polite");
  const said = (await host.ask("ui/initialize", {
    protocolVersion: PROTOCOL,
    appInfo: { name: "recollect-fact-card", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  })) as { hostContext?: Record<string, unknown> };
  dress(said?.hostContext ?? {});
  host.tell("ui/notifications/initialized");
  new ResizeObserver(() => {
    const { width, height } = page.getBoundingClientRect();
    host.tell("ui/notifications/size-changed", { width: Math.ceil(width), height: Math.ceil(height) });
  }).observe(page);
}

void begin();
