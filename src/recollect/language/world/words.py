"""Pure: the words of a text in any language: how they are folded, which language they are of, and their roots.

Words are folded: lower case, no accents, one spelling for letters that have several. In scripts without spaces between
words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and in Korean, whose particles are written to the word, each two
neighbouring signs are a word, and so is each single Chinese sign and Korean syllable.
"""

# ruff: noqa: RUF001 - letters of every script

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from recollect.language.world.profiles import LanguageProfile

# Of each ASCII character what it is folded to: letters and figures to lower case, everything else to a space.
_FOLDED = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ") for code in range(256))
_PIECE = 16_000  # characters

# Marks above and below letters, the vowel signs that Hebrew and Arabic may leave out, the line that stretches an Arabic
# word, and marks that only say how letters are joined.
_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c\u09bc\u00ad\u200d]"
)
# Letters that no normal form takes apart, as people type them who do not have them.
SPECIAL = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
    "ŧ": "t", "ŋ": "n", "ς": "σ", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ٱ": "ا", "ँ": "ं",
}  # fmt: skip
_SPECIAL = str.maketrans(SPECIAL)
_CAPITALS = "".join(letter.upper() for letter in SPECIAL if len(letter.upper()) == 1 and not letter.upper().isascii())
_OURS = re.compile(f"[{''.join(SPECIAL)}{_CAPITALS}ẞ\ufb00-\ufb4f\uff01-\uffee]")

# The vowel signs of Indian scripts are parts of words, and no letters to the standard library.
_WORD = re.compile(
    r"[\w\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u1000-\u1049\u1050-\u109f\u1780-\u17d3]+"
)
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNSPACED = (
    f"{_HAN}\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u3041-\u30ff\u31f0-\u31ff\uac00-\ud7a3"
)
UNSPACED_SIGN = re.compile(f"[{_UNSPACED}]")
_RUN = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_SINGLE = re.compile(f"[{_HAN}\uac00-\ud7a3]")
# A sign with what is written above, below and behind it; a Khmer consonant also with the one that stands below it.
_CLUSTER = re.compile(
    ".(?:\u17d2.|[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u17b4-\u17d1\u17d3"
    "\u3099\u309a])*",
    re.DOTALL,
)


def words_of(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    if text.isascii():  # most texts; a search folds hundreds, and a table of bytes does it twenty times as fast
        return folded_ascii(text).split()
    bare = folded(text)
    words = _WORD.findall(bare)
    if UNSPACED_SIGN.search(bare) is None:
        return words
    return [term for word in words for term in _terms(word)]


def folded_ascii(text: str) -> str:
    """A text of ASCII characters only, as its words with spaces between them."""
    return text.encode("ascii").translate(_FOLDED).decode("ascii")


def folded(text: str) -> str:
    """A text in lower case and without accents; an underscore stands between words, and is a space."""
    # Composed again: what is not an accent, such as the parts of a Korean syllable, belongs to its letter.
    # Taken apart before and after: folding can make both capitals out of signs and accents out of letters.
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).lower())
    # In pieces, because to take half a million accents out in one step keeps other threads waiting.
    bare = "".join(_MARKS.sub("", apart[start : start + _PIECE]) for start in range(0, len(apart), _PIECE))
    return unicodedata.normalize("NFC", bare.translate(_SPECIAL).replace("_", " "))


def words_of_our_folding(text: str) -> Iterator[str]:
    """The words of a text with letters that the databases do not fold as we do: `Straße` is found by `strasse`."""
    if _OURS.search(text) is not None:
        for piece in text.split():
            if _OURS.search(piece) is not None:
                yield from words_of(piece)


def _terms(word: str) -> Iterator[str]:
    """A word, or the neighbours of which a run of signs consists."""
    for run in _RUN.findall(word):
        if UNSPACED_SIGN.match(run) is None:
            yield run
            continue
        signs = _CLUSTER.findall(run)
        if len(signs) == 1:
            yield run
            continue
        for one, other in pairwise(signs):
            yield one + other
        yield from _SINGLE.findall(run)


