"""A statement as a sentence that stands by itself: third person, absolute dates, the speaker by name.

The catalogue has one sentence per attribute, in the present; what is negated, over or past is made from it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.attributes.catalogue import flagged
from recollect.attributes.records import Attribute, Flag
from recollect.domain.periods import Period, Precision
from recollect.domain.readings import PROJECT, USER, Modality, Polarity, Tense
from recollect.language import tags
from recollect.language.english import verbs
from recollect.language.english.relations import RELATIONS
from recollect.language.lexicon import LEXICON, inflected

_VERB = re.compile(r"^(\{who\}(?:'s [\w -]+?)?) (is|are|was|has|[a-z]+s)\b(.*)$")
_DATED = re.compile(r" (?:since|from|until|in|on) \d{4}(?:-\d\d){0,2}")
_NOT_ASSERTED = {
    Modality.PLANNED: "Planned: ",
    Modality.WISHED: "Wished for: ",
    Modality.SUPPOSED: "Only supposed: ",
    Modality.ASKED: "Only asked: ",
    Modality.ASSERTED: "",
}


def rendered(
    who: str,
    attribute: str,
    known: Attribute | None,
    value: str,
    *,
    wording: str = "",
    polarity: Polarity = Polarity.AFFIRMED,
    tense: Tense = Tense.PRESENT,
    modality: Modality = Modality.ASSERTED,
    since: Period | None = None,
    until: Period | None = None,
    occurred: Period | None = None,
) -> str:
    """The sentence. `wording` is a sentence with `{who}` and `{value}`, or the word for a relation."""
    sentence = _sentence(attribute, known, wording)
    if polarity is Polarity.ENDED:
        sentence = _changed(sentence, "ended")
    elif polarity is Polarity.NEGATED:
        sentence = _changed(sentence, "negated")
    elif tense is Tense.PAST:
        sentence = _changed(sentence, "past")
    said = sentence.replace("{who}", who).replace("{value}", _with_article(attribute, value))
    said += _dates(tense, polarity, since, until, occurred)
    return _NOT_ASSERTED[modality] + said[:1].upper() + said[1:] + ("" if said.endswith(".") else ".")


def called(subject: str) -> str:
    """A subject such as `user`, `person:ana` or `thing:billing service` as a sentence begins with it."""
    kind, separator, name = subject.partition(":")
    match kind:
        case _ if subject == USER:
            return "User"
        case _ if subject == PROJECT:
            return "The project"
        case "person" if separator:
            return name.title()
        case "relation" if separator:
            return f"User's {name}"
        case _:
            return f"The {name or subject}"


def _with_article(attribute: str, value: str) -> str:
    """ "Has a dog named Bruno": values are kept without their article, sentences are not."""
    first = value.partition(" ")[0]
    if (
        not flagged(attribute, Flag.ARTICLE)
        or not first.isalpha()
        or first != first.lower()
        or LEXICON.get(first, (0, ""))[0] & tags.NUM
    ):
        return value
    plural = value.rpartition(" ")[2].endswith("s") and "named" not in value and "called" not in value
    return value if plural else f"{'an' if first[0] in 'aeiou' else 'a'} {value}"


def written(period: Period) -> str:
    """A period in as many figures as it is known to."""
    start = period.start
    match period.precision:
        case Precision.MOMENT:
            return start.strftime("%Y-%m-%d %H:%M")
        case Precision.DAY | Precision.WEEK:
            return start.strftime("%Y-%m-%d")
        case Precision.MONTH | Precision.SEASON:
            return start.strftime("%Y-%m")
        case Precision.YEAR:
            return f"{start.year:04}"
        case Precision.DECADE:
            return f"{start.year:04}s"


def _sentence(attribute: str, known: Attribute | None, wording: str) -> str:
    if "{value}" in wording:
        return wording
    if attribute == "?":
        return "{who}: {value}"
    if wording in RELATIONS and known is not None and RELATIONS[wording][0] == known.name:
        return f"{{who}}'s {wording} is {{value}}"
    if known is not None:
        return known.wording
    return f"{{who}}'s {attribute} is {{value}}"


def undated(sentence: str) -> str:
    """A sentence without the dates that it tells."""
    return _DATED.sub("", sentence)


def _dates(
    tense: Tense, polarity: Polarity, since: Period | None, until: Period | None, occurred: Period | None
) -> str:
    told = ""
    if since is not None:
        told += f" {'from' if tense is Tense.FUTURE else 'since'} {written(since)}"
    if until is not None:
        told += f" {'since' if polarity is Polarity.ENDED else 'until'} {written(until)}"
    if occurred is not None:
        told += f" {'on' if occurred.precision in (Precision.DAY, Precision.MOMENT) else 'in'} {written(occurred)}"
    return told


@lru_cache(maxsize=2_048)
def _changed(sentence: str, how: str) -> str:
    """The same sentence negated, over, or in the past."""
    found = _VERB.match(sentence)
    if sentence == "{who} {value}" and how == "past":
        return sentence  # what happened has its own verb
    if found is None:
        return {"negated": "Not so: ", "ended": "No longer so: ", "past": "Formerly: "}[how] + sentence
    before, verb, after = found.groups()
    if verb in ("is", "are", "was"):
        now = "is" if verb == "was" else verb
        changed = {"negated": f"{verb} not", "ended": f"{now} no longer", "past": "were" if verb == "are" else "was"}[
            how
        ]
    else:
        base = LEXICON.get(verb, (0, verb.removesuffix("s")))[1]
        changed = {"negated": f"does not {base}", "ended": f"no longer {verb}", "past": _past(base)}[how]
    return f"{before} {changed}{after}"


def _past(base: str) -> str:
    if base == "have":
        return "had"
    if base == "do":
        return "did"
    return _IRREGULAR.get(base) or inflected(base, verbs.PAST_FORM, verbs.PAST_ENDING, base in verbs.DOUBLING.split())


_IRREGULAR = {line.split()[0]: line.split()[1] for line in verbs.IRREGULAR.split("|")}
