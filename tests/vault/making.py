"""Documents made up for tests: by hand, and by chance."""

from __future__ import annotations

from hypothesis import strategies as st

from recollect.vault.documents import Document, parsed, with_fields

ANAMNESIS = b"""---
id: 01J9ZB0C4F8H2K6M3P9R7S5T1W
type: procedural
title: Run reflect safely, and make the title so long that whoever writes it wraps
  it at the eightieth column
project: github.com/alice/anamnesis
machine_id: thinkpad
scope: portable
user_id: self
workspace_id: personal
prov_source: reflection
confidence: 0.8
prov_model: claude-opus-4-8
prov_session: 3bf75f14-4c3f
supersedes: 01J9Z8YPM7Q3X2V4WT6B5N0KGD
created_at: '2026-06-24T19:01:55+00:00'
updated_at: '2026-06-24T19:01:55+00:00'
tags:
- reflection
- CSS
---
Commit immediately after reflect.
"""

BY_HAND = b"""---
# what I found out the hard way
title:   "quoted: \\u00e9t\\u00e9"   # in summer
id: 01J9Z8YPM7Q3X2V4WT6B5N0KGD
type: 'semantic'
aliases: [one, {two: three}]

nested:
  - deep: [1, 2]
    more: |
      text

tags: [home,  "where"]
---

# A heading

Alice lives in Austin.

"""

_words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12).map(
    lambda text: " ".join(text.split()) or "word"
)
_tags = st.sets(st.sampled_from(["home", "where", "css", "drink", "city"]), max_size=4).map(lambda s: tuple(sorted(s)))
_moments = st.integers(0, 10_000).map(lambda second: f"2026-01-01T{second // 3600:02}:{second // 60 % 60:02}:00+00:00")
_lines = st.lists(st.sampled_from(["tea", "milk", "", "- a list", "Alice", "---", "Bob"]), max_size=6)

FIRST = parsed(BY_HAND)


@st.composite
def edits(draw: st.DrawFn, of: Document = FIRST) -> Document:
    """A document as somebody may have edited it: fields, lines of its text, comments and keys of their own."""
    changed: dict[str, object] = {"updated_at": draw(_moments)}
    for name, values in (
        ("title", _words), ("project", _words), ("value", _words), ("tags", _tags), ("subject", _words),
        ("importance", st.sampled_from([0.1, 0.5, 0.9])), ("pinned", st.booleans()), ("valid_until", _moments),
        ("state", st.sampled_from(["active", "superseded", "disputed"])), ("last_seen_at", _moments),
        ("authority", st.sampled_from([None, "instruction", "fact", "quoted"])),
        ("metadata", st.dictionaries(st.sampled_from("abc"), st.integers(0, 9) | _words, max_size=3)),
    ):  # fmt: skip
        if draw(st.booleans()):
            changed[name] = draw(values)
    text = of.text if draw(st.booleans()) else "\n".join(draw(_lines))
    return with_fields(of, changed, text)
