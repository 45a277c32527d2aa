"""Clean text: strings without their secrets, for every place that is about to keep them.

The same string passes here several times on its way to the disk: when it is checked, before it is embedded, and in the
store. So texts that were found clean are remembered for a while, and most names are told clean at a glance. Texts that
held a secret are not remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.late import Late
from recollect.domain.text import MAX_TAGS, sound_name, sound_text, spelled_tag

_MOST_REMEMBERED = 1_000_000  # characters of clean texts
_FEW = 40  # texts that a process cleans before all keywords are made ready for it: see `once` of `redact`

# Too short for a token of any vendor, and without a sign by which a value is given to a name.
_AT_A_GLANCE = Late(r"[A-Za-z0-9_.-]{0,15}|[0-7][0-9A-HJKMNP-TV-Z]{25}")

# With the ending of a file behind it, a value reads like code: `token.txt`.
_FILE_ENDING = Late(r"\.[A-Za-z0-9]{1,5}\Z")
_LONGEST_PATH = 1024  # characters

_PLACEHOLDER = Late(r"\[redacted:([a-z0-9-]{1,60})\]")


class _KnownClean:
    """Texts that were found clean, and whether they are plain; forgotten all at once when they grow too many."""

    def __init__(self) -> None:
        self.texts: dict[str, bool] = {}
        self._characters = 0
        self._searched = 0

    def is_ready(self) -> bool:
        """Whether this process has searched so many texts that it will search many more."""
        self._searched += 1
        return self._searched > _FEW

    def add(self, text: str, *, plain: bool) -> None:
        if self._characters + len(text) > _MOST_REMEMBERED:
            self.texts.clear()
            self._characters = 0
        self.texts[text] = plain
        self._characters += len(text)


_KNOWN = _KnownClean()


def clean(text: str) -> str:
    """The text with a placeholder for each secret; the same object if it holds none. Doing it again changes nothing."""
    if text in _KNOWN.texts or _AT_A_GLANCE.fullmatch(text):
        return text
    # Loaded with the first text that needs it: a command that only reads has none.
    from recollect.redaction.redactor import is_plain, redact

    once = not _KNOWN.is_ready()
    if not once and is_plain(text):
        _KNOWN.add(text, plain=True)
        return text
    found = redact(text, once=once)
    if found.redactions:
        return found.text
    if len(text) <= _LONGEST_PATH and (ending := _FILE_ENDING.search(text)):
        stem = redact(text[: ending.start()], once=once)
        if stem.redactions:
            return stem.text + ending.group()
    _KNOWN.add(text, plain=False)
    return text


def know_clean(texts: Iterable[str]) -> None:
    """Find out of many texts at once whether they are clean, so that `clean` knows it of nearly all of them."""
    from recollect.redaction.many_texts import plain_among

    for text in plain_among({each for each in texts if each not in _KNOWN.texts}):
        _KNOWN.add(text, plain=True)


def is_known_clean(text: str) -> bool:
    """Whether `clean` would give the text back; only where that was found out before, or is told at a glance."""
    return text in _KNOWN.texts or is_clean_at_a_glance(text)


def is_clean_at_a_glance(text: str) -> bool:
    """Whether a text is too short to hold a secret, or an id."""
    return _AT_A_GLANCE.fullmatch(text) is not None


def is_known_clean_beside(name: str, value: str) -> bool:
    """Whether `clean_beside` would give the value back; only where both are known to be plain."""
    from recollect.redaction.many_texts import spells_keyword

    known = _KNOWN.texts
    return known.get(name, False) and known.get(value, False) and not spells_keyword(name, value)


def checked_text(text: str, *, field: str = "text") -> str:
    """The text with its line ends made one and without secrets, or a clear error. Only white space counts as empty."""
    return clean(sound_text(text, field=field))


def checked_name(name: str | None, *, field: str) -> str | None:
    """A short text on one line, without space around it and without secrets; an empty one counts as not given."""
    sound = sound_name(name, field=field)
    return None if sound is None else clean(sound)


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags in their one spelling: lower case, a hyphen for white space, sorted, each once."""
    if isinstance(tags, str):
        tags = (tags,)
    if not isinstance(tags, Iterable):
        raise InvalidInput("`tags` must be a list.", code="invalid_field")
    spelled: set[str] = set()
    for tag in tags:
        name = checked_name(tag, field="tags")
        if name:
            spelled.add(spelled_tag(name))
    if len(spelled) > MAX_TAGS:
        raise TooLarge(f"{len(spelled)} tags were given; a note has at most {MAX_TAGS}.")
    return tuple(sorted(spelled))


def clean_beside(name: str, value: str) -> str:
    """A clean value for a name, which may tell that it is a secret: `password` and `hunter2`."""
    alone = clean(value)
    said = f"{name}={alone}"
    together = clean(said)
    if together == said:
        return alone
    return together.removeprefix(f"{name}=") if together.startswith(f"{name}=") else "[redacted:secret]"


def placeholders(value: object) -> Counter[str]:
    """How often each kind of secret was taken out of a value, by the placeholders in it."""
    return Counter(_PLACEHOLDER.findall(value if isinstance(value, str) else str(value)))


def holds_secret(text: str) -> bool:
    """Whether there is a secret in the text."""
    return clean(text) != text
