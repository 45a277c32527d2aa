/** A filter of one word: its name until something is chosen. It is not there where there is nothing to choose. */
export function Pick({ label, at, options, pick }: { label: string; at?: string; options: (readonly [string, string])[]; pick: (value?: string) => void }) {
  if (options.length === 0 && !at) return null;
  const known = options.some(([value]) => value === at);
  return (
    <select
      aria-label={label}
      value={at ?? ""}
      onChange={(event) => pick(event.target.value || undefined)}
      className={`h-7 max-w-36 field-sizing-content truncate rounded-md border px-1.5 text-xs hover:bg-sunken ${at ? "border-accent bg-accent-soft text-accent" : "border-line bg-transparent text-muted"}`}
    >
      <option value="">{label}</option>
      {!known && at && <option value={at}>{at}</option>}
      {options.map(([value, said]) => (
        <option key={value} value={value}>{said}</option>
      ))}
    </select>
  );
}
