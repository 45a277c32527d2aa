"""Pure: a fact that was handed over in pieces, as a sentence that stands by itself."""

from __future__ import annotations

from recollect.domain.catalogue import attribute_named
from recollect.domain.statements import PROJECT, USER, Polarity, Tense
from recollect.remember.extraction.rendering import rendered
from recollect.remember.extraction.who import Who


def said_of(subject: str, attribute: str, value: str, *, polarity: Polarity, tense: Tense) -> str:
    """The sentence for a subject such as `user`, `person:ana` or `thing:billing service`."""
    return rendered(_who(subject), attribute, attribute_named(attribute), value, polarity=polarity, tense=tense)


def _who(subject: str) -> Who:
    kind, separator, name = subject.partition(":")
    match kind:
        case _ if subject == USER:
            return Who(subject, "User", "user")
        case _ if subject == PROJECT:
            return Who(subject, "The project", "project")
        case "person" if separator:
            return Who(subject, name.title(), "person")
        case "relation" if separator:
            return Who(subject, f"User's {name}", "relation")
        case _:
            return Who(subject, f"The {name or subject}", "thing")
