"""How a message stands to the truth, told even when no fact can be read from it.

"The Telvia bill was eleven euros" says nothing that a rule could file, but it says it of the speaker and of now. "My
sister pays for Telvia" is about somebody else, "in 2014 I had Telvia" about long ago, "Telvia looks cheap" about
nothing that is so. Recall puts what stands firm before what does not, and lets only that overtake an older word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from recollect.domain.observations import Standing
from recollect.domain.periods import TimeMention
from recollect.domain.readings import Modality, Reason
from recollect.readers.rules.english import cues
from recollect.readers.rules.gate import GateDecision, SentenceVerdict
from recollect.readers.rules.moods import is_unreal, mood_of
from recollect.readers.rules.scene import Scene, span_of
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.words import Sentence

_LONG_AGO = timedelta(days=240)  # a season or two back is still news; last year's is history

_SUPPOSING = re.compile(cues.SUPPOSING, re.IGNORECASE)
_CONDITIONAL = re.compile(cues.CONDITIONAL, re.IGNORECASE)
_IRREAL = re.compile(cues.IRREAL, re.IGNORECASE)
_BACK_THEN = re.compile(cues.BACK_THEN, re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_OTHERS = frozenset(cues.OTHERS.split())
_OWNED = re.compile(r"^(?:at |in |with )?(?:my|our|his|her|their|the)\s+(?:[\w-]+\s+)?([\w-]+)['’]s?\s", re.IGNORECASE)
_GROUP = re.compile(
    r"^(?!the (?:team|crew|group|squad)\b)(?:(?:half|most|all|some|part) of (?:the|our)|the|another|some) "
    r"(?:other )?(?:[\w-]+ ){0,2}?"
    rf"(?:{'|'.join(cues.GROUPS.split())})\b(?! (?:{'|'.join(cues.OF_A_GROUP.split())})\b)",
    re.IGNORECASE,
)
_ONESELF = re.compile(r"\b(?:I|me|we|us)\b(?! (?:told|think|guess|heard|hear|know)\b)")
_NAMES_ONES_OWN = re.compile(r"^(?:my|our)\s+(?:[\w-]+\s+){1,2}(?:is|are)\s+[A-Z]")


def standing_of(sentence: Sentence, verdict: SentenceVerdict, clauses: Sequence[Clause], scene: Scene) -> Standing:
    """Classify a sentence: stated, asked, supposed, about others, or long past."""
    text, times, at = scene.text, scene.times, scene.at
    if verdict.decision is GateDecision.REJECT and verdict.reason is not Reason.NOT_SELF_CONTAINED:
        return Standing.ASKED
    said = text[sentence.start : sentence.end].strip()
    within = [time for time in times if sentence.start <= time.start and time.end <= sentence.end]
    if _SUPPOSING.search(said) or _CONDITIONAL.search(said):
        return Standing.SUPPOSED
    if _is_long_ago(said, within, at):
        return Standing.LONG_AGO
    if _is_of_others(said):
        return Standing.OF_OTHERS
    unsure = verdict.reason is Reason.HYPOTHETICAL or not _is_real(sentence, clauses, text)
    return Standing.SUPPOSED if unsure and _IRREAL.search(said) else Standing.STATED


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
    return told_of_them and not _NAMES_ONES_OWN.match(said) and not _ONESELF.search(said)


def _is_real(sentence: Sentence, clauses: Sequence[Clause], text: str) -> bool:
    """Whether its first clause is meant as it is said."""
    for clause in clauses[:1]:
        start, end = span_of(clause)
        mood = mood_of(clause, None, text[start:end], hedged=False, asks=sentence.asks)
        return not is_unreal(clause, None, text[start:end]) and mood.modality not in (
            Modality.SUPPOSED,
            Modality.WISHED,
        )
    return True
