/** Small charts, drawn as plain shapes: bars over days, a meter, a share of a whole. */
import { count } from "../lib/format";

export interface Bar {
  label: string;
  value: number;
  title?: string;
}

export function Bars({ bars, label, tone = "fill-accent" }: { bars: Bar[]; label: string; tone?: string }) {
  const most = Math.max(1, ...bars.map((bar) => bar.value));
  const [width, height, gap] = [100 / bars.length, 40, bars.length > 40 ? 0.2 : 0.5];
  return (
    <figure>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" className="h-32 w-full" role="img" aria-label={label}>
        {bars.map((bar, index) => {
          const tall = bar.value ? Math.max(1.2, (bar.value / most) * height) : 0.5;
          return (
            <rect
              key={bar.label}
              x={index * width + gap / 2}
              width={width - gap}
              y={height - tall}
              height={tall}
              className={bar.value ? tone : "fill-line"}
            >
              <title>{bar.title ?? `${bar.label}: ${count(bar.value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="mt-1.5 flex justify-between text-xs text-muted">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </figcaption>
    </figure>
  );
}

export function Meter({ value, most, label }: { value: number; most: number; label: string }) {
  const share = most > 0 ? Math.min(1, value / most) : 0;
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={most}
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={`h-full rounded-full ${share > 0.9 ? "bg-warn" : "bg-accent"}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}

const SHARES = ["bg-k-semantic", "bg-k-episodic", "bg-k-procedural", "bg-k-lesson", "bg-k-pattern", "bg-muted"];

export function Shares({ parts }: { parts: [name: string, value: number, tone?: string][] }) {
  const whole = parts.reduce((sum, [, value]) => sum + value, 0) || 1;
  return (
    <div>
      <div className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-sunken">
        {parts.map(([name, value, tone], index) => (
          <div key={name} className={tone ?? SHARES[index % SHARES.length]} style={{ width: `${(value / whole) * 100}%` }} />
        ))}
      </div>
      <ul className="mt-3 grid grid-cols-2 gap-x-4 gap-y-1.5 text-sm">
        {parts.map(([name, value, tone], index) => (
          <li key={name} className="flex items-center gap-2">
            <span className={`size-2 rounded-full ${tone ?? SHARES[index % SHARES.length]}`} />
            <span className="truncate">{name}</span>
            <span className="ml-auto text-muted tabular-nums">{count(value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
