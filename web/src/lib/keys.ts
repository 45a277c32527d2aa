/** Keys for the whole screen. They mean nothing while somebody types, or while a dialog is open. */
import { useLayoutEffect, useRef } from "react";

export type Keys = Record<string, (event: KeyboardEvent) => void>;

export function isTyping(target: EventTarget | null | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

export function useKeys(keys: Keys): void {
  const held = useRef(keys);
  held.current = keys;
  // With the screen and not after it: a key pressed as soon as something is seen counts.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      // Within a shadow root, as the editor is, only the path says where.
      if (isTyping(event.composedPath()[0]) || document.querySelector("dialog[open]")) return;
      const act = held.current[event.key];
      if (act) {
        event.preventDefault();
        act(event);
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
