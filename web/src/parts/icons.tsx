/** Icons, drawn on a grid of 24 with one line width, so that they sit well beside text. */
const PATHS = {
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z",
  memories: "M5 4h11l3 3v13H5zM9 10h6M9 14h6M9 18h3",
  ask: "M20 12a8 8 0 1 1-3-6.2M20 4v5h-5",
  question: "M9.2 9a3 3 0 1 1 4 2.8c-.8.4-1.2 1-1.2 2M12 17.5v.1M21 12a9 9 0 1 1-9-9 9 9 0 0 1 9 9",
  teach: "M12 20h8M4 20l1-4L16 5l3 3L8 19z",
  review: "M9 11l3 3 8-8M20 12v7H4V5h11",
  clock: "M12 7v5l3 2M21 12a9 9 0 1 1-9-9 9 9 0 0 1 9 9",
  sessions: "M4 5h16v11H9l-5 4z",
  history: "M3.5 9A9 9 0 1 1 3 12M3 4v5h5M12 8v4l3 2",
  person: "M12 12a4 4 0 1 0-4-4 4 4 0 0 0 4 4M4.5 20a7.5 7.5 0 0 1 15 0",
  lesson: "M12 3a6 6 0 0 0-3.5 10.9V17h7v-3.1A6 6 0 0 0 12 3M9.5 20.5h5",
  slots: "M4 5h16v5H4zM4 14h16v5H4z",
  actions: "M4 6l1.5 1.5L8 5M4 13l1.5 1.5L8 12M12 6.5h8M12 13.5h8M12 19.5h8M5.5 19.5h.1",
  graph: "M6 8a2 2 0 1 0-2-2 2 2 0 0 0 2 2M18 9.5a2 2 0 1 0-2-2 2 2 0 0 0 2 2M10 20a2 2 0 1 0-2-2 2 2 0 0 0 2 2M7 7.8l2.3 8.3M16.2 8.8l-4.9 7.6M8 6.2l8 1",
  jobs: "M4 12h3l2-6 4 12 2-6h5",
  evaluation: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
  key: "M14.5 13.5a4 4 0 1 0-4-4 4 4 0 0 0 4 4M11.7 12.3 4 20M7 17l2 2",
  health: "M12 20S4 15 4 9.5A4.3 4.3 0 0 1 12 7.4 4.3 4.3 0 0 1 20 9.5C20 15 12 20 12 20",
  connect: "M9 7V3M15 7V3M7 7h10v4a5 5 0 0 1-10 0zM12 16v5",
  search: "M11 18a7 7 0 1 0-7-7 7 7 0 0 0 7 7M20 20l-4-4",
  sun: "M12 16a4 4 0 1 0-4-4 4 4 0 0 0 4 4M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5",
  pin: "M12 17v4M8 4h8l-1 6 3 3v2H6v-2l3-3z",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6 6 18",
  more: "M5 12h.1M12 12h.1M19 12h.1",
  plus: "M12 5v14M5 12h14",
  swap: "M4 8h14l-4-4M20 16H6l4 4",
  undo: "M8 8H4V4M4 8a9 9 0 1 1-1 5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  out: "M14 4h5v16h-5M4 12h11M11 8l4 4-4 4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden
      className={`shrink-0 ${className.includes("size-") ? "" : "size-[1.15rem]"} ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
