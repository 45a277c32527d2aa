/** A field for the text of a note, with a preview of its Markdown. A plain box until the editor has come; and if it
 * never comes, a plain box. */
import { useEffect, useState } from "react";
import { Button, textarea } from "./basics";
import type { EditorProps } from "./code-editor";

type Loaded = typeof import("./code-editor");
let loaded: Loaded | undefined;

export function Editor(props: EditorProps) {
  const [parts, setParts] = useState(loaded);
  const [isPreview, setPreview] = useState(false);
  useEffect(() => {
    if (loaded) return;
    import("./code-editor").then((found) => setParts((loaded = found)), () => undefined);
  }, []);
  return (
    <div>
      <div className="mb-1 flex items-center justify-between">
        <span className="text-[0.8125rem] font-medium">{props.label}</span>
        {parts && (
          <Button small tone="quiet" aria-pressed={isPreview} disabled={!isPreview && !props.value.trim()} className="!h-6 !px-2 text-xs" onClick={() => setPreview(!isPreview)}>
            {isPreview ? "Write" : "Preview"}
          </Button>
        )}
      </div>
      {parts && isPreview ? (
        <div role="region" aria-label="Preview" tabIndex={0} className="max-h-88 min-h-30 overflow-y-auto rounded-lg border border-dashed border-line px-3 py-2">
          <parts.Markdown text={props.value} />
        </div>
      ) : parts ? (
        <parts.default {...props} />
      ) : (
        <textarea rows={4} aria-label={props.label} placeholder={props.placeholder} className={textarea} value={props.value} onChange={(event) => props.onChange(event.target.value)} />
      )}
    </div>
  );
}
