"""Verb groups: "might not have moved" is one verb, and says how it was meant, when, and whether at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from recollect.language import tags
from recollect.language.english.verbs import MOSTLY_VERBS
from recollect.readers.rules.vocabulary import CHAINS, split
from recollect.readers.rules.words import Word


class Verb(NamedTuple):
    """A verb group. `chain` are the effects of verbs that lead to this one: "planned", "stopped"."""

    start: int
    end: int
    lemma: str
    form: int
    modal: str = ""
    negated: bool = False
    perfect: bool = False
    progressive: bool = False
    passive: bool = False
    past: bool = False
    chain: tuple[str, ...] = ()
    adverbs: tuple[str, ...] = ()

    @property
    def finite(self) -> bool:
        """Whether it is more than a bare base form, as a request or an infinitive is."""
        return bool(self.form & (tags.PAST | tags.THIRD)) or bool(self.modal) or self.perfect or self.progressive


_NOT_BEFORE_A_VERB = tags.DET | tags.POSS | tags.PREP | tags.OWNER | tags.NUM
_COMPLEMENT = (
    tags.DET | tags.POSS | tags.PREP | tags.NAME | tags.NUM | tags.OBJECT | tags.ADV | tags.CODE | tags.SUBJECT
)
_NEVER_A_VERB = tags.CONJ | tags.SUB | tags.WH | tags.PUNCT | tags.TIME


def find_verb(words: Sequence[Word], begin: int, end: int) -> int | None:
    """Where the finite verb of a clause stands, or `None`."""
    commanded = begin < end and words[begin].low in ("never", "always")
    while (
        begin < end - 1
        and words[begin].tag & (tags.ADV | tags.NEG | tags.INTERJ | tags.TIME)
        and not words[begin].tag & (tags.NOUN | tags.VERB | tags.ADJ)
    ):
        begin += 1
    for at in range(begin, end):
        word = words[at]
        tag = word.tag
        if tag & tags.NAME and not tag & tags.AUX and not (at == begin and tag & tags.VERB):
            continue
        before = _before(words, at, begin)
        if tag & tags.AUX:
            if tag & (tags.ING | tags.BASE) and before is not None and before.low in ("to", "for", "of", "by"):
                continue
            if tag & tags.BE and not tag & (tags.THIRD | tags.PAST) and before is not None:
                continue
            if (tag & tags.NAME and not tag & tags.BE) or (tag & tags.ING and before is None):
                continue  # "Being a nurse is hard": nobody is said to be one
            return at
        if before is None:
            if tag & tags.VERB and (_begins_alone(words, at, end) or (commanded and tag & tags.BASE)):
                return at
            continue
        if before.tag & tags.SUBJECT and not before.tag & (tags.NAME | tags.DET) and not tag & tags.PUNCT:
            if tag & (tags.VERB) or (before.low in ("i", "we", "they") and _looks_like_a_verb(word, at, end)):
                return at
        if not tag & tags.VERB or (before.tag & _NOT_BEFORE_A_VERB and not before.tag & tags.NAME):
            continue
        if tag & (tags.ING | tags.BASE) and not tag & (tags.THIRD | tags.PAST):
            if tag & tags.BASE and not tag & tags.ING and _plural(before) and _has_complement(words, at, end):
                return at
            continue
        if tag & tags.PART and not tag & (tags.PAST | tags.THIRD):
            continue
        if tag & tags.PAST and tag & tags.PART and _reduced(words, at, end):
            continue
        if (
            word.low in ("named", "called")
            and at + 1 < end
            and words[at + 1].tag & tags.NAME
            and before.tag & tags.NOUN
        ):
            continue  # "a dog named Bruno joined the family"
        if (
            tag & tags.NOUN
            and not (tag & tags.THIRD and word.lemma in _MOSTLY_VERBS)
            and not _has_complement(words, at, end)
        ):
            continue
        if before.tag & tags.ADJ and not before.tag & (tags.NOUN | tags.NAME | tags.ADV) and tag & tags.NOUN:
            continue
        return at
    return None


_MOSTLY_VERBS = frozenset(MOSTLY_VERBS.split())


def _before(words: Sequence[Word], at: int, begin: int) -> Word | None:
    """The word before, leaving out adverbs and times: "I no longer live", "we really use"."""
    at -= 1
    while (
        at > begin
        and words[at].tag & (tags.ADV | tags.TIME | tags.NEG)
        and not words[at].tag & (tags.NAME | tags.NOUN | tags.SUBJECT)
    ):
        at -= 1
    return words[at] if at >= begin else None


def _begins_alone(words: Sequence[Word], at: int, end: int) -> bool:
    """A verb with nothing before it: "Switched to Go", "Run it", "Thinking about Rust". A noun looks different."""
    tag = words[at].tag
    if at + 1 == end and not tag & (tags.PAST | tags.ING):
        return False  # a word by itself: "License", "React"
    if words[at].text[:1].isupper() and _begins_a_name(words, at, end):
        return False
    following = words[at + 1] if at + 1 < end else None
    if tag & tags.NOUN and not tag & tags.PAST:
        return (
            following is not None
            and bool(following.tag & (_COMPLEMENT & ~(tags.ADV | tags.NUM) | (0 if tag & tags.ING else tags.TIME)))
            and not following.tag & tags.OWNER
        )
    if tag & tags.THIRD and not tag & (tags.BASE | tags.PAST):
        return following is not None
    if tag & tags.PART and not tag & tags.PAST:
        return False
    if tag & tags.ING:
        # "Losing a pet is hard" is about losing, "Thinking about Rust" about the speaker.
        gerund = any(
            word.tag & (tags.BE | tags.MODAL) or (word.tag & tags.THIRD and not word.tag & tags.NOUN)
            for word in words[at + 1 : end]
        )
        return not gerund and following is not None and bool(following.tag & (_COMPLEMENT | tags.ADJ))
    return True


def _begins_a_name(words: Sequence[Word], at: int, end: int) -> bool:
    """Whether a capital first word belongs to the name after it: "United Kingdom is ..."."""
    after = at + 1
    while after < end and words[after].tag & tags.NAME and not words[after].tag & (tags.DET | tags.PREP):
        after += 1
    if after == at + 1 or after == end:
        return False
    following = words[after].tag
    return bool(following & (tags.THIRD | tags.PAST)) and not following & tags.NOUN


def _looks_like_a_verb(word: Word, at: int, end: int) -> bool:
    """After "I" or "we" an unknown word is a verb, if it can have a complement."""
    return not word.tag & (_COMPLEMENT | _NEVER_A_VERB) and at + 1 < end


def _has_complement(words: Sequence[Word], at: int, end: int) -> bool:
    if at + 1 >= end:
        return True
    following = words[at + 1].tag
    if following & (tags.VERB | tags.BE) and not following & (tags.NOUN | tags.ADJ | tags.ING | tags.NAME):
        return False
    return bool(following & (_COMPLEMENT | tags.TIME | tags.PUNCT | tags.ADJ | tags.NEG)) or not following & tags.NOUN


def _reduced(words: Sequence[Word], at: int, end: int) -> bool:
    """Whether a form in -ed only describes the noun before it: "the secrets stored on Heroku leaked"."""
    if at + 1 < end and words[at + 1].low == "by":
        return True
    for later in range(at + 1, min(end, at + 8)):
        tag = words[later].tag
        if tag & (tags.PUNCT | tags.CONJ | tags.SUB | tags.WH | tags.SUBJECT):
            return False
        if tag & (tags.BE | tags.HAVE | tags.DO) and tag & (tags.THIRD | tags.PAST):
            return True
    return False


def _plural(word: Word) -> bool:
    return (word.low.endswith("s") and not word.low.endswith("ss")) or word.low in ("people", "children")


def verb_group(words: Sequence[Word], at: int, end: int) -> Verb:
    """The group whose first word stands here: auxiliaries, negation, leading verbs, and the verb that counts."""
    start = at
    modal = ""
    negated = perfect = progressive = passive = past = False
    adverbs: list[str] = []
    chain: list[str] = []
    main = words[at]
    seen_first = False
    while at < end:
        word = words[at]
        tag = word.tag
        if tag & tags.NEG:
            negated = True
            if word.low == "never":
                adverbs.append("never")
            at += 1
            continue
        if word.low == "no" and at + 1 < end and words[at + 1].low == "longer":
            adverbs.append("no longer")
            at += 2
            continue
        if tag & tags.MODAL and not seen_first:
            modal, main, seen_first = word.lemma, word, True
            at += 1
            continue
        if tag & tags.AUX and not tag & tags.MODAL:
            if seen_first:
                perfect = perfect or (main.tag & tags.HAVE != 0 and bool(tag & tags.PART))
            else:
                past = (bool(tag & tags.PAST) and not tag & tags.PART) or word.low == "had"
                seen_first = True
            main = word
            at += 1
            continue
        if tag & tags.ADV and not tag & (tags.VERB | tags.NAME | tags.NOUN):
            ahead = _after_adverbs(words, at, end)
            if ahead is None or not words[ahead].tag & (tags.VERB | tags.AUX | tags.NEG | tags.PART | tags.ADJ):
                break
            adverbs.append(word.low)
            at += 1
            continue
        if tag & tags.VERB and (not seen_first or _continues(main, word, words, at, end)):
            if seen_first and main.tag & tags.HAVE:
                perfect = True
            if seen_first and main.tag & tags.BE:
                progressive = bool(tag & tags.ING)
                passive = bool(tag & tags.PART) and not progressive
            if not seen_first:
                past = bool(tag & tags.PAST) and not tag & tags.BASE
                seen_first = True
            main = word
            at += 1
            for before in (modal, ""):
                led = _led(words, at, end, main, before)
                if led is None:
                    break
                effect, at = led
                chain.append(effect)
                main = words[at]
                at += 1
            break
        if not seen_first:  # an unknown word after "we" that must be the verb
            main, seen_first = word, True
            past = word.low.endswith("ed")
            at += 1
            break
        led = _led(words, at, end, main, modal)
        if led is not None and main.tag & tags.AUX:
            effect, at = led
            chain.append(effect)
            main = words[at]
            at += 1
        break
    while at < end and _trails(words[at]):
        if words[at].tag & tags.NEG:
            negated = True
        adverbs.append(words[at].low)
        at += 1
    if (
        main.lemma == "get"
        and at < end
        and words[at].tag & tags.PART
        and words[at].tag & tags.VERB
        and not words[at].tag & (tags.NOUN | tags.ADJ | tags.NAME)
    ):
        main, passive, at = words[at], True, at + 1  # "got married", "got hired"
    lemma = main.lemma if main.tag & (tags.VERB | tags.AUX) else _guessed_lemma(main.low)
    return Verb(
        start, at, lemma, main.tag, modal, negated, perfect, progressive, passive, past, tuple(chain), tuple(adverbs)
    )


_PARTICLES = frozenset(("up", "out", "away", "back", "down"))


def _trails(word: Word) -> bool:
    """Whether a word after the verb still belongs to it: "not", "now", "up"."""
    if word.low in _PARTICLES:
        return True
    return bool(word.tag & (tags.NEG | tags.ADV)) and not word.tag & (
        tags.NOUN | tags.NAME | tags.ADJ | tags.VERB | tags.PREP | tags.TIME
    )


def _after_adverbs(words: Sequence[Word], at: int, end: int) -> int | None:
    while at < end and words[at].tag & tags.ADV and not words[at].tag & (tags.VERB | tags.NOUN):
        at += 1
    return at if at < end else None


def _continues(main: Word, word: Word, words: Sequence[Word], at: int, end: int) -> bool:
    """Whether a full verb goes on the group: "have moved", "is living", "does work", "might be"."""
    tag = word.tag
    if main.tag & tags.BE:
        if tag & tags.ING:
            following = words[at + 1] if at + 1 < end else None
            return not (tag & tags.NOUN and following is not None and following.tag & tags.NOUN)
        return bool(tag & tags.PART) and not tag & tags.ADJ
    if main.tag & tags.HAVE:
        return bool(tag & tags.PART)
    if main.tag & tags.DO and tag & tags.NOUN and not main.tag & tags.PAST:
        following = words[at + 1] if at + 1 < end else None
        if following is not None and following.tag & tags.NOUN and not following.tag & tags.VERB:
            return words[at - 1].tag & tags.NEG != 0  # "we do release branches"
    if main.tag & (tags.MODAL | tags.DO):
        return bool(tag & tags.BASE)
    return False


def _led(words: Sequence[Word], at: int, end: int, main: Word, modal: str) -> tuple[str, int] | None:
    """The effect of a verb on the one it leads to, and where that one stands."""
    options = _CHAINS.get(f"would {main.lemma}") if modal == "would" else None
    options = options or _CHAINS.get("used" if main.low == "used" else main.lemma, [])
    for filler, effect in options:
        place = at + len(filler)
        if place < end and all(words[at + n].low == said for n, said in enumerate(filler)):
            while place < end and words[place].tag & (tags.ADV | tags.NEG) and not words[place].tag & tags.VERB:
                place += 1
            if place >= end:
                continue
            tag = words[place].tag
            infinitive = bool(filler) and filler[-1] == "to"
            if infinitive and tag & (tags.BASE | tags.ING) and not tag & tags.NAME:
                if main.lemma == "go" and not main.tag & tags.ING:
                    continue
                return effect, place
            if not infinitive and tag & tags.ING and not tag & tags.NAME:
                return effect, place
    return None


def _chains() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    built: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for effect, wordings in CHAINS.items():
        for wording in split(wordings):
            first, *rest = wording.split()
            if first == "would":
                first, rest = f"would {rest[0]}", rest[1:]
            built.setdefault(first, []).append((tuple(rest), effect))
    for options in built.values():
        options.sort(key=lambda option: -len(option[0]))
    return built


_CHAINS = _chains()


def _guessed_lemma(low: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if low.endswith(ending) and len(low) > len(ending) + 2:
            stem = low[: -len(ending)]
            return stem + "e" if ending in ("ing", "ed") and stem[-1] in "vzc" else stem
    return low
