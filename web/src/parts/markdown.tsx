/** Markdown as elements of this page. No HTML is ever made of a text: its tags are shown as they were written, pictures
 * are named and not loaded, and a link leads to the web or to a mailbox, or is plain text. */
import type { SyntaxNode } from "@lezer/common";
import { GFM, parser } from "@lezer/markdown";
import { createElement, type ReactNode } from "react";

const MOST = 100_000; // letters; what comes after them is not laid out
const DEEPEST = 40; // quotes in quotes in lists; what is deeper is shown as it was written
const markdown = parser.configure(GFM);

/** Signs that say how something looks and are not part of what it says. */
const MARKS = new Set(["HeaderMark", "QuoteMark", "ListMark", "EmphasisMark", "CodeMark", "CodeInfo", "LinkMark", "LinkTitle", "LinkLabel", "LinkReference", "StrikethroughMark", "TableDelimiter"]);
const ELEMENTS: Record<string, string> = {
  Paragraph: "p",
  Blockquote: "blockquote",
  BulletList: "ul",
  OrderedList: "ol",
  ListItem: "li",
  Emphasis: "em",
  StrongEmphasis: "strong",
  Strikethrough: "del",
  InlineCode: "code",
  TableRow: "tr",
  // A note has a heading of its own: those in its text stand below it.
  ATXHeading1: "h3",
  SetextHeading1: "h3",
  ATXHeading2: "h4",
  SetextHeading2: "h4",
  ATXHeading3: "h5",
  ATXHeading4: "h6",
  ATXHeading5: "h6",
  ATXHeading6: "h6",
};

export function Markdown({ text }: { text: string }) {
  const shown = text.slice(0, MOST);
  return (
    <div className="markdown text-[0.9375rem] leading-relaxed break-words">
      {inside(markdown.parse(shown).topNode, shown, 0)}
      {text.length > MOST && <p>…</p>}
    </div>
  );
}

/** The address of a link, if it is one that may be followed. */
export function followed(address: string): string | undefined {
  const said = address.trim().replace(/^<|>$/g, "");
  return /^(https?:\/\/|mailto:)[^\s]/i.test(said) ? said : undefined;
}

/** The parts of a node, with the text between them. */
function inside(node: SyntaxNode, text: string, depth: number): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = node.from;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.from > at) parts.push(text.slice(at, child.from));
    if (!MARKS.has(child.name)) parts.push(shownAs(child, text, depth + 1, parts.length));
    at = child.to;
  }
  if (node.to > at) parts.push(text.slice(at, node.to));
  return node.firstChild && parts.some((each) => typeof each !== "string") ? parts.filter((each) => !isGap(node, each)) : parts;
}

/** Line breaks between paragraphs, items and rows are not text. */
const BLOCKS = new Set(["Document", "Blockquote", "BulletList", "OrderedList", "ListItem", "Table", "TableRow", "TableHeader"]);
const isGap = (node: SyntaxNode, part: ReactNode): boolean => typeof part === "string" && BLOCKS.has(node.name) && !part.trim();

function shownAs(node: SyntaxNode, text: string, depth: number, key: number): ReactNode {
  const said = text.slice(node.from, node.to);
  if (depth > DEEPEST) return said;
  const element = ELEMENTS[node.name];
  if (element) return createElement(element, { key }, trimmed(inside(node, text, depth)));
  switch (node.name) {
    case "Link":
    case "Image":
    case "Autolink":
      return <Reference key={key} node={node} text={text} depth={depth} />;
    case "URL":
      return <Address key={key} to={said}>{said}</Address>;
    case "FencedCode":
    case "CodeBlock":
      return <pre key={key} tabIndex={0}><code>{codeIn(node, text)}</code></pre>;
    case "HTMLBlock":
    case "CommentBlock":
    case "ProcessingInstructionBlock":
      return <p key={key}>{said}</p>;
    case "HorizontalRule":
      return <hr key={key} />;
    case "HardBreak":
      return <br key={key} />;
    case "Escape":
      return said.slice(1);
    case "Task":
      return <span key={key}>{inside(node, text, depth)}</span>;
    case "TaskMarker":
      return <span key={key} role="img" aria-label={/x/i.test(said) ? "done" : "open"}>{/x/i.test(said) ? "☑" : "☐"}</span>;
    case "Table":
      return <div key={key} className="overflow-x-auto" tabIndex={0} role="group" aria-label="Table"><table><tbody>{inside(node, text, depth)}</tbody></table></div>;
    case "TableHeader":
      return <tr key={key}>{node.getChildren("TableCell").map((cell, index) => <th key={index}>{inside(cell, text, depth)}</th>)}</tr>;
    case "TableCell":
      return <td key={key}>{inside(node, text, depth)}</td>;
    default:
      return said;
  }
}

function Reference({ node, text, depth }: { node: SyntaxNode; text: string; depth: number }) {
  const url = node.getChild("URL");
  const to = url ? text.slice(url.from, url.to) : "";
  if (node.name === "Autolink") return <Address to={to}>{to}</Address>;
  const marks = node.getChildren("LinkMark");
  const said = labelOf(node, marks, text, depth);
  return <Address to={to}>{node.name === "Image" ? ["Picture: ", ...said] : said}</Address>;
}

/** The words of a link: from its first bracket to the second, with what is bold or code in them. */
function labelOf(node: SyntaxNode, marks: SyntaxNode[], text: string, depth: number): ReactNode[] {
  const end = marks[1]?.from ?? node.to;
  const parts: ReactNode[] = [];
  let at = marks[0]?.to ?? node.from;
  for (let child = node.firstChild; child && child.from < end; child = child.nextSibling) {
    if (MARKS.has(child.name)) continue;
    parts.push(text.slice(at, child.from), shownAs(child, text, depth + 1, parts.length));
    at = child.to;
  }
  return [...parts, text.slice(at, end)];
}

function Address({ to, children }: { to: string; children: ReactNode }) {
  const address = followed(to);
  if (!address) return <>{children}</>;
  return <a href={address} target="_blank" rel="noopener noreferrer nofollow">{children}</a>;
}

function codeIn(node: SyntaxNode, text: string): string {
  return node.getChildren("CodeText").map((each) => text.slice(each.from, each.to)).join("");
}

/** Without the blanks that stood beside a sign: "## Title" says "Title". */
function trimmed(parts: ReactNode[]): ReactNode[] {
  const [first, last] = [parts[0], parts.at(-1)];
  if (typeof first === "string") parts[0] = first.trimStart();
  if (typeof last === "string") parts[parts.length - 1] = (parts.length === 1 ? (parts[0] as string) : last).trimEnd();
  return parts;
}
