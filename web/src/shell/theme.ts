/** Light or dark: as the system says, unless this person said otherwise on this machine. */
import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
const KEY = "recollect.theme";
const listeners = new Set<() => void>();

const stored = (): Theme => {
  const said = localStorage.getItem(KEY);
  return said === "light" || said === "dark" ? said : "system";
};

export function applyTheme(): void {
  const said = stored();
  if (said === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = said;
}

export function setTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
  for (const tell of listeners) tell();
}

export function useTheme(): Theme {
  return useSyncExternalStore((tell) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  }, stored);
}
