import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { followed, Markdown } from "./markdown";

const shown = (text: string): string => renderToStaticMarkup(<Markdown text={text} />).replace(/^<div[^>]*>|<\/div>$/g, "");

test("what is marked is shown as it is meant", () => {
  expect(shown("## Title\n\nSome **bold**, *soft* and `code`.")).toBe("<h4>Title</h4><p>Some <strong>bold</strong>, <em>soft</em> and <code>code</code>.</p>");
  expect(shown("- one\n- [x] two\n\n1. three")).toBe(
    '<ul><li><p>one</p></li><li><span><span role="img" aria-label="done">☑</span> two</span></li></ul><ol><li><p>three</p></li></ol>',
  );
  expect(shown("> a\n> b")).toBe("<blockquote><p>a\n b</p></blockquote>");
  expect(shown("```sh\nmake  test\n```")).toBe('<pre tabindex="0"><code>make  test</code></pre>');
  expect(shown("| a | b |\n|---|---|\n| 1 | 2 |")).toContain("<tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr>");
  expect(shown("~~old~~ \\*star\\*")).toBe("<p><del>old</del> *star*</p>");
});

test("a plain sentence stays a plain sentence", () => {
  expect(shown("We deploy with make release, never by hand.")).toBe("<p>We deploy with make release, never by hand.</p>");
  expect(shown("")).toBe("");
});

test("tags in a text are text", () => {
  expect(shown("<script>alert(1)</script>")).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
  expect(shown("a <img src=x onerror=alert(1)> b")).toBe("<p>a &lt;img src=x onerror=alert(1)&gt; b</p>");
});

test("a link leads to the web or to a mailbox, or is plain text; a picture is named and not loaded", () => {
  expect(shown("[home](https://example.org/a)")).toBe('<p><a href="https://example.org/a" target="_blank" rel="noopener noreferrer nofollow">home</a></p>');
  expect(shown("[run](javascript:alert(1))")).not.toContain("href");
  expect(shown("[run](data:text/html,x)")).toBe("<p>run</p>");
  expect(shown("![a cat](https://evil.example/cat.png)")).not.toContain("<img");
  expect(shown("![a cat](https://evil.example/cat.png)")).toContain("Picture: a cat");
  expect(followed("JaVaScRiPt:alert(1)")).toBeUndefined();
  expect(followed("//evil.example")).toBeUndefined();
  expect(followed("<https://example.org>")).toBe("https://example.org");
});

test("quotes within quotes without end do not break the page", () => {
  expect(shown(`${">".repeat(3000)} deep`)).toContain("deep");
  expect(shown("[".repeat(3000))).toContain("[[[");
  expect(shown("x".repeat(150_000)).length).toBeLessThan(101_000);
});
