"""Pure: a fact that was handed over in pieces, as a sentence that stands by itself."""

from __future__ import annotations

from recollect.attributes.catalogue import attribute_named
from recollect.domain.readings import Polarity, Tense
from recollect.language.rendering import called, rendered


def said_of(subject: str, attribute: str, value: str, *, polarity: Polarity, tense: Tense) -> str:
    """The sentence for a subject such as `user`, `person:ana` or `thing:billing service`."""
    return rendered(called(subject), attribute, attribute_named(attribute), value, polarity=polarity, tense=tense)
