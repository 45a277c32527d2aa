"""How many tokens a text is: one count, without a tokenizer, that errs on the high side.

Every model has a vocabulary of its own, and none of them is here. So nothing is guessed in our favour: a digit or a
sign is a token by itself, and what is not ASCII counts by its bytes, of which no tokenizer makes more. A word that
every vocabulary has whole is one token; another word is one more than its letters in threes; letters that nobody
could say, as in keys and digests, count one by one. The count of a text is the sum of the counts of its lines and
one for each line feed, so that lines can be packed one by one.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LETTERS = 3  # of a word that can be said, to a token; measured vocabularies hold more than four on average

# A word or a sign with the one space before it, longer blanks, what controls, and what is not ASCII.
_PIECE = re.compile(r" ?[A-Za-z0-9]+| ?[!-/:-@\[-`{-~]|[ \t]{2,}|[\x00-\x7f]|[^\x00-\x7f]+")
_DIGIT = re.compile(r"[0-9]")
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
    return sum(
        _of_ascii(piece) if piece.isascii() else len(piece.encode("utf-8", "surrogatepass"))
        for piece in _PIECE.findall(text)
    )


@lru_cache(maxsize=65_536)
def _of_ascii(piece: str) -> int:
    bare = piece.lstrip(" \t")
    if not bare:
        return (len(piece) + 1) // 2  # vocabularies have blanks in twos, fours and more
    if not bare.isalnum():
        return 1
    if _DIGIT.search(bare):
        return len(bare) + (piece[0] == " " and bare[0].isdigit())  # a space belongs to a word, but not to a digit
    return _of_letters(bare)


def _of_letters(letters: str) -> int:
    if letters.lower() in _WHOLE:
        return 1
    if _UNSAID.search(letters) or len(_HUMP.findall(letters)) > len(letters) // 6:
        return len(letters)
    parts = _PART.findall(letters)
    return sum(len(part) if part.isupper() and len(part) > 1 else 1 + len(part) // _LETTERS for part in parts)
