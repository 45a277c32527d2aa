import { expect, test } from "vitest";
import { farthest, FIRST, fitted, mapped, onScreen, pointAt, seen, turned, zoomed, type Vector } from "./space-map";

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

test.each([[800, 600], [360, 700]])("the whole map is in sight and fills a screen of %i by %i, however it is turned", (width, height) => {
  const map = mapped(PROJECTS);
  let camera = FIRST;
  for (let step = 0; step < 12; step += 1) {
    camera = fitted(turned(camera, 0.55, step % 2 ? 0.4 : -0.4), map.places, width, height);
    const shown = map.places.map((place) => onScreen(place, camera, width, height) ?? { x: -1, y: -1 });
    expect(shown.every((at) => at.x >= 0 && at.x <= width && at.y >= 0 && at.y <= height)).toBe(true);
    expect(Math.max(...shown.map((at) => Math.max(Math.abs(at.x / width - 0.5), Math.abs(at.y / height - 0.5))))).toBeGreaterThan(0.4);
  }
});

test("the camera never goes over the top, through the map or out of sight", () => {
  const camera = { ...FIRST, distance: 20 };
  expect(turned(camera, 0, 99).tilt).toBeLessThan(Math.PI / 2);
  expect(zoomed(camera, 1e-9, 10).distance).toBe(2.5);
  expect(zoomed(camera, 1e9, 10).distance).toBe(60);
  expect(onScreen([0, 0, 99], { ...camera, turn: 0, tilt: 0 }, 800, 600)).toBeUndefined();
});

test("no point of a large map is too far away to be drawn, whichever hub is in the middle", () => {
  const map = mapped(Array.from({ length: 2000 }, (_, index) => `project ${index}`));
  for (const hub of map.hubs.filter((_, index) => index % 400 === 0)) {
    const camera = zoomed({ ...FIRST, middle: hub.at }, 1e9, map.radius);
    for (let step = 0; step < 8; step += 1) {
      const away = map.places.map((place) => seen(place, turned(camera, step * 0.8, step % 2 ? 0.9 : -0.9))[2]);
      expect(Math.max(...away)).toBeLessThan(farthest(map.radius));
    }
  }
});

test("a click finds the point that is drawn there, and nothing where there is none", () => {
  const map = mapped(PROJECTS);
  const camera = fitted(FIRST, map.places, 800, 600);
  const at = onScreen(map.places[7], camera, 800, 600);
  const found = pointAt(map.places, camera, 800, 600, at?.x ?? 0, at?.y ?? 0) ?? -1;
  const there = onScreen(map.places[found], camera, 800, 600);
  expect(Math.hypot((there?.x ?? 0) - (at?.x ?? 0), (there?.y ?? 0) - (at?.y ?? 0))).toBeLessThan(14);
  expect(pointAt(map.places, camera, 800, 600, 2, 2)).toBeUndefined();
});
