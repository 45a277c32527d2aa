import { expect, test } from "vitest";
import { lookingAt, mapped, onScreen, pointAt, turned, zoomed, type Vector } from "./space-map";

const apart = (one: Vector, other: Vector) => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
const PROJECTS = Array.from({ length: 300 }, (_, index) => [null, "gateway", "billing", "gateway"][index % 4]);

test("projects are hubs, the largest first, and each note is near its own", () => {
  const map = mapped(PROJECTS);
  expect(map.hubs.map((hub) => [hub.name, hub.notes.length])).toEqual([["gateway", 150], ["", 75], ["billing", 75]]);
  for (const hub of map.hubs) {
    for (const note of hub.notes) {
      const own = apart(map.places[note], hub.at);
      expect(own).toBeLessThanOrEqual(hub.radius + 1e-9);
      for (const other of map.hubs) if (other !== hub) expect(apart(map.places[note], other.at)).toBeGreaterThan(own);
    }
  }
});

test("a map is always the same, keeps its points apart, and needs no project and no note", () => {
  const map = mapped(PROJECTS);
  expect(mapped(PROJECTS)).toEqual(map);
  for (let one = 0; one < 60; one += 1) for (let other = one + 1; other < 60; other += 1) expect(apart(map.places[one], map.places[other])).toBeGreaterThan(0.05);
  expect(mapped([]).hubs).toEqual([]);
  expect(mapped([null]).hubs[0].at).toEqual([0, 0, 0]);
});

test("the whole map is in sight, however it is turned", () => {
  const map = mapped(PROJECTS);
  let camera = lookingAt([0, 0, 0], map.radius);
  for (let step = 0; step < 12; step += 1) {
    camera = turned(camera, 0.55, step % 2 ? 0.4 : -0.4);
    for (const place of map.places) {
      const at = onScreen(place, camera, 800, 600);
      expect(at && at.x >= 0 && at.x <= 800 && at.y >= 0 && at.y <= 600).toBe(true);
    }
  }
});

test("the camera never goes over the top, through the map or out of sight", () => {
  const camera = lookingAt([0, 0, 0], 10);
  expect(turned(camera, 0, 99).tilt).toBeLessThan(Math.PI / 2);
  expect(zoomed(camera, 1e-9, 10).distance).toBe(2.5);
  expect(zoomed(camera, 1e9, 10).distance).toBe(60);
  expect(onScreen([0, 0, 99], { ...camera, turn: 0, tilt: 0 }, 800, 600)).toBeUndefined();
});

test("a click finds the point that is drawn there, and nothing where there is none", () => {
  const map = mapped(PROJECTS);
  const camera = lookingAt([0, 0, 0], map.radius);
  const at = onScreen(map.places[7], camera, 800, 600);
  const found = pointAt(map.places, camera, 800, 600, at?.x ?? 0, at?.y ?? 0) ?? -1;
  const there = onScreen(map.places[found], camera, 800, 600);
  expect(Math.hypot((there?.x ?? 0) - (at?.x ?? 0), (there?.y ?? 0) - (at?.y ?? 0))).toBeLessThan(14);
  expect(pointAt(map.places, camera, 800, 600, 2, 2)).toBeUndefined();
});
