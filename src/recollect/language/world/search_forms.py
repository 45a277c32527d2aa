"""Pure: the forms by which a text is found beside its words as written.

The databases index words as English has them. A text that is plainly English has no other forms. Of any other text the
roots of its words are indexed as well, the neighbours of signs in scripts without spaces, and words with letters that
databases do not fold.
"""

from __future__ import annotations

from recollect.language.world.folding import words_of, words_of_our_folding
from recollect.language.world.guess import likeliest
from recollect.language.world.roots import root_by_script, root_in

_READ = 100_000  # characters; the roots of a longer text would not fit into an index row of PostgreSQL
_LONGEST = 200  # letters of a word


def search_forms(*texts: str | None) -> str:
    """The forms of some texts as one, each once and with a space between them; empty if their words are enough."""
    text = " ".join(each for each in texts if each)[:_READ]
    language = likeliest(text).latin
    if language is None and text.isascii():
        return ""
    root = root_in(language) if language is not None else root_by_script
    roots = (root(word) for word in words_of(text) if language is not None or not word.isascii())
    return " ".join(dict.fromkeys(form[:_LONGEST] for form in (*roots, *words_of_our_folding(text))))
