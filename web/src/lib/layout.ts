/** Places for the points of a graph: those that are linked pull each other, all push each other apart. Always the same
 * for the same graph, for the first places are on a spiral and nothing is by chance. */

export interface Point {
  id: string;
  x: number;
  y: number;
}

const ROUNDS = 220;
const APART = 40; // the distance that two linked points would like to have

export function laidOut(ids: string[], links: [number, number][]): Point[] {
  const points = ids.map((id, index) => {
    const [turn, far] = [index * 2.399963, 14 * Math.sqrt(index + 0.5)];
    return { id, x: far * Math.cos(turn), y: far * Math.sin(turn) };
  });
  const degree = new Array<number>(ids.length).fill(0);
  for (const [one, other] of links) {
    degree[one] += 1;
    degree[other] += 1;
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const heat = 12 * (1 - round / ROUNDS);
    const moves = points.map(() => [0, 0]);
    for (let i = 0; i < points.length; i += 1) {
      for (let j = i + 1; j < points.length; j += 1) {
        const [dx, dy] = [points[i].x - points[j].x, points[i].y - points[j].y];
        const square = Math.max(dx * dx + dy * dy, 1);
        const push = (APART * APART * 0.55) / square;
        moves[i][0] += dx * push;
        moves[i][1] += dy * push;
        moves[j][0] -= dx * push;
        moves[j][1] -= dy * push;
      }
      // Towards the middle, more so up and down: a screen is wider than it is high.
      moves[i][0] -= points[i].x * 0.22;
      moves[i][1] -= points[i].y * 0.4;
    }
    for (const [one, other] of links) {
      const [dx, dy] = [points[one].x - points[other].x, points[one].y - points[other].y];
      const length = Math.max(Math.hypot(dx, dy), 0.1);
      const pull = ((length - APART) / length) * 0.5;
      moves[one][0] -= (dx * pull) / Math.sqrt(degree[one]);
      moves[one][1] -= (dy * pull) / Math.sqrt(degree[one]);
      moves[other][0] += (dx * pull) / Math.sqrt(degree[other]);
      moves[other][1] += (dy * pull) / Math.sqrt(degree[other]);
    }
    points.forEach((point, index) => {
      const length = Math.max(Math.hypot(moves[index][0], moves[index][1]), 0.01);
      const step = Math.min(length, heat) / length;
      point.x += moves[index][0] * step;
      point.y += moves[index][1] * step;
    });
  }
  return points;
}