# Signs that say how something is said, in scripts whose words are cut into neighbours. Two of them say nothing either.
_SMALL_SIGNS = frozenset(
    "的了是我你他她它们們在有和不吗嗎呢什么麼这這那个個一就也都很哪谁誰怎为為吧啊把被与與及或之其會会何私僕彼方"
    "은는이가을를의에도로와과하다나내네요니까지고한해습했어디무엇누구언제왜어떤인입뭐야제저"
)
_JAPANESE_ENDINGS = re.compile("[\u3041-\u309f]+")  # written in these signs alone, it is grammar


class SmallWords(frozenset[str]):
    """Small words of scripts by their letters, of one language in Latin letters, and some of the caller's own."""

    def __new__(cls, own: Iterable[str], language: str | None) -> SmallWords:
        from recollect.language.world.profiles import SCRIPTS, profiles

        codes = [*SCRIPTS, *([language] if language is not None else [])]
        small = " ".join(word for code in codes for word in profiles()[code].words)
        return super().__new__(cls, [*own, *words_of(small)])

    def __contains__(self, word: object) -> bool:
        if super().__contains__(word):
            return True
        if not isinstance(word, str) or word.isascii():
            return False
        return _SMALL_SIGNS.issuperset(word) or _JAPANESE_ENDINGS.fullmatch(word) is not None


# -- in which language a text is ---------------------------------------------------------------------------------------

# It is guessed from the beginning of a text, without a model. Scripts tell most. In Latin letters the small words of
# each language are counted, with its own letters and some endings; a word that several languages have counts for each
# of them the less. "Unknown" is an answer, and the usual one for a few words. Nothing is learned from other texts, so
# the same text has the same guess everywhere.

ENGLISH = "en"
_READ = 600  # characters of a text that are looked at
# Words that hardly any other language has, so that most texts in English are known by a glance.
_PLAIN = frozenset(
    "the and my with you that this are have it from they what where when which does she your is was of for about their "
    "our would could should been had there how who because know think just not but".split()
)
# Names that are small words elsewhere. People who look for "ben's birthday" leave the capital out.
_NAMES = frozenset("ben dan fran jen jo ted".split())
_MANY_PLAIN = 4
_PLAINLY = 0.15  # share of such words that only an English text has
_SURE = 1.4  # what small words, letters and endings have to amount to
_LIKELY = 0.4  # the same where nothing can be filed wrongly
_CLEARLY = 2.5  # times as much as for English
_DENSELY = 0.12  # of each word: a name or two among many words make no other language
_A_LETTER, _AN_ENDING = 0.5, 0.3  # of what a small word says
_OTHER_SCRIPT = 0.5  # share of letters that are not Latin
_MOST_LETTERS = 3  # of one kind that count

# What stands in a script is in its language, or in one of a few: from which sign to which, and the usual one.
_SCRIPTS = (
    ("\u0370", "\u03ff", "el"),
    ("\u0400", "\u052f", "ru"),
    ("\u0530", "\u058f", "hy"),
    ("\u0590", "\u05ff", "he"),
    ("\u0600", "\u06ff", "ar"),
    ("\u0900", "\u097f", "hi"),
    ("\u0980", "\u09ff", "bn"),
    ("\u0b80", "\u0bff", "ta"),
    ("\u0e00", "\u0e7f", "th"),
    ("\u0e80", "\u0eff", "lo"),
    ("\u1000", "\u109f", "my"),
    ("\u10a0", "\u10ff", "ka"),
    ("\u1780", "\u17ff", "km"),
    ("\u3040", "\u30ff", "ja"),
    ("\u3400", "\u9fff", "zh"),
    ("\uac00", "\ud7af", "ko"),
)
_LETTERS = re.compile(r"[^\W\d_]")
_NOT_LATIN = re.compile("[\u0370-\u1dff\u3040-\uabff\uac00-\ud7ff]")

# Languages, and how much something says for each.
_Told: TypeAlias = tuple[tuple[str, float], ...]


