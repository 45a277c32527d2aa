import { expect, test } from "vitest";
import { changesOf, overlap } from "./comparison";
import { settingsOf, unlike, withoutSecond, withSettings } from "./settings";

test("an entry is only here, in the same place, higher or lower than there", () => {
  const changes = changesOf(["a", "b", "c", "d"], ["b", "a", "c", "x"]);
  expect([...changes.values()]).toEqual([{ kind: "up", by: 1 }, { kind: "down", by: 1 }, { kind: "same" }, { kind: "only" }]);
  expect(changesOf([], ["a"]).size).toBe(0);
});

test("both sides tell the same story", () => {
  const [here, there] = [["a", "b", "c"], ["c", "b", "x", "a"]];
  const [left, right] = [changesOf(here, there), changesOf(there, here)];
  for (const [id, change] of left) {
    const other = right.get(id);
    if (change.kind === "up") expect(other).toEqual({ kind: "down", by: change.by });
    if (change.kind === "down") expect(other).toEqual({ kind: "up", by: change.by });
    if (change.kind === "only") expect(other).toBeUndefined();
  }
  expect(overlap(here, there)).toEqual({ both: 3, one: 0, other: 1 });
});

test("settings of two sides are kept in one address and do not touch each other", () => {
  const address = withSettings({ q: "tea", at: "2026-01-01" }, "b_", { as_of: "2026-02-01", kind: "lesson" });
  expect(address).toEqual({ q: "tea", at: "2026-01-01", b_at: "2026-02-01", b_kind: "lesson" });
  expect(settingsOf(address, "")).toEqual({ as_of: "2026-01-01" });
  expect(settingsOf(address, "b_")).toEqual({ as_of: "2026-02-01", kind: "lesson" });
  expect(unlike(settingsOf(address, ""), settingsOf(address, "b_"))).toEqual(["as_of", "kind"]);
  expect(withoutSecond({ ...address, two: "yes" })).toEqual({ q: "tea", at: "2026-01-01" });
});

test("an emptied setting is gone, and an empty one is none", () => {
  expect(settingsOf(withSettings({ kind: "lesson", q: "x" }, "", { kind: undefined }), "")).toEqual({});
  expect(settingsOf({ kind: "", tag: "home" }, "")).toEqual({ tag: "home" });
  expect(settingsOf(withSettings({}, "", { as_of: "" }), "")).toEqual({});
});

test("models that are left out stand in the address, and only known ones count", () => {
  const address = withSettings({ q: "tea" }, "b_", { without: ["reranker", "judge"] });
  expect(address).toEqual({ q: "tea", b_without: "reranker.judge" });
  expect(settingsOf(address, "b_")).toEqual({ without: ["reranker", "judge"] });
  expect(settingsOf({ without: "all.sense" }, "")).toEqual({});
  expect(unlike(settingsOf(address, ""), settingsOf(address, "b_"))).toEqual(["without"]);
  expect(unlike(settingsOf(address, "b_"), settingsOf(address, "b_"))).toEqual([]);
  expect(withSettings(address, "b_", { without: [] }).b_without).toBeUndefined();
});
