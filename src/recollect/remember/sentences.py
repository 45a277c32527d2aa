"""Pure: a fact that was handed over in pieces, as a sentence that stands by itself."""

from __future__ import annotations

from recollect.attributes.catalogue import attribute_named
from recollect.domain.readings import PROJECT, USER, Polarity, Tense
from recollect.language.rendering import rendered


def said_of(subject: str, attribute: str, value: str, *, polarity: Polarity, tense: Tense) -> str:
    """The sentence for a subject such as `user`, `person:ana` or `thing:billing service`."""
    return rendered(_called(subject), attribute, attribute_named(attribute), value, polarity=polarity, tense=tense)


def _called(subject: str) -> str:
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