class Guess(NamedTuple):
    """A language by its ISO 639 code, `None` if it cannot be told; and whether a text is surely not English."""

    language: str | None = None
    foreign: bool = False

    @property
    def latin(self) -> str | None:
        """The language, if it is one of those that are told by their words and not by their script."""
        if self.language is None or self.language == ENGLISH:
            return None
        from recollect.language.world.profiles import latin_languages

        return self.language if self.language in latin_languages() else None


def guess(text: str) -> Guess:
    """The language of a message; only what is sure is said."""
    return _guessed(text[:_READ], False)


def likeliest(text: str) -> Guess:
    """The language that a text may well be in, to look for its words: a few of them have to do."""
    return _guessed(text[:_READ], True)


@lru_cache(maxsize=1024)
def _guessed(text: str, likely: bool) -> Guess:
    if not text.isascii() and _NOT_LATIN.search(text) is not None and (script := _by_script(text)) is not None:
        return Guess(script, foreign=True)
    words = words_of(text)
    plain = len(_PLAIN.intersection(words))
    if plain >= _MANY_PLAIN or plain > _PLAINLY * len(words):
        return Guess(ENGLISH)
    return _by_words(text, words, likely) if words else Guess()


def _by_script(text: str) -> str | None:
    """The language of the script that most letters are in; `None` if most are Latin."""
    letters = _LETTERS.findall(text)
    found: Counter[str] = Counter(script for letter in letters if (script := _script_of(letter)))
    if found.total() <= _OTHER_SCRIPT * len(letters):
        return None
    if found["ja"]:  # Japanese is written with Chinese signs too
        return "ja" if found["ja"] + found["zh"] >= found.most_common(1)[0][1] else found.most_common(1)[0][0]
    return found.most_common(1)[0][0]


@lru_cache(maxsize=8192)
def _script_of(letter: str) -> str | None:
    return next((name for first, last, name in _SCRIPTS if first <= letter <= last), None)


def _by_words(text: str, words: Sequence[str], likely: bool) -> Guess:
    """The language whose small words, letters and endings a text has; English words are held against it."""
    known = _small_words()
    scores: defaultdict[str, float] = defaultdict(float)
    # Each word once: one that is repeated says no more. A single letter is an initial as often as a word.
    words = [word for word in dict.fromkeys(words) if len(word) > 1]
    for word in words:
        for language, weight in known.get(word, ()):
            scores[language] += weight
    for language, weight in _cues(text, words):
        scores[language] += weight
    english = scores.pop(ENGLISH, 0.0)
    if not scores:
        return Guess(ENGLISH if english else None)
    best = max(_profiles(), key=lambda language: scores.get(language, 0.0))  # of equals the first of the list
    both = sum(_weight_in(known, word, ENGLISH) for word in words if _weight_in(known, word, best))
    told, against = scores[best] - both, english - both
    foreign = told >= max(_SURE, _CLEARLY * against, _DENSELY * len(words))
    if foreign or (likely and told >= _LIKELY and told > against and not _is_one_name(text, words, known, best)):
        return Guess(best, foreign)
    return Guess(ENGLISH if against > told else None)


def _is_one_name(text: str, words: Sequence[str], known: Mapping[str, _Told], language: str) -> bool:
    """Whether a single small word speaks for a language, and is a name or written like one: ben, Mia, Al."""
    small = [word for word in words if _weight_in(known, word, language)]
    if len(small) != 1 or not text.isascii():
        return False
    return small[0] in _NAMES or (small[0].capitalize() in text and small[0] not in text)


def _weight_in(known: Mapping[str, _Told], word: str, language: str) -> float:
    return next((weight for name, weight in known.get(word, ()) if name == language), 0.0)


