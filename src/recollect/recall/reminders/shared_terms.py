"""Pure: the terms of an act, and which of them a text has.

People write down what went wrong in their own words, and name what it was about in passing: a bucket, an option, a
folder, a host. A name is a word with signs in it; how much a word of the language says is for its rarity to tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from recollect.domain.dataclass import dataclass
from recollect.language.english.directions import ADVISING, POINTING
from recollect.language.english.small_words import STOP_WORDS
from recollect.recall.reminders.act import Act
from recollect.recall.reminders.looking import looks
from recollect.recall.reminders.shell_line import MOST, is_read_whole
from recollect.recall.words import stem

_RAW = re.compile(r"[\w./:@+*%&-]+")
_PARTS = re.compile(r"[^\W_]+")
_VERSION = re.compile(r"(?<!\d)\d++(?:\.\d++)+")
_ENDING = re.compile(r"[\w*]\.[a-zA-Z]\w{0,3}$")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MESSAGE = frozenset({"-m", "--message", "--title", "--body"})  # what follows is about the work, and no part of the act
_SHORTEST_NAME = 4
_MOST_WORDS = 60  # by which texts are looked up
_CLAUSE = re.compile(r"[.,;:!?]\s+|\n")


@dataclass(frozen=True, slots=True)
class ActTerms:
    """The terms of an act: `names` as typed, options as `phrases` of their words, and stems with a word of each."""

    names: frozenset[str]
    phrases: frozenset[tuple[str, ...]]
    stems: dict[str, str]
    short: frozenset[tuple[str, str]] = frozenset()  # `git push -f` has `f` and `push`, which `force push` may mean

    @property
    def words(self) -> tuple[str, ...]:
        """The words by which texts are looked up."""
        return tuple(dict.fromkeys(self.stems.values()))[:_MOST_WORDS]


@dataclass(frozen=True, slots=True)
class SharedTerms:
    """The terms that a text and an act have in common: names and phrases, the longest first, and stems."""

    names: tuple[str, ...]
    stems: frozenset[str]


def only_looks(act: Act) -> bool:
    """Whether nothing is changed by an act, as far as its words tell."""
    if act.files or not 0 < len(act.commands) < MOST or not is_read_whole(act.line):
        return False
    return all(map(looks, act.commands))


def terms_of(act: Act) -> ActTerms:
    """The terms by which a text can be about an act."""
    names, phrases, stems = set[str](), set[tuple[str, ...]](), dict[str, str]()
    for raw in _typed(act):
        spelled = raw.strip("'\"`,;:()[]{}")
        for piece in (spelled, *spelled.split("=", 1)) if "=" in spelled else (spelled,):
            plain, words = piece.lower().rstrip("/."), _words(piece)
            names.update(each for each in (plain, *_folders(plain), *_inside(plain)) if _is_name(each))
            if piece.startswith("--") and len(words) > 1:
                phrases.add(tuple(words))
            for word in _without_ending(piece, words):
                if word not in STOP_WORDS and len(word) > 1 and not (word.isdigit() and len(word) < 3):
                    stems.setdefault(stem(word), word)
    short = {
        (option[1], verb)
        for each in act.commands
        for option in each.options
        for verb in each.bare[1:2]
        if len(option) == 2 and verb.isalpha()
    }
    return ActTerms(frozenset(names), frozenset(phrases), stems, frozenset(short))


def shared_terms(text: str, terms: ActTerms) -> SharedTerms:
    """The terms of an act that a text has."""
    stems = _stems(text)
    phrases = [" ".join(each) for each in sorted(terms.phrases) if _stand_together(stems, list(map(stem, each)))]
    names = sorted(terms.names & _spellings(_tokens(text)), key=lambda name: (-len(name), name))
    meant = [(one, other) for one, other in pairwise(stems) if _is_short_for(one, other, terms)]
    shared = frozenset(stems) & terms.stems.keys() | {each for pair in meant for each in pair}
    return SharedTerms((*names, *phrases, *map(" ".join, meant)), shared)


def _is_short_for(one: str, other: str, terms: ActTerms) -> bool:
    """Whether two words that stand together are a subcommand and a word that begins as one of its short options."""
    return any(
        len(word) >= _SHORTEST_NAME and word != verb and (word[0], verb) in terms.short
        for word, verb in ((one, other), (other, one))
    )


def _without_ending(piece: str, words: Sequence[str]) -> Sequence[str]:
    """The words of a piece; the ending of a file says what it is written in, and not what it is about."""
    return words[:-1] if len(words) > 1 and _ENDING.search(piece) else words


def stems_of(text: str) -> frozenset[str]:
    """The roots of the words of a text."""
    return frozenset(_stems(text))


def advises(text: str, terms: ActTerms) -> bool:
    """Whether a name of the act stands where a text says what to do, and nowhere else in it."""
    named, advice = list[set[str]](), list[bool]()
    for clause in _CLAUSE.split(text):
        words = _words(clause)
        named.append(_spellings(_tokens(clause)) & terms.names)
        advice.append(not ADVISING.isdisjoint(words))
        if advice[-1] and not POINTING.isdisjoint(words[:4]) and len(advice) > 1:
            advice[-2] = True  # `X respects the lock, use that` is about the clause before it
    others = {name for names, advises in zip(named, advice, strict=True) if not advises for name in names}
    return any(names - others for names, advises in zip(named, advice, strict=True) if advises)


def _inside(word: str) -> Iterator[str]:
    """Names inside a word: a file without its ending, a folder with the slash that shows it is one, a version."""
    *folders, last = word.split("/")[-12:]
    yield last.partition(".")[0]
    yield from (f"{each}/" for each in folders)
    yield from _VERSION.findall(word)


def _stand_together(stems: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether some words stand in their order, with at most two between the first and the last."""
    for start, each in enumerate(stems):
        if each == wanted[0]:
            rest = iter(stems[start + 1 : start + len(wanted) + 2])
            if all(word in rest for word in wanted[1:]):
                return True
    return False


