"""A sentence becomes clauses: who, does what, to what, where and with whom.

Every clause hangs on its verb group. The sentence is first cut where clauses can end; a piece without a verb belongs
to the clause before it (an afterthought, the rest of a list) or, at the beginning, to the one after it. This is no
grammar of English, only as much of one as statements about people and projects need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.language import tags
from recollect.readers.rules.verbs import Verb, find_verb, verb_group
from recollect.readers.rules.words import Phrase, Word, abbreviates, phrase_at


class Part(NamedTuple):
    """A phrase after a verb: its object if `prep` is empty, else "in Berlin", "as a nurse". `to do` has prep "to+"."""

    prep: str
    phrase: Phrase


class Clause(NamedTuple):
    """One clause. `link` is the word that ties it to what stands before: "and", "if", ":", or nothing.

    `lead` are words before the subject, `tails` pieces without a verb that follow, each after its own comma.
    """

    words: Sequence[Word]
    link: str = ""
    lead: Sequence[Word] = ()
    subject: Phrase | None = None
    verb: Verb | None = None
    parts: tuple[Part, ...] = ()
    tails: tuple[Sequence[Word], ...] = ()

    def part(self, *preps: str) -> Phrase | None:
        """The first complement with one of these prepositions."""
        for part in self.parts:
            if part.prep in preps:
                return part.phrase
        return None


def clauses_of(words: Sequence[Word]) -> list[Clause]:
    """The clauses of one sentence, in order. A sentence without any verb is a single clause without one."""
    found: list[Clause] = []
    waiting: list[Word] = []
    link = ""
    for tie, piece in _pieces(words):
        tie_or_link = tie or link
        clause = _clause(piece, tie_or_link)
        if clause.verb is not None:
            if waiting:
                clause = _led_by(clause, waiting)
                waiting = []
            found.append(_sharing(clause, found[-1]) if found else clause)
            link = ""
        elif tie == ":" and not found and waiting:
            found.append(Clause(tuple(waiting), link="label"))
            waiting = list(piece)
        elif found and found[-1].verb is not None and tie != ":":
            found[-1] = found[-1]._replace(tails=(*found[-1].tails, piece))
        else:
            if waiting and tie:
                waiting.append(_comma(piece[0]))
            waiting.extend(piece)
            link = link or tie
    if waiting:
        found.append(Clause(tuple(waiting), link=link))
    return found


def _led_by(clause: Clause, waiting: Sequence[Word]) -> Clause:
    """A clause with what stood before it: a lead, or the subject itself ("my first car, in 2012, was a Corsa")."""
    if clause.subject is None and clause.link == "," and clause.verb is not None and clause.verb.finite:
        subject, _ = phrase_at(waiting, 0, len(waiting))
        if subject is not None and waiting[0].tag & (tags.POSS | tags.DET | tags.NAME):
            return clause._replace(subject=subject, lead=(*waiting, *clause.lead))
    return clause._replace(lead=(*waiting, *clause.lead))


def _sharing(clause: Clause, before: Clause) -> Clause:
    """ "I live in Graz and play the drums": one subject for both; "I'll take it and lower the rent": one "will"."""
    verb, first = clause.verb, before.verb
    if (
        clause.subject is not None
        or verb is None
        or first is None
        or clause.link not in ("and", "or", "but", ",", "so")
    ):
        return clause
    told = bool(verb.form & (tags.PAST | tags.THIRD)) or (not first.chain and not first.modal)
    if before.subject is not None and clause.link != "so" and (told or clause.link != ","):
        clause = clause._replace(subject=before.subject)
    if clause.link == "," or clause.link == "so":
        return clause
    if not verb.finite and verb.form & tags.BASE and (first.modal or first.chain):
        return clause._replace(verb=verb._replace(modal=first.modal, chain=(*first.chain, *verb.chain)))
    return clause


def _comma(before: Word) -> Word:
    return Word(",", ",", before.start, before.start, tags.PUNCT, ",")


_HARD = frozenset(";:()—–!?.…")
_SOFT = frozenset(",-")
_AHEAD = 8  # words to look for the verb of a clause that may begin here


def _pieces(words: Sequence[Word]) -> list[tuple[str, Sequence[Word]]]:
    """The sentence cut where clauses can end: the tie before each piece, and its words."""
    pieces: list[tuple[str, Sequence[Word]]] = []
    begin, tie = 0, ""
    size = len(words)
    for at in range(size):
        word = words[at]
        tag = word.tag
        if tag & tags.PUNCT and word.text in _HARD:
            if (
                word.text == "."
                and at + 1 < size
                and (words[at + 1].start == word.end or abbreviates(words[at - 1], word))
            ):
                continue
            cut, after = at, word.text
        elif tag & tags.PUNCT and word.text in _SOFT:
            if word.text == "-" and (at == 0 or words[at - 1].end == word.start):
                continue
            cut, after = at, ","
        elif (
            (tag & tags.CONJ and at > begin and not tag & tags.NAME and _parts_here(words, begin, at, size))
            or (tag & tags.SUB and at > begin and not tag & tags.NAME and _subordinates(words, at, size))
            or (tag & tags.WH and at > begin and _relates(words, at, size))
        ):
            cut, after = at, word.low
        elif word.low in _NEW_SUBJECTS and at > begin + 1 and _begins_inside(words, begin, at, size):
            pieces.append((tie, words[begin:at]))
            tie, begin = "that", at
            continue
        else:
            continue
        if cut > begin:
            pieces.append((tie, words[begin:cut]))
        tie = after if cut > begin or after != "," else tie or after
        begin = at + 1
    if begin < size:
        pieces.append((tie, words[begin:size]))
    return pieces


def _parts_here(words: Sequence[Word], begin: int, at: int, end: int) -> bool:
    """Whether "and" ends a clause here. In "me and Ana moved" it does not."""
    return not (at == begin + 1 and words[begin].low == "me") and begins_clause(words, at + 1, end)


_NEW_SUBJECTS = frozenset(("i", "we", "he", "she", "they", "it"))


def _begins_inside(words: Sequence[Word], begin: int, at: int, end: int) -> bool:
    """Whether a subject in the middle begins a clause without a mark: "I think | we use Go", "once I retire | I'll"."""
    if words[at - 1].tag & (tags.CONJ | tags.SUB | tags.WH | tags.PREP) or (
        words[at].low == "it" and words[at - 1].tag & tags.VERB
    ):
        return False
    verb = find_verb(words, begin, at)
    return verb is not None and verb < at and begins_clause(words, at, end)


def begins_clause(words: Sequence[Word], at: int, end: int) -> bool:
    """Whether a clause with a verb of its own begins here, with or without its subject."""
    while (
        at < end and words[at].tag & (tags.ADV | tags.NEG | tags.TIME) and not words[at].tag & (tags.NOUN | tags.NAME)
    ):
        at += 1
    if at >= end:
        return False
    first = words[at]
    if first.tag & tags.SUBJECT and not first.tag & tags.NAME:
        return find_verb(words, at, min(end, at + 4)) is not None
    if first.tag & (tags.AUX | tags.VERB) and not first.tag & tags.NAME:
        if first.tag & tags.VERB and first.tag & (tags.ING | tags.PART) and not first.tag & (tags.PAST | tags.BASE):
            return False
        if not first.tag & (tags.NOUN | tags.ADJ):
            return True
        following = words[at + 1] if at + 1 < end else None
        return following is not None and bool(
            following.tag & (tags.DET | tags.POSS | tags.PREP | tags.OBJECT | tags.NAME)
        )
    stop = at
    while stop < min(end, at + _AHEAD) and (
        not words[stop].tag & (tags.PUNCT | tags.CONJ) or (stop > at and abbreviates(words[stop - 1], words[stop]))
    ):
        stop += 1  # "so Dr. Chebet supervises me"
    found = find_verb(words, at, stop)
    return found is not None and found > at


def _subordinates(words: Sequence[Word], at: int, end: int) -> bool:
    if words[at].low == "as":
        return at + 1 < end and bool(words[at + 1].tag & tags.SUBJECT)
    return begins_clause(words, at + 1, end)


def _relates(words: Sequence[Word], at: int, end: int) -> bool:
    """Whether "which", "who", "where" or a "that" after a verb of saying begins a clause of its own here."""
    word = words[at]
    if word.tag & tags.NAME or at + 1 >= end:
        return False
    if word.low == "that":
        return bool(words[at - 1].tag & (tags.VERB | tags.OBJECT | tags.ADV | tags.ADJ)) and begins_clause(
            words, at + 1, end
        )
    if word.low in ("which", "who"):
        return words[at - 1].low not in ("the",) and bool(words[at + 1].tag & (tags.AUX | tags.VERB | tags.ADV))
    return False


_ALSO_PREPOSITIONS = frozenset(("after", "before", "until", "till", "since"))
_ASIDES = frozenset((",", "(", "-", "–", "—", ";", ":", "."))


def _clause(words: Sequence[Word], tie: str) -> Clause:
    link = tie
    end = len(words)
    begin = 0
    while (
        begin < end
        and words[begin].tag & (tags.CONJ | tags.SUB | tags.WH)
        and not words[begin].tag & (tags.NAME | tags.PUNCT | tags.TIME)
    ):
        if words[begin].tag & tags.SUB and words[begin].tag & tags.PREP and not begins_clause(words, begin + 1, end):
            break
        if words[begin].low == "that" and begin + 1 < end and words[begin + 1].tag & (tags.AUX | tags.MODAL):
            break
        link = words[begin].low
        begin += 1
    verb_at = find_verb(words, begin, end)
    if verb_at is None or (words[verb_at].low == "like" and verb_at == begin and tie in _ASIDES):
        return Clause(words, link)  # ", like D-1.4": an example
    verb = verb_group(words, verb_at, end)
    lead, subject = _subject(words, begin, verb_at)
    if link in _ALSO_PREPOSITIONS and lead and begin:
        lead, link = (words[begin - 1], *lead), tie  # "after ten years of Vim I'm on Helix"
    verb = _with_adverbs(verb, words, begin)
    return Clause(words, link, lead, subject, verb, _parts(words, verb.end, end))


def _with_adverbs(verb: Verb, words: Sequence[Word], begin: int) -> Verb:
    """Adverbs and negations right before the verb are part of what it says: "I never drink"."""
    at = verb.start
    while (
        at > begin and words[at - 1].tag & (tags.ADV | tags.NEG) and not words[at - 1].tag & (tags.NAME | tags.SUBJECT)
    ):
        at -= 1
    if at >= 2 and words[at - 1].low == "longer" and words[at - 2].low == "no":
        return verb._replace(adverbs=(*verb.adverbs, "no longer"))
    before = tuple(word.low for word in words[at : verb.start])
    negated = verb.negated or any(words[n].tag & tags.NEG for n in range(at, verb.start))
    return verb._replace(adverbs=(*before, *verb.adverbs), negated=negated) if before else verb


def _subject(words: Sequence[Word], begin: int, end: int) -> tuple[Sequence[Word], Phrase | None]:
    """The phrase right before the verb, and what stands before it."""
    stop = end
    while (
        stop > begin
        and words[stop - 1].tag & (tags.ADV | tags.TIME | tags.NEG)
        and not words[stop - 1].tag & (tags.NAME | tags.NOUN | tags.THERE)
    ):
        stop -= 1
    if stop == begin:
        return words[begin:end], None
    if (together := _together(words, begin, stop)) is not None:
        return words[begin:begin], together
    if words[stop - 1].tag & (tags.SUBJECT | tags.THERE) and not words[stop - 1].tag & tags.NAME:
        return words[begin : stop - 1], Phrase(words[stop - 1 : stop])
    at = begin
    lead_end = begin
    subject: Phrase | None = None
    while at < stop:
        word = words[at]
        if word.tag & (tags.ADV | tags.INTERJ | tags.TIME | tags.PUNCT) and not word.tag & (tags.NAME | tags.NOUN):
            at += 1
            continue
        if word.tag & tags.PREP and not word.tag & tags.NAME:
            companion, after = phrase_at(words, at + 1, stop) if at + 1 < stop else (None, at + 1)
            if subject is not None and companion is not None:
                subject = Phrase(words[_index(words, subject, at) : after], subject.det)
            at = max(after, at + 1)
            continue
        phrase, after = phrase_at(words, at, stop)
        if phrase is None:
            at += 1
            continue
        lead_end = at
        subject = phrase
        at = after
    if subject is None:
        return words[begin:stop], None
    return words[begin:lead_end], subject


def _together(words: Sequence[Word], begin: int, stop: int) -> Phrase | None:
    """ "Me and Ana", "my wife and I": who speaks and somebody else are "we"."""
    subject = words[begin:stop]
    if not 3 <= len(subject) <= _COUPLE or not any(word.low in ("and", "n", "&") for word in subject[1:-1]):
        return None
    first, last = subject[0].low, subject[-1].low
    if not (first in ("me", "i") or last in ("i", "me")) or any(word.tag & tags.PREP for word in subject):
        return None
    return Phrase((Word("we", "we", subject[0].start, subject[-1].end, tags.SUBJECT, "we"),))


_COUPLE = 6  # words


def _index(words: Sequence[Word], phrase: Phrase, before: int) -> int:
    first = phrase.words[0]
    for at in range(before - 1, -1, -1):
        if words[at] is first:
            return at
    return before - 1


def _parts(words: Sequence[Word], at: int, end: int) -> tuple[Part, ...]:
    """The phrases after the verb group, one by one, until something cannot be read."""
    parts: list[Part] = []
    while at < end:
        word = words[at]
        tag = word.tag
        if tag & tags.PREP and not tag & tags.NAME:
            if word.low == "to" and (_is_infinitive(words, at + 1, end) or _after_adjective(parts)):
                parts.append(Part("to+", Phrase(words[at + 1 : end])))
                break
            prep = word.low
            at += 1
            if at < end and words[at].tag & tags.PREP and not words[at].tag & tags.NAME:
                prep, at = words[at].low, at + 1  # "over at", "out of"
            if at >= end:
                parts.append(Part(prep, Phrase(words[at - 1 : at])))
                break
            phrase, after = phrase_at(words, at, end)
            if phrase is None:
                continue
            if phrase.words[0].tag & tags.ING and not phrase.det:
                phrase, after = Phrase(words[at:end]), end
            parts.append(Part(prep, phrase))
            parts.extend(companions(phrase))
            at = after
        elif tag & (tags.ADV | tags.TIME | tags.NEG | tags.INTERJ | tags.PUNCT) and not tag & (
            tags.NAME | tags.NOUN | tags.ADJ | tags.DET
        ):
            at += 1
        elif tag & tags.WH or tag & tags.SUB:
            parts.append(Part("wh", Phrase(words[at:end])))
            break
        else:
            phrase, after = phrase_at(words, at, end)
            if phrase is None:
                if tag & tags.CONJ and parts:
                    at += 1
                    phrase, after = phrase_at(words, at, end) if at < end else (None, at)
                    if phrase is not None:
                        parts.append(Part("and", phrase))
                        at = after
                        continue
                at += 1
                continue
            parts.append(Part("", phrase))
            parts.extend(companions(phrase))
            at = after
    return tuple(parts)


def companions(phrase: Phrase) -> Iterator[Part]:
    """The phrases after prepositions inside another, to be asked for by themselves: "a fan of Mogwai"."""
    words = phrase.words
    for at, word in enumerate(words):
        if at and word.tag & tags.PREP and not word.tag & tags.NAME:
            inner, _ = phrase_at(words, at + 1, len(words))
            if inner is not None:
                yield Part(word.low, inner)


def _after_adjective(parts: Sequence[Part]) -> bool:
    """ "I'm ready to ..." goes on with a verb, known or not; "I'm allergic to ..." does not."""
    return len(parts) == 1 and not parts[0].prep and not parts[0].phrase.det and parts[0].phrase.low in _WILLING


_WILLING = frozenset(
    "ready eager happy glad able unable sure excited keen willing free due set likely about here good proud".split()
)


def _is_infinitive(words: Sequence[Word], at: int, end: int) -> bool:
    """Whether a verb follows "to". A word that is a noun as well must have a complement: "to run a marathon"."""
    if at >= end or not words[at].tag & tags.BASE or words[at].tag & (tags.NAME | tags.TIME):
        return False
    if not words[at].tag & tags.NOUN:
        return True
    if words[at].low in ("work", "school", "home"):
        return False  # "I cycle to work on a Canyon"
    return at + 1 < end and bool(
        words[at + 1].tag & (tags.DET | tags.POSS | tags.NUM | tags.OBJECT | tags.PREP | tags.ADJ)
    )


def span_of(clause: Clause) -> tuple[int, int]:
    """Where a clause stands in the text, with what leads to it and what trails behind."""
    start = clause.lead[0].start if clause.lead else clause.words[0].start
    end = clause.words[-1].end
    if clause.tails and clause.tails[-1]:
        end = clause.tails[-1][-1].end
    return min(start, clause.words[0].start), end