def _cues(text: str, words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Languages that letters and endings of a text speak for, and how much."""
    if not text.isascii():
        low = text.lower()
        for letter, told in _letters().items():
            times = min(_MOST_LETTERS, low.count(letter))
            yield from ((language, weight * times * _A_LETTER) for language, weight in told if times)
    ends = _endings()
    for word in words:
        for length in (2, 3, 4, 5):
            if len(word) > length + 1:
                yield from ((language, weight * _AN_ENDING) for language, weight in ends.get(word[-length:], ()))


@cache
def _small_words() -> dict[str, _Told]:
    return _told_by({name: words_of(" ".join(each.words)) for name, each in _profiles().items()})


@cache
def _letters() -> dict[str, _Told]:
    return _told_by({name: each.letters for name, each in _profiles().items()})


@cache
def _endings() -> dict[str, _Told]:
    return _told_by({name: words_of(" ".join(each.cues)) for name, each in _profiles().items()})


def _profiles() -> dict[str, LanguageProfile]:
    from recollect.language.world.profiles import SCRIPTS, profiles

    return {name: profile for name, profile in profiles().items() if name not in SCRIPTS}


def _told_by(signs: Mapping[str, Sequence[str]]) -> dict[str, _Told]:
    """Of each sign the languages that have it: 1 for the only one, and less the more they are."""
    held: defaultdict[str, set[str]] = defaultdict(set)
    for language, each in signs.items():
        for sign in each:
            held[sign].add(language)
    most = math.log1p(len(signs))
    return {
        sign: tuple((name, math.log1p(len(signs) / len(languages)) / most) for name in sorted(languages))
        for sign, languages in held.items()
    }


# -- roots -------------------------------------------------------------------------------------------------------------

# The part of a word that its forms have in common is made for comparing, and is no word. The endings of a script's main
# language are taken off by looking at the letters alone; in Latin letters the language has to be known. English has its
# own stems, in `recall.words`.

Rooting: TypeAlias = Callable[[str], str]

_SHORTEST = 3  # letters; a shorter word is its own root
_LONGEST = 40  # letters; what is longer is no inflected word
_KNOWN = 65_536  # words whose roots are kept
# "der", "and the", "with the", "like the", "for the": the Arabic article and what is written to it.
_ARTICLES = ("وال", "بال", "كال", "فال", "لل", "ال")
_UMLAUT = re.compile("(?<![aeq])([aou])e")  # Mueller is Müller


@lru_cache(maxsize=_KNOWN)
def root_by_script(word: str) -> str:
    """The root of a folded word that is not written in Latin letters; other words are as they are."""
    if not word or len(word) > _LONGEST:
        return word
    if "\u0600" <= word[0] <= "\u06ff":
        word = _without_article(word)
    profile = _profile_of(word[0])
    return _shortened(word, profile) if profile is not None else word


@cache
def root_in(language: str) -> Rooting:
    """How words are shortened in a language in Latin letters. Words of other scripts are shortened as always."""
    from recollect.language.world.profiles import profiles

    profile, umlauts = profiles()[language], language == "de"

    @lru_cache(maxsize=_KNOWN)
    def root(word: str) -> str:
        if not word.isascii():
            return root_by_script(word)
        if len(word) > _LONGEST:
            return word
        if umlauts:
            word = _UMLAUT.sub(r"\1", word)
        return _shortened(word, profile)

    return root


def _shortened(word: str, profile: LanguageProfile) -> str:
    """A word without its longest endings, one after the other."""
    endings = _by_length(profile)
    for _ in range(profile.passes):
        for length, ends in endings.items():
            left = len(word) - length
            if left >= (profile.shortest if length == 1 else _SHORTEST) and word[-length:] in ends:
                if length == 1 and word[-2] == word[-1]:
                    continue  # of two equal letters the second is no ending
                word = word[:-length]
                break
        else:
            break
    return word


def _without_article(word: str) -> str:
    for article in _ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= _SHORTEST:
            return word[len(article) :]
    return word


@cache
def _by_length(profile: LanguageProfile) -> dict[int, frozenset[str]]:
    """Endings by their length, the longest first."""
    endings = {folded(ending) for ending in profile.endings}
    lengths = sorted({len(ending) for ending in endings}, reverse=True)
    return {length: frozenset(each for each in endings if len(each) == length) for length in lengths}


@lru_cache(maxsize=4096)
def _profile_of(sign: str) -> LanguageProfile | None:
    """The profile of the script that a letter belongs to."""
    if sign < "\u0370":
        return None
    from recollect.language.world.profiles import SCRIPTS, profiles

    script = next((code for code, (first, last) in SCRIPTS.items() if first <= sign <= last), None)
    return profiles()[script] if script is not None else None
