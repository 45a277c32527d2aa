/** Times, numbers and names as people read them. */

const DAY = 86_400_000;

/** "today", "yesterday", "12 Jun" or "12 Jun 2024": as short as it can be without being unclear. */
export function day(moment: string | null | undefined, now = new Date()): string {
  if (!moment) return "";
  const at = new Date(moment);
  if (at.getFullYear() < 1900) return ""; // what has no time yet
  const days = Math.round((startOf(now) - startOf(at)) / DAY);
  if (days === 0) return "today";
  if (days === 1) return "yesterday";
  const year = at.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", year });
}

/** "just now", "5 min ago", "3 h ago", then the day. */
export function ago(moment: string | null | undefined, now = new Date()): string {
  if (!moment) return "";
  const seconds = (now.getTime() - new Date(moment).getTime()) / 1000;
  if (seconds < 0 || seconds >= 43_200) return day(moment, now);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3600)} h ago`;
}

export const clock = (moment: string): string =>
  new Date(moment).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

export const count = (number: number): string => number.toLocaleString("en-GB");

export function many(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`;
}

export function bytes(size: number | null | undefined): string {
  if (size == null) return "";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let left = size;
  while (left >= 1000 && unit < units.length - 1) {
    left /= 1000;
    unit += 1;
  }
  return `${left < 10 && unit > 0 ? left.toFixed(1) : Math.round(left)} ${units[unit]}`;
}

/** "person:ana" is Ana to people; a subject that is only a digest is nothing to them. */
export function subjectName(subject: string | null | undefined): string {
  if (!subject) return "";
  const name = subject.slice(subject.indexOf(":") + 1).replaceAll(/[_-]/g, " ");
  if (/^[0-9a-f]{12,}$/.test(name)) return "";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export const words = (name: string): string => name.replaceAll(/[_-]/g, " ");

/** A validity in words: "since 1 Jun", "until 3 May", "1 Mar to 1 Jun". */
export function validity(from?: string | null, until?: string | null): string {
  if (from && until) return `${day(from)} to ${day(until)}`;
  if (from) return `since ${day(from)}`;
  return until ? `until ${day(until)}` : "";
}

/** The last `days` days, oldest first, as YYYY-MM-DD in UTC, which is how the server counts them. */
export function lastDays(days: number, now = new Date()): string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(now.getTime() - (days - 1 - index) * DAY).toISOString().slice(0, 10),
  );
}

function startOf(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
