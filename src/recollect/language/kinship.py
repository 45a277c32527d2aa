"""The words for people one is related to, and the attribute and the gender of each."""

from __future__ import annotations

from recollect.attributes.catalogue import catalogue
from recollect.language.english import relations


def _relations() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    named = [(attribute.name, attribute.people) for attribute in catalogue()]
    for attribute, names in (*named, ("", relations.OTHER_RELATIONS.split(","))):
        for name in names:
            words = name.split()
            gender = words.pop() if len(words) > 1 and words[-1] in ("m", "f") else ""
            found.setdefault(" ".join(words), (attribute, gender))
    return found


# By word: the attribute it is a value of, and "m", "f" or nothing.
RELATIONS = _relations()
