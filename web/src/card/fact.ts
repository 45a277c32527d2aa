/** The life of a fact as the tool `timeline` tells it: pure, so that it can be tried without a page. */
export type Step = {
  id: string;
  text: string;
  date?: string;
  state?: string;
  origin?: string;
  recorded?: string;
  versions?: number;
  review?: string;
  said?: string;
  confidence?: number;
  changes?: Change[];
};
export type Change = { older: string; newer: string; denied?: boolean };

/** The life of a fact in the answer of a tool; nothing if it answered something else. */
export function stepsIn(answer: unknown): Step[] | undefined {
  const told = (answer as { structuredContent?: unknown })?.structuredContent ?? parsed(answer);
  const { steps } = (told ?? {}) as { steps?: unknown };
  return Array.isArray(steps) ? steps.filter(isStep) : undefined;
}

/** The words of an answer, for what is no life of a fact: a refusal, for one. */
export function wordsIn(answer: unknown): string {
  const content = (answer as { content?: unknown })?.content;
  if (!Array.isArray(content)) return "";
  return content.map((each: { text?: unknown }) => (typeof each?.text === "string" ? each.text : "")).join("\n").trim();
}

function parsed(answer: unknown): unknown {
  try {
    return JSON.parse(wordsIn(answer));
  } catch {
    return undefined;
  }
}

function isStep(each: unknown): each is Step {
  const step = each as Step;
  return typeof step?.id === "string" && typeof step.text === "string";
}

/** Why a step is believed, in one line. */
export function reason(step: Step): string {
  const versions = step.versions && step.versions > 1 ? `changed ${step.versions - 1}×` : "";
  const sure = step.confidence === undefined ? "" : `${Math.round(step.confidence * 100)}% sure`;
  const recorded = step.recorded ? `written down ${step.recorded.slice(0, 10)}` : "";
  return [step.origin, recorded, versions, sure].filter(Boolean).join("  ·  ");
}
