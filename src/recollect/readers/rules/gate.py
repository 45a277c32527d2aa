"""The gate of sentences: what is not the speaker's is masked, and sentences not worth reading are passed over.

Blanks have the length of what they cover, so that every position still fits the original text. The gate cuts the words
into sentences, takes off their openings, and tells how each stands to the truth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from recollect.domain.observations import Standing
from recollect.domain.periods import TimeMention
from recollect.domain.readings import Modality, Reason
from recollect.language import tags
from recollect.readers.rules import cues
from recollect.readers.rules.clauses import Clause, span_of
from recollect.readers.rules.scene import Scene
from recollect.readers.rules.statements import is_unreal, mood_of
from recollect.readers.rules.vocabulary import in_order, listed
from recollect.readers.rules.words import ABBREVIATED, Word, phrase_at


def passed_over(sentence: Sentence, text: str) -> Reason | None:
    """The reason why a sentence is not read, or only as supposed (`HYPOTHETICAL`); `None` if it is."""
    words = sentence.words
    if sentence.asks:
        return Reason.QUESTION
    said = text[sentence.start : sentence.end]
    if _GREETING.fullmatch(said.strip().lower()) or not any(
        word.tag & ~(tags.PUNCT | tags.INTERJ | tags.ADV) for word in words
    ):
        return Reason.CHATTER
    if is_request_to_assistant(sentence) or _ABOUT_THE_TALK.search(said):
        return Reason.CHATTER
    if _HEDGES.search(said):
        return Reason.HYPOTHETICAL
    if (
        len(words) > 1
        and words[0].low in ("he", "she", "they", "it")
        and not any(word.tag & tags.NAME for word in words)
    ):
        return Reason.NOT_SELF_CONTAINED
    if all(word.tag & _DESCRIBING and not word.tag & (tags.PART | tags.NAME) for word in words):
        return Reason.NOT_DURABLE
    return None


# A sentence that is passed over for one of these may still be read: as supposed, or of whom it is not said.
MAY_BE_READ = (None, Reason.HYPOTHETICAL, Reason.NOT_SELF_CONTAINED)


def is_request_to_assistant(sentence: Sentence) -> bool:
    """ "Write me a poem", "Please continue", "Can you ...": nothing is said, something is asked for."""
    words = [word for word in sentence.words if not word.tag & tags.PUNCT]
    at = 0
    while at < len(words) - 1 and words[at].low in _POLITE:
        at += 1
    return (
        at < len(words)
        and words[at].low in _REQUESTS
        and not words[at].tag & (tags.PAST & ~tags.BASE)
        and _is_base(words[at].tag)
    )


def is_taken_back(at: int, sentences: Sequence[Sentence], text: str) -> bool:
    """Whether a sentence is called a joke right after, or goes on with "or" where the one before only supposed.

    "What if I became a baker. Or moved to Portugal. Kidding."
    """
    following = sentences[at + 1 : at + 2]
    if any(_JOKING.match(text[each.start : each.end].strip().lower()) for each in following):
        return True
    sentence = sentences[at]
    if at == 0 or sentence.words[0].low != "or" or sentence.words[0].tag & tags.NAME:
        return False
    return passed_over(sentences[at - 1], text) in (Reason.HYPOTHETICAL, Reason.QUESTION)


_JOKING = re.compile(cues.JOKING)


def reason_given(sentence: Sentence) -> Sentence | None:
    """The part after a request that speaks of oneself: "..., I'm 27", "... because we live in Graz".

    `None` if there is none, or if the request is for a text to be written or a part to be played.
    """
    words = sentence.words
    if sentence.asks or not is_request_to_assistant(sentence) or any(word.low in _OF_MATERIAL for word in words):
        return None
    for at in range(2, len(words) - 2):
        if words[at].low in _ONESELF and (words[at - 1].text == "," or words[at - 1].low in _REASONS):
            return Sentence(words[at:], False, words[at].start, sentence.end)
    return None


_ONESELF = frozenset(("i", "we", "my", "our"))
_REASONS = frozenset("because since as but cause bc cuz coz".split())
_OF_MATERIAL = frozenset(
    "write rewrite translate draft compose pretend act imagine assume suppose proofread correct paraphrase summarize "
    "summarise story poem essay letter dialogue character role-play roleplay fix edit polish say saying says where "
    "if reply respond email message".split()
)


def _is_base(tag: int) -> bool:
    return bool(tag & tags.BASE) or not tag & tags.VERB


_DESCRIBING = tags.ADJ | tags.ADV | tags.BE | tags.SUBJECT | tags.INTERJ | tags.PUNCT | tags.NEG
_POLITE = frozenset(
    "please kindly ok okay so now then and also just yes great thanks well hey hi hello right alright sure".split()
)
_REQUESTS = listed("requests")
_GREETING = re.compile(rf"(?:(?:{'|'.join(in_order('greetings'))})[\s.,!]*)+")
_ABOUT_THE_TALK = re.compile(cues.ABOUT_THE_TALK, re.IGNORECASE)
_HEDGES = re.compile(cues.HEDGES, re.IGNORECASE)
_BLANK = re.compile(r"[^\n]")
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_TAG = "|".join(in_order("injected_blocks"))
_BLOCK = re.compile(rf"<({_TAG})\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
# A quotation of several words is somebody else's sentence; a word or two is how a thing is called.
_QUOTE = re.compile(
    r"[\"“«](?=[^\"“”«»\n]*\s[^\"“”«»\n]*\s)[^\"“”«»\n]{8,400}[\"”»]|"
    r"(?<=[\s:(])'(?=[^'\n]*\s[^'\n]*\s)[A-Z][^'\n]{10,400}[.!?,]?'(?=[\s.,!?)]|$)"
)
_ECHO = re.compile("|".join(re.escape(mark) for mark in in_order("echo_marks")), re.IGNORECASE)
_ASSIGNMENT = re.compile(
    r"^[ \t]*(?:[\w.\[\]\"']+\s*(?:[-+*/|&]?=(?!=)|:=)\s*\S.*|(?:def|class|import|from|return|const|let|var|"
    r"function|public|private|SELECT|INSERT|UPDATE|CREATE)\s.*[({;:].*|[{}\[\]();]+)$",
    re.MULTILINE,
)
_MATERIAL = re.compile(
    rf"(?:^|(?<=[.!?\n]\s)|(?<=\n))(?:please |can you |could you )?(?:{'|'.join(in_order('material_openings'))})\b"
    r"[^.!?\n:]{0,80}:(?=\s)",
    re.IGNORECASE,
)
# Two lines or more that begin with a label are a transcript or a form: other people's words, or material.
_LABELLED = re.compile(r"^[ \t]*[\w.-]{1,20}(?: [\w.-]{1,20}){0,2}:[ \t].*$", re.MULTILINE)
_FEWEST_LABELLED = 2


def masked(text: str) -> str:
    """The text with everything blanked out that the speaker did not say."""
    if "```" in text or "~~~" in text:
        text = _FENCE.sub(_blanked, text)
    if "<" in text:
        text = _BLOCK.sub(_blanked, text)
    if ">" in text or "|" in text:
        text = _QUOTED_LINE.sub(_blanked, text)
    if '"' in text or "“" in text or "«" in text or "'" in text:
        text = _QUOTE.sub(_blanked, text)
    if "=" in text or "(" in text or "{" in text:
        text = _ASSIGNMENT.sub(_blanked, text)
    if echo := _ECHO.search(text):
        text = text[: echo.start()] + _BLANK.sub(" ", text[echo.start() :])
    if text.count(":") >= _FEWEST_LABELLED and len(_LABELLED.findall(text)) >= _FEWEST_LABELLED:
        text = _LABELLED.sub(_blanked, text)
    if ":" in text and (material := _MATERIAL.search(text)):
        text = text[: material.start()] + _BLANK.sub(" ", text[material.start() :])
    return text


def _blanked(match: re.Match[str]) -> str:
    return _BLANK.sub(" ", match.group())


class Sentence(NamedTuple):
    """The words of a sentence without its final mark; `asks` if it is a question."""

    words: Sequence[Word]
    asks: bool
    start: int
    end: int


MOST_WORDS = 120  # nobody says more in one breath; it also keeps the reading linear in the length of a text
_ENDS = frozenset(".!?…")
_ASKING = frozenset(
    "what who where when why how which whose whom is are am was were do does did can could would should shall will "
    "have has had may might".split()
)


def sentences_of(words: Sequence[Word], text: str) -> list[Sentence]:
    """The words grouped into sentences. Marks inside abbreviations and names do not end one; a new line does."""
    found: list[Sentence] = []
    begin = 0
    size = len(words)
    for at in range(size):
        word = words[at]
        after = at + 1
        ends = word.tag & tags.PUNCT and word.text in _ENDS and _ends_here(words, at)
        apart = after < size and _apart(text, word.end, words[after].start)
        if ends or apart or after - begin >= MOST_WORDS:
            _put(found, words, begin, after)
            begin = after
    _put(found, words, begin, size)
    return found


def _apart(text: str, end: int, start: int) -> bool:
    """Whether two words stand too far apart for one sentence: a new line, or something blanked out between them."""
    return start - end > _WIDEST_GAP or (start > end and "\n" in text[end:start])


_WIDEST_GAP = 4  # characters


def _put(found: list[Sentence], words: Sequence[Word], begin: int, end: int) -> None:
    stop = end
    asks = False
    while (
        stop > begin
        and words[stop - 1].tag & tags.PUNCT
        and words[stop - 1].text in "!?…\"'”’)."
        and words[stop - 1].text != ")"
    ):
        asks = asks or words[stop - 1].text == "?"
        stop -= 1
    while begin < stop and words[begin].tag & tags.PUNCT and words[begin].text in "-•*–—…\"'“‘.,;:)>#!?":
        begin += 1
    if stop > begin:
        inside = words[begin:stop]
        inverted = _inverted(inside)
        asked = _asked_after(inside) if asks and not inverted else 0
        if asked:
            told = inside[: asked - 1]
            found.append(Sentence(told, False, told[0].start, told[-1].end))
            inside = inside[asked:]
        found.append(Sentence(inside, asks or inverted, inside[0].start, words[end - 1].end))


def _asked_after(words: Sequence[Word]) -> int:
    """Where the question begins that follows a statement: "They put me on it, is coffee ok?" 0 if none does."""
    if words[0].low in _ASKING or words[0].tag & tags.SUB:
        return 0
    for at in range(len(words) - 2, 2, -1):
        if words[at - 1].text == "," and words[at].low in _ASKING and not words[at].tag & tags.NAME:
            return at
    return 0


def _ends_here(words: Sequence[Word], at: int) -> bool:
    if at + 1 == len(words):
        return True
    word, following = words[at], words[at + 1]
    if following.start == word.end:
        return following.tag & tags.PUNCT != 0 and following.text not in _ENDS
    if word.text != ".":
        return True
    before = words[at - 1] if at else None
    if before is not None and before.end == word.start:
        if (
            before.low in ABBREVIATED
            and following.text[:1].isupper()
            and before.low not in ("etc", "inc", "ltd", "jr", "sr", "co", "no")
        ):
            return False
        initials = len(before.text) == 1 or before.text[1] == "."
        if initials and before.text.isupper() and before.text != "I" and following.text[:1].isupper():
            return bool(following.tag & (tags.SUBJECT | tags.POSS | tags.DET))  # "J.K. Rowling", "the U.S. I"
        if (before.low in ABBREVIATED or "." in before.text) and following.text[:1].islower():
            return False
    return True


def _inverted(words: Sequence[Word]) -> bool:
    """A question without its mark: "what is the capital of France", "can you help"."""
    first = words[0].low
    if first not in _ASKING or len(words) < 2:
        return False
    second = words[1]
    if first in ("what", "who", "where", "when", "why", "how", "which", "whose", "whom"):
        return not (first in ("when", "where") and second.tag & (tags.SUBJECT | tags.DET | tags.POSS))
    if second.tag & tags.NEG:
        return len(words) > 2 and bool(words[2].tag & tags.SUBJECT)
    return (bool(second.tag & tags.SUBJECT) and not second.tag & tags.NAME) or second.low == "there"


_TAKING_BACK = re.compile(cues.TAKING_BACK + r"[\s.,;:!—–-]*", re.IGNORECASE)
_CORRECTING = re.compile(cues.CORRECTING, re.IGNORECASE)
_ACTUALLY = re.compile(cues.ACTUALLY, re.IGNORECASE)
_NOT_TAIL = re.compile(r"[,;]? (?:and )?not [^.!?;]+[.!?]*$", re.IGNORECASE)
_OPENING = re.compile(
    rf"(?:{'|'.join(in_order('keep_in_mind'))})(?:\s*[,:;!.—–-]+\s*|\s+(?=that\b))"
    rf"|(?:please remember that|please remember|remember that|note that|keep in mind that|i think|"
    rf"i believe|turns out|it turns out|just so you know|fyi|did i mention that)\s+",
    re.IGNORECASE,
)
_MOST_OPENINGS = 4


def uncovered(sentence: Sentence, scene: Scene) -> Sentence | None:
    """The sentence without its openings; what it takes back is noted on the scene. `None` if nothing is left."""
    for _ in range(_MOST_OPENINGS):
        said = scene.text[sentence.start : sentence.end]
        if back := _TAKING_BACK.match(said):
            _note(back, sentence, scene)
            rest = _without(sentence, back.end())
        elif correcting := _CORRECTING.match(said):
            scene.corrects = scene.corrects or _is_correction(correcting, said)
            rest = _without(sentence, correcting.end())
        elif (actually := _ACTUALLY.match(said)) and (_NOT_TAIL.search(said) or "I said" in said):
            scene.corrects = True
            rest = _without(sentence, actually.end())
        elif opening := _OPENING.match(said):
            rest = _without(sentence, opening.end())
        else:
            return sentence
        if rest is None or rest.start == sentence.start:
            return rest
        sentence = rest
    return sentence


def _is_correction(match: re.Match[str], said: str) -> bool:
    word = match.group().strip(" ,.:;!").lower()
    return word not in ("sorry", "oops", "rather") or _NOT_TAIL.search(said) is not None


def _note(back: re.Match[str], sentence: Sentence, scene: Scene) -> None:
    """Remember what was wrong: a value, or the name of an attribute."""
    scene.corrects = True
    about = back["about"]
    if not about:
        return
    begin = sentence.start + back.start() + back.group().find(about)
    inside = [word for word in sentence.words if begin <= word.start < begin + len(about)]
    phrase, _ = phrase_at(inside, 0, len(inside)) if inside else (None, 0)
    if phrase is None or phrase.det not in ("the", "my", "our"):  # else an attribute was wrong, and no value
        scene.wrong = about.strip("`\"'“” ")


def _without(sentence: Sentence, size: int) -> Sentence | None:
    begin = sentence.start + size
    words = [word for word in sentence.words if word.start >= begin]
    while words and words[0].tag & tags.PUNCT and words[0].text in ",;:.-—–!":
        words.pop(0)
    return Sentence(words, sentence.asks, words[0].start, sentence.end) if words else None


_LONG_AGO = timedelta(days=240)  # a season or two back is still news; last year's is history
_SUPPOSING = re.compile(cues.SUPPOSING, re.IGNORECASE)
_CONDITIONAL = re.compile(cues.CONDITIONAL, re.IGNORECASE)
_IRREAL = re.compile(cues.IRREAL, re.IGNORECASE)
_BACK_THEN = re.compile(cues.BACK_THEN, re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_OTHERS = listed("others")
_OWNED = re.compile(r"^(?:at |in |with )?(?:my|our|his|her|their|the)\s+(?:[\w-]+\s+)?([\w-]+)['’]s?\s", re.IGNORECASE)
_GROUP = re.compile(
    r"^(?!the (?:team|crew|group|squad)\b)(?:(?:half|most|all|some|part) of (?:the|our)|the|another|some) "
    r"(?:other )?(?:[\w-]+ ){0,2}?"
    rf"(?:{'|'.join(in_order('groups'))})\b(?! (?:{'|'.join(in_order('of_a_group'))})\b)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"\b(?:I|me|we|us)\b(?! (?:told|think|guess|heard|hear|know)\b)")
_NAMES_ONES_OWN = re.compile(r"^(?:my|our)\s+(?:[\w-]+\s+){1,2}(?:is|are)\s+[A-Z]")


def standing_of(sentence: Sentence, reason: Reason | None, clauses: Sequence[Clause], scene: Scene) -> Standing:
    """Classify a sentence that is read: stated, supposed, about others, or long past."""
    text, times, at = scene.text, scene.times, scene.at
    said = text[sentence.start : sentence.end].strip()
    within = [time for time in times if sentence.start <= time.start and time.end <= sentence.end]
    if reason is Reason.HYPOTHETICAL or _SUPPOSING.search(said) or _CONDITIONAL.search(said):
        return Standing.SUPPOSED
    if _is_long_ago(said, within, at):
        return Standing.LONG_AGO
    if _is_of_others(said):
        return Standing.OF_OTHERS
    unreal = not _is_real(clauses, text)
    return Standing.SUPPOSED if unreal and _IRREAL.search(said) else Standing.STATED


def _is_long_ago(said: str, times: Sequence[TimeMention], at: datetime) -> bool:
    years = [int(year) for year in _YEAR.findall(said)]
    if years:
        return max(years) < at.year - 1
    return _BACK_THEN.search(said) is not None and any(time.period.end < at - _LONG_AGO for time in times)


def _is_of_others(said: str) -> bool:
    owner = _OWNED.match(said)
    if owner and owner.group(1).lower() in _OTHERS:
        return True
    if _GROUP.match(said):
        return True
    first, *following = re.findall(r"[\w'’-]+", said.lower())[:3] or [""]
    told_of_them = first in ("my", "our", "a", "the") and not _OTHERS.isdisjoint(following)
    # "My mentor is Wanjiru" tells who somebody of one's own is, "a friend brought me tea" what oneself has got.
    return told_of_them and not _NAMES_ONES_OWN.match(said) and not _SPEAKER.search(said)


def _is_real(clauses: Sequence[Clause], text: str) -> bool:
    """Whether its first clause is meant as it is said."""
    if not clauses:
        return True
    start, end = span_of(clauses[0])
    modality = mood_of(clauses[0], text[start:end], hedged=False).modality
    unreal = is_unreal(clauses[0], None, text[start:end])
    return not unreal and modality not in (Modality.SUPPOSED, Modality.WISHED)
