import { describe, expect, it } from "vitest";
import { reason, stepsIn, wordsIn } from "./fact";

const step = { id: "01", text: "Alice lives in Berlin" };

describe("the life of a fact", () => {
  it("is read from the object of an answer, or from its text", () => {
    expect(stepsIn({ structuredContent: { steps: [step] } })).toEqual([step]);
    expect(stepsIn({ content: [{ type: "text", text: JSON.stringify({ steps: [step] }) }] })).toEqual([step]);
  });

  it("is nothing where a tool refused, whose words are told", () => {
    const refused = { isError: true, structuredContent: { error: {} }, content: [{ type: "text", text: "No such note." }] };
    expect(stepsIn(refused)).toBeUndefined();
    expect(wordsIn(refused)).toBe("No such note.");
  });

  it("leaves out what is no step", () => {
    expect(stepsIn({ structuredContent: { steps: [null, 3, { id: 1 }, step] } })).toEqual([step]);
  });

  it("says in one line why a step is believed", () => {
    expect(reason({ ...step, origin: "said by sam", recorded: "2026-01-02T10:00:00Z", versions: 3, confidence: 0.6 })).toBe(
      "said by sam  ·  written down 2026-01-02  ·  changed 2×  ·  60% sure",
    );
    expect(reason(step)).toBe("");
  });
});
