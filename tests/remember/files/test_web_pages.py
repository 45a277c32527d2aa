"""HTML: what is shown, under which heading, on which line; and that no markup can hold us up."""

from __future__ import annotations

import pytest

from recollect.remember.files.chunks import Chunk
from recollect.remember.files.web_pages import read_html


def read(page: str) -> tuple[Chunk, ...]:
    return read_html(page, lambda text: text)


def shown(page: str) -> str:
    return "\n\n".join(chunk.text for chunk in read(page))


def test_a_page_is_its_text_under_its_title_and_headings() -> None:
    page = """<!DOCTYPE html><html><head><title>The  site</title><style>p{}</style></head>
<body><h1>Guide</h1>
<p>First <b>bold</b>
words.</p><h2>Install</h2><p>Run it.</p><h2>Use</h2><p>Use it.</p></body></html>"""
    assert [(chunk.title_path, chunk.text) for chunk in read(page)] == [
        (("The site", "Guide"), "Guide\n\nFirst bold words."),
        (("The site", "Guide", "Install"), "Install\n\nRun it."),
        (("The site", "Guide", "Use"), "Use\n\nUse it."),
    ]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a</p><script>if (1 < 2) b()</script><p>c</p>", "a\n\nc"),
        ("<style>p { }</style>a<noscript>b</noscript>", "a"),
        ("a<!-- <p>b</p> -->c", "ac"),
        ("a<script>never closed <p>b</p>", "a"),
        ("a<svg>never closed <p>b</p>", "a never closed\n\nb".replace("a never", "anever")),
        ("a <private>my secret</private> b", "a b"),
        ("a <private>my secret", "a"),
        ("<ul><li>one<li><p>two</p></li></ul>", "- one\n- two"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><th>c<th>d</tr></table>", "a | b\nc | d"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<pre>  keeps\n    its   lines</pre>", "  keeps\n    its   lines"),
        ("a &amp; b &lt;c&gt; &eacute; &#8364; &nosuch;", "a & b <c> é € &nosuch;"),
        ("1 < 2 and 3 > 2 <3", "1 < 2 and 3 > 2 <3"),
        ('<a title="a > b">link</a>', "link"),
        ("<a title=don't>link</a> it's", "link it's"),
        ('<a title="never closed>link</a>', "link"),
        ("&#" + "9" * 5_000 + ";x", "x"),
        ("a&#0;&#x1b;&#xD800;b", "a\ufffd\ufffdb"),
        ("<title>Only a title</title>", "Only a title"),
        ("<h2><div>Nested</div></h2>text", "Nested\n\ntext"),
        ("", ""),
    ],
)
def test_what_is_shown_is_kept_and_nothing_else(page: str, text: str) -> None:
    assert shown(page) == text


def test_a_heading_with_nothing_below_it_goes_with_the_deeper_one_that_follows() -> None:
    chunks = read("<h1>A</h1><h2>B</h2><h3>C</h3><p>text</p><h2>D</h2><h2>E</h2>")
    assert [(chunk.title_path, chunk.text) for chunk in chunks] == [
        (("A", "B", "C"), "A\n\nB\n\nC\n\ntext"), (("A", "D"), "D"), (("A", "E"), "E"),
    ]  # fmt: skip


def test_what_is_redacted_is_neither_in_the_text_nor_in_a_title() -> None:
    page = "<title>key s3cret</title><h1>About s3<b>cret</b></h1><p>It is s3cret.</p>"
    [chunk] = read_html(page, lambda text: text.replace("s3cret", "[secret]"))
    assert chunk.title_path == ("key [secret]", "About [secret]")
    assert chunk.text == "About [secret]\n\nIt is [secret]."


BROKEN = """<a |<!--|<!|<a x='|<a x="<a>"|<svg>|<script|</|<p>|<pre>|&#|&|< |<a ="'|<h1>a|<title>|<td>|<br>|<?"""


@pytest.mark.timeout(30)
@pytest.mark.parametrize("unit", BROKEN.split("|"))
def test_broken_markup_without_end_is_read_in_linear_time(unit: str) -> None:
    read(unit * (300_000 // len(unit)))