def _folders(path: str) -> Iterator[str]:
    """A path from each of its folders on, and up to each of them."""
    parts = path.strip("/").split("/")[:12] if "/" in path else []
    yield from ("/".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))


def _typed(act: Act) -> Iterator[str]:
    for command in act.commands:
        words = iter(command.typed)
        for word in words:
            if word in _MESSAGE or (word.startswith("-") and word.endswith("m") and "git" in command.bare[:1]):
                next(words, "")
            else:
                yield from word.split() if " " in word else (word,)
        yield from command.bare[:1]
    yield from act.files
    yield from (part for path in act.files for part in path.split("/"))


def _is_name(word: str) -> bool:
    """Whether a word is a name of something, and not a word of the language."""
    inner = word.strip("-./*")
    if word.endswith("/") and len(inner) > 2:
        return True
    signs = any(sign in inner for sign in "_/.-:@") or (word.startswith("-") and len(inner) > 2)
    digits = any(each.isdigit() for each in inner)
    return (signs and len(inner) >= _SHORTEST_NAME) or (digits and len(inner) >= 3 and not inner.startswith("0."))


def _tokens(text: str) -> list[str]:
    return [each.lower().rstrip(".:") for each in _RAW.findall(text)]


@lru_cache(maxsize=1024)
def _words(piece: str) -> tuple[str, ...]:
    return tuple(each.lower().lstrip("0") or "0" for part in _PARTS.findall(piece) for each in _CAMEL.split(part))


@lru_cache(maxsize=512)
def _stems(text: str) -> Sequence[str]:
    return [stem(word) for raw in _RAW.findall(text) for word in _words(raw) if word not in STOP_WORDS]


def _spellings(tokens: Sequence[str]) -> set[str]:
    """The names in a text, and the folders that stand before one: `infra/network` is in `infra/network/main.tf`."""
    return {each for token in tokens for each in (token, token.strip("`'\"/"))}
