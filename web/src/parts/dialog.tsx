/** A dialog: the browser's own, which holds the focus, closes with Escape and gives the focus back. */
import { useEffect, useRef, type ReactNode } from "react";

export function Dialog({ title, open, onClose, children, top }: { title: string; open: boolean; onClose: () => void; children: ReactNode; top?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (open && dialog && !dialog.open) {
      dialog.showModal();
      // The first field to fill in has the focus; where there is none, the browser has chosen. An editor takes the focus itself.
      if (!document.activeElement?.shadowRoot) dialog.querySelector<HTMLElement>("input:not([type=checkbox]), textarea")?.focus();
    }
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={ref}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
      className={`m-auto w-[calc(100%-2rem)] max-w-lg animate-rise rounded-2xl border border-line bg-surface p-0 shadow-float ${top ? "mt-[12vh]" : ""}`}
    >
      {children}
    </dialog>
  );
}

export function DialogBody({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) {
  return (
    <div className="p-5">
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="mt-2 space-y-3 text-sm">{children}</div>
      <div className="mt-5 flex flex-wrap justify-end gap-2">{actions}</div>
    </div>
  );
}
