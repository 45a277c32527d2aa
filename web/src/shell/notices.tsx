/** Short words at the foot of the page about what was just done, spoken by screen readers too. */
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react";

interface Notice {
  id: number;
  text: string;
  tone: "good" | "bad";
  undo?: () => void;
}
interface Notices {
  tell: (text: string, tone?: Notice["tone"], undo?: () => void) => void;
}

const LASTS = 6000; // milliseconds
const Context = createContext<Notices>({ tell: () => undefined });
export const useNotices = (): Notices => useContext(Context);

export function NoticeBoard({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Notice[]>([]);
  const drop = useCallback((id: number) => setShown((now) => now.filter((each) => each.id !== id)), []);
  const tell = useCallback<Notices["tell"]>(
    (text, tone = "good", undo) => {
      const id = Date.now() + Math.random();
      setShown((now) => [...now.slice(-2), { id, text, tone, undo }]);
      setTimeout(() => drop(id), LASTS);
    },
    [drop],
  );
  return (
    <Context value={useMemo(() => ({ tell }), [tell])}>
      {children}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-4 bottom-20 z-50 flex flex-col items-center gap-2 lg:bottom-6"
      >
        {shown.map((each) => (
          <div
            key={each.id}
            className={`pointer-events-auto flex max-w-lg animate-rise items-center gap-3 rounded-xl border px-4 py-2.5 text-sm shadow-float ${
              each.tone === "bad" ? "border-bad/30 bg-bad-soft text-bad" : "border-line bg-surface text-ink"
            }`}
          >
            <span>{each.text}</span>
            {each.undo && (
              <button
                className="font-medium text-accent underline-offset-2 hover:underline"
                onClick={() => {
                  each.undo?.();
                  drop(each.id);
                }}
              >
                Undo
              </button>
            )}
          </div>
        ))}
      </div>
    </Context>
  );
}
