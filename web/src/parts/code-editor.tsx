/** The editor itself, loaded when a note is first written: CodeMirror with Markdown. It lives in a shadow root, where its
 * styles are adopted sheets: the policy of the page allows no style elements. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, keymap, placeholder as placeholderText } from "@codemirror/view";
import { styleTags, tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";
import { useEffect, useRef } from "react";
import { Markdown } from "./markdown";

export interface EditorProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string;
}

const given = Annotation.define<boolean>(); // a text that came from the form, and need not be told to it
const quiet = styleTags({ "HeaderMark QuoteMark ListMark EmphasisMark CodeMark LinkMark StrikethroughMark TableDelimiter": tags.processingInstruction });
const language = new Language(defineLanguageFacet(), parser.configure([GFM, { props: [quiet] }]));

const LOOK = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.monospace, tags.labelName], fontFamily: "var(--font-mono)", fontSize: "0.92em", color: "var(--k-pattern)" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: [tags.quote, tags.processingInstruction], color: "var(--muted)" },
]);

const THEME = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "0.5rem", fontSize: "0.9375rem" },
  "&.cm-focused": { outline: "2px solid color-mix(in srgb, var(--accent) 35%, transparent)", borderColor: "var(--accent)" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.6", minHeight: "7rem", maxHeight: "22rem", overflow: "auto" },
  ".cm-content": { padding: "0.5rem 0.25rem", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 0.5rem" },
  ".cm-placeholder": { color: "var(--muted)" },
});

export default function CodeEditor({ label, value, onChange, placeholder = "" }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const told = useRef<string[]>([]); // to the form, and not yet heard back: whoever types fast is ahead of it
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    const host = place.current;
    if (!host) return undefined;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        selection: { anchor: value.length },
        extensions: [
          history(),
          // Enter with Ctrl sends the form; it is not a line.
          keymap.of([{ key: "Mod-Enter", run: () => true }, ...defaultKeymap, ...historyKeymap]),
          language,
          syntaxHighlighting(LOOK),
          THEME,
          placeholderText(placeholder),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", autocapitalize: "sentences" }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.some((each) => each.annotation(given))) return;
            told.current.push(update.state.doc.toString());
            tell.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    if (host.closest("dialog")) made.focus(); // where a form was opened to write in it
    return () => made.destroy();
  }, [label]);
  useEffect(() => {
    const heard = told.current.lastIndexOf(value);
    told.current = heard < 0 ? [] : told.current.slice(heard + 1);
    const now = view.current;
    if (heard >= 0 || !now || now.state.doc.toString() === value) return;
    now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: value }, annotations: given.of(true) });
  }, [value]);
  return <div ref={place} />;
}

export { Markdown };
