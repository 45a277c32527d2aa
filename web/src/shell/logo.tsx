/** The mark: a ring that closes, and what it turns around. */
export function Logo({ bare }: { bare?: boolean }) {
  return (
    <span className="flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" className="size-7" aria-hidden>
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <circle cx="16" cy="16" r="8.5" fill="none" className="stroke-accent-ink" strokeOpacity={0.45} strokeWidth={2} />
        <path d="M16 7.5a8.5 8.5 0 0 1 8.5 8.5" fill="none" className="stroke-accent-ink" strokeWidth={2.6} strokeLinecap="round" />
        <circle cx="16" cy="16" r="3" className="fill-accent-ink" />
      </svg>
      {!bare && <span className="text-[1.0625rem] font-semibold tracking-tight">Recollect</span>}
    </span>
  );
}
