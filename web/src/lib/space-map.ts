/** Notes in space: projects are hubs on a sphere, and the notes of each fill a ball around it. The same notes always have
 * the same places. Below, the camera that looks at them: a turn, a tilt, a distance and the point in the middle. */

export type Vector = readonly [number, number, number];

export interface Hub {
  name: string;
  at: Vector;
  radius: number;
  notes: number[]; // places in the list of notes
}

export interface SpaceMap {
  hubs: Hub[];
  places: Vector[]; // of the notes, in the order of the list
  radius: number; // of everything, from the origin, which is the middle of the hubs
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const ROOM = 1.35; // how far neighbouring balls stand apart, as a share of their size

/** The place of one of several points that share a sphere of radius one evenly. */
export function onSphere(index: number, among: number): Vector {
  const y = 1 - (2 * (index + 0.5)) / among;
  const around = Math.sqrt(1 - y * y);
  return [Math.cos(index * GOLDEN) * around, y, Math.sin(index * GOLDEN) * around];
}

const scaled = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by];
const sum = (one: Vector, other: Vector): Vector => [one[0] + other[0], one[1] + other[1], one[2] + other[2]];

/** The largest hub first; of equal ones by name. */
export function mapped(projects: (string | null)[]): SpaceMap {
  const members = new Map<string, number[]>();
  projects.forEach((project, index) => {
    const name = project ?? "";
    const found = members.get(name);
    if (found) found.push(index);
    else members.set(name, [index]);
  });
  const groups = [...members].sort(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1));
  const sizes = groups.map(([, notes]) => Math.cbrt(notes.length));
  const far = groups.length === 1 ? 0 : Math.max(...sizes, 1) * ROOM * Math.max(1, Math.sqrt(groups.length / Math.PI));
  const places: Vector[] = new Array<Vector>(projects.length);
  const spots = groups.map((_, index) => scaled(onSphere(index, groups.length), far));
  const middle = scaled(spots.reduce(sum, [0, 0, 0]), -1 / Math.max(1, spots.length));
  const hubs = groups.map(([name, notes], index): Hub => {
    const at = sum(spots[index], middle);
    notes.forEach((note, place) => {
      const deep = Math.cbrt((place + 0.9) / notes.length);
      places[note] = sum(at, scaled(onSphere(place, notes.length), sizes[index] * deep));
    });
    return { name, at, radius: sizes[index], notes };
  });
  return { hubs, places, radius: Math.max(1, ...hubs.map((hub) => Math.hypot(...hub.at) + hub.radius)) };
}

export interface Camera {
  turn: number; // radians around the upright
  tilt: number; // radians up or down
  distance: number;
  middle: Vector;
}

export const FOCAL = 1.6; // about 64 degrees across the shorter side
const STEEPEST = 1.45; // radians: never over the top, where up becomes down

export function turned(camera: Camera, turn: number, tilt: number): Camera {
  return { ...camera, turn: camera.turn + turn, tilt: Math.max(-STEEPEST, Math.min(STEEPEST, camera.tilt + tilt)) };
}

const REACH = 6; // radii of the map, from the point in the middle

export function zoomed(camera: Camera, by: number, radius: number): Camera {
  return { ...camera, distance: Math.max(radius * 0.25, Math.min(radius * REACH, camera.distance * by)) };
}

/** How far away a point of the map can be: the middle may be at one edge, and the point at the other. */
export const farthest = (radius: number): number => radius * (REACH + 2);

export const FIRST: Camera = { turn: 0.5, tilt: 0.25, distance: 10, middle: [0, 0, 0] };
const MARGIN = 1.12; // room for names at the edge

/** The camera, as far away as it takes to have all of some points in sight at this turn and tilt. */
export function fitted(camera: Camera, points: Vector[], width: number, height: number): Camera {
  const least = Math.min(width, height);
  const needed = points.map((point) => {
    const [right, up, away] = seen(point, { ...camera, distance: 0 });
    return MARGIN * FOCAL * least * Math.max(Math.abs(right) / width, Math.abs(up) / height) - away;
  });
  return { ...camera, distance: Math.max(1.5, ...needed) };
}

/** As the camera sees it: to the right, up, and away from it. */
export function seen(point: Vector, { turn, tilt, distance, middle }: Camera): Vector {
  const [x, y, z] = [point[0] - middle[0], point[1] - middle[1], point[2] - middle[2]];
  const [across, deep] = [x * Math.cos(turn) - z * Math.sin(turn), x * Math.sin(turn) + z * Math.cos(turn)];
  return [across, y * Math.cos(tilt) - deep * Math.sin(tilt), distance - (y * Math.sin(tilt) + deep * Math.cos(tilt))];
}

/** Where a point stands on a screen, in pixels; `undefined` behind the camera. */
export function onScreen(point: Vector, camera: Camera, width: number, height: number): { x: number; y: number; away: number } | undefined {
  const [right, up, away] = seen(point, camera);
  if (away < 0.1) return undefined;
  const scale = (FOCAL * Math.min(width, height)) / 2 / away;
  return { x: width / 2 + right * scale, y: height / 2 - up * scale, away };
}

/** The nearest point within some pixels of a place on the screen, the one in front first. */
export function pointAt(places: Vector[], camera: Camera, width: number, height: number, x: number, y: number, within = 14): number | undefined {
  let best: number | undefined;
  let least = within * within;
  places.forEach((place, index) => {
    const at = onScreen(place, camera, width, height);
    if (!at) return;
    const apart = (at.x - x) ** 2 + (at.y - y) ** 2 + at.away * 0.01;
    if (apart < least) [best, least] = [index, apart];
  });
  return best;
}
