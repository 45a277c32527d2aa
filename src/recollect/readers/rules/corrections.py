"""Taking back: "correction: ...", "sorry, I mixed things up", "... , not X".

What a sentence takes back is kept on the scene, so that the next statement says that it corrects, and what.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.language import tags
from recollect.readers.rules.english import cues
from recollect.readers.rules.english.chatter import KEEP_IN_MIND
from recollect.readers.rules.owners import attribute_of
from recollect.readers.rules.scene import Scene
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.phrases import phrase_at
from recollect.readers.rules.syntax.words import Sentence, Word

_TAKING_BACK = re.compile(cues.TAKING_BACK + r"[\s.,;:!—–-]*", re.IGNORECASE)
_CORRECTING = re.compile(cues.CORRECTING, re.IGNORECASE)
_ACTUALLY = re.compile(cues.ACTUALLY, re.IGNORECASE)
_NOT_TAIL = re.compile(r"[,;]? (?:and )?not [^.!?;]+[.!?]*$", re.IGNORECASE)
_OPENING = re.compile(
    rf"(?:{KEEP_IN_MIND})(?:\s*[,:;!.—–-]+\s*|\s+(?=that\b))"
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
    about = next((group for group in back.groupdict().values() if group), "")
    if not about:
        return
    begin = sentence.start + back.start() + back.group().find(about)
    inside = [word for word in sentence.words if begin <= word.start < begin + len(about)]
    phrase, _ = phrase_at(inside, 0, len(inside)) if inside else (None, 0)
    if phrase is not None and phrase.det in ("the", "my", "our"):
        owner, called = attribute_of(phrase, scene)
        if owner is not None and called is not None:
            scene.topic = (owner, called.attribute)
            return
    scene.wrong = about.strip("`\"'“” ")


def _without(sentence: Sentence, size: int) -> Sentence | None:
    begin = sentence.start + size
    words = [word for word in sentence.words if word.start >= begin]
    while words and words[0].tag & tags.PUNCT and words[0].text in ",;:.-—–!":
        words.pop(0)
    return Sentence(words, sentence.asks, words[0].start, sentence.end) if words else None


def denied(clause: Clause, scene: Scene) -> str:
    """The value that a clause denies: "..., not Cologne". Empty if none."""
    for tail in clause.tails:
        if value := denied_in(tail, scene):
            return value
    return ""


def denied_in(tail: Sequence[Word], scene: Scene) -> str:
    if len(tail) > 1 and tail[0].low == "not":
        phrase, after = phrase_at(tail, 1, len(tail))
        if phrase is not None:
            return scene.text[
                phrase.start : tail[-1].end if after < len(tail) and not tail[after].tag & tags.TIME else phrase.end
            ].strip("`\"'“” ")
        return scene.text[tail[1].start : tail[-1].end].strip("`\"'“” ")
    return ""
