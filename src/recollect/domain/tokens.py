"""How many tokens a text is: one count, without a tokenizer, that errs on the high side.

Every model has a vocabulary of its own, and none of them is here. So nothing is guessed in our favour: a digit or a
sign is a token by itself, and what is not ASCII counts by its bytes, of which no tokenizer makes more. A word that
every vocabulary has whole is one token; another word is one more than its letters in threes; letters that nobody
could say, as in keys and digests, count one by one. The count of a text is the sum of the counts of its lines and
one for each line feed, so that lines can be packed one by one.
"""

from __future__ import annotations

import re

_LETTERS = 3  # of a word that can be said, to a token; measured vocabularies hold more than four on average

_PIECE = re.compile(
    r"(?P<mixed>[A-Za-z]*[0-9][A-Za-z0-9]*)|(?P<word>[A-Za-z]+)|(?P<joined> (?=[!-/:-~]))|(?P<blanks>[ \t]{2,})"
    r"|(?P<sign>[\x00-\x7f])|(?P<other>[^\x00-\x7f]+)"
)
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_HUMP = re.compile(r"[a-z][A-Z]")
# Four consonants in a row, and pairs that hardly any word has.
_UNSAID = re.compile(
    r"[bcdfgjklmnpqrvwxz][bcdfghjklmnpqrstvwxz]{3}|q[^u]|[jvxz][bcdfghjklmnpqrsvwx]|[bcdfghkmpqtvwxz][jxz]"
    r"|[bcdgjkqvwxz][bfgkmpqvw]|[aeiou]{4}|j$|q$|v$",
    re.IGNORECASE,
)

# Words that the vocabularies of the usual models have whole, with and without a space before, capitalised or not.
_WHOLE = frozenset(
    """
    about add after all also always and another any are area ask back based before being best better body both build
    but call can card check city class code content cool create current data date day different does down each email
    even event example file find first following for form found free from function get give given going good got great
    had has have having head help here how image index into item just keep key know last left length let like link
    list load log look lot love made main make making message model more much name need new next not now number one
    other our out page path people plan please post problem process project questions rate really request response
    results return review right run same second section see session set should show side since size some something
    start status step style such sum support take test text thanks that the their then there these they this those
    through time times title too total true try two type update use used user using value version was way week what
    when where which will with without work would write you your
    """.split()
)


def count_tokens(text: str) -> int:
    """The tokens of a text: at least as many as the usual tokenizers make of it."""
    return sum(_of_piece(found) for found in _PIECE.finditer(text))


def _of_piece(found: re.Match[str]) -> int:
    piece = found.group()
    match found.lastgroup:
        case "word":
            return _of_letters(piece)
        case "joined":
            return 0  # one space belongs to the word or sign behind it, but not to a digit
        case "blanks":
            return (len(piece) + 1) // 2  # vocabularies have them in twos, fours and more
        case "other":
            return len(piece.encode("utf-8", "surrogatepass"))
        case _:
            return len(piece)


def _of_letters(letters: str) -> int:
    if letters.lower() in _WHOLE:
        return 1
    if _UNSAID.search(letters) or len(_HUMP.findall(letters)) > len(letters) // 6:
        return len(letters)
    parts = _PART.findall(letters)
    return sum(len(part) if part.isupper() and len(part) > 1 else 1 + len(part) // _LETTERS for part in parts)
