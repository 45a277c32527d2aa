import { expect, test } from "vitest";
import { given, pathOf } from "../api/client";
import { wordDiff } from "./diff";
import { laidOut } from "./layout";
import { ago, bytes, day, lastDays, many, subjectName, validity } from "./format";

const NOW = new Date("2026-06-15T12:00:00Z");

test("a difference keeps the common words and names what came and went", () => {
  expect(wordDiff("I live in Berlin", "I live in Austin now")).toEqual([
    { text: "I live in ", kind: "same" },
    { text: "Berlin", kind: "went" },
    { text: "Austin now", kind: "came" },
  ]);
  expect(wordDiff("", "")).toEqual([]);
  expect(wordDiff("same", "same")).toEqual([{ text: "same", kind: "same" }]);
});

test("both sides of a difference can be put together again", () => {
  const [before, after] = ["a b  c d e", "a c x  d\ne f"];
  const pieces = wordDiff(before, after);
  expect(pieces.filter((each) => each.kind !== "came").map((each) => each.text).join("")).toBe(before);
  expect(pieces.filter((each) => each.kind !== "went").map((each) => each.text).join("")).toBe(after);
});

test("a very long text is one change and not a very long wait", () => {
  expect(wordDiff("x ".repeat(5000), "y ".repeat(5000))).toHaveLength(2);
});

test("times are as short as they can be", () => {
  expect(ago("2026-06-15T11:59:40Z", NOW)).toBe("just now");
  expect(ago("2026-06-15T11:15:00Z", NOW)).toBe("45 min ago");
  expect(day("2026-06-14T12:00:00Z", NOW)).toBe("yesterday");
  expect(day("2024-01-02T12:00:00Z", NOW)).toBe("2 Jan 2024");
  expect(validity("2024-01-02T12:00:00Z", null)).toBe("since 2 Jan 2024");
  expect(lastDays(2, NOW)).toEqual(["2026-06-14", "2026-06-15"]);
});

test("numbers and names read as people write them", () => {
  expect(bytes(1_240_128)).toBe("1.2 MB");
  expect(many(1, "note")).toBe("1 note");
  expect(many(12_000, "note")).toBe("12,000 notes");
  expect(subjectName("person:ana_maria")).toBe("Ana maria");
  expect(subjectName("lesson:c7b35f4ef5a93e66")).toBe("");
});

test("a verb of a space stands below it, and a space cannot climb out of its place", () => {
  expect(pathOf("sam", "jobs.list")).toBe("/v1/spaces/sam/jobs/list");
  expect(pathOf("sam", "spaces.list")).toBe("/v1/spaces/list");
  expect(pathOf("../x", "list")).toBe("/v1/spaces/..%2Fx/list");
  expect(given({ a: "", b: undefined, c: 0, d: false })).toEqual({ c: 0, d: false });
});

test("a layout is always the same, keeps its points apart and linked ones near", () => {
  const ids = Array.from({ length: 30 }, (_, index) => `n${index}`);
  const links = ids.slice(1).map((_, index): [number, number] => [0, index + 1]);
  const points = laidOut(ids, links);
  expect(points).toEqual(laidOut(ids, links));
  const far = (one: number, other: number) => Math.hypot(points[one].x - points[other].x, points[one].y - points[other].y);
  for (let one = 1; one < 30; one += 1) {
    expect(far(0, one)).toBeLessThan(220);
    for (let other = one + 1; other < 30; other += 1) expect(far(one, other)).toBeGreaterThan(3);
  }
});
