"""The text that may be kept, and its spelling.

One rule for every door and both databases: valid Unicode, no NUL and no control characters but tab and line
feed, at most a stated size. Bidirectional marks are kept, for people write with them; showing them safely is the door's
task. Secrets are taken out by `redaction.clean_records`, whose checks go through these.
"""

from __future__ import annotations

from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.late import Late

MAX_TEXT_BYTES = 1_000_000  # a page, not a book: longer things are ingested in pieces
MAX_NAME_BYTES = 512  # titles, subjects, tags, scopes: they are keys, and stand in indexes
MAX_TAGS = 64

FORBIDDEN = Late("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_OF_TOKENS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=.~%"
_LINE_ENDS = Late("\r\n?")
_ASKED = "Ask for something, as in `where do I live`; `list` shows everything."
_LINE_FEED = "\n"


def sound_text(text: str, *, field: str = "text") -> str:
    """The text with its line ends made one, or a clear error. Only white space counts as empty. Secrets stay in it."""
    sound = _sound(text, field, MAX_TEXT_BYTES)
    if not sound.strip():
        hint = _ASKED if field == "query" else "Say what should be remembered."
        raise InvalidInput(f"`{field}` is empty.", code="empty_text", hint=hint)
    return sound


def without_control_characters(text: str) -> str:
    """Text of somebody else's making, made fit to be kept: what cannot be is dropped. Its size is not changed."""
    return FORBIDDEN.sub("", _LINE_ENDS.sub("\n", text))


def both_ends(text: str, characters: int) -> str:
    """The beginning and the end of a text that is longer than both, in whole lines where there are some."""
    if len(text) <= 2 * characters:
        return text
    head, tail = text[:characters], text[-characters:]
    return f"{head.rpartition(_LINE_FEED)[0] or head}\n\n{tail.partition(_LINE_FEED)[2] or tail}"


def sound_name(name: str | None, *, field: str) -> str | None:
    """A short text on one line, without space around it; an empty one counts as not given. Secrets stay in it."""
    if name is None:
        return None
    sound = _sound(name, field, MAX_NAME_BYTES).strip()
    if "\n" in sound:
        raise InvalidInput(f"`{field}` must be a single line.", code="invalid_text")
    return sound or None


def spelled_tag(name: str) -> str:
    """A tag in its one spelling: lower case, with a hyphen for white space."""
    import unicodedata

    return "-".join(unicodedata.normalize("NFC", name).lower().split())


def beginning(text: str, longest: int) -> str:
    """The first characters of a text that is still to be cleaned: a word that would be cut in two is left out.

    Half a secret could not be told from other words. One word that is longer than half of what is kept is cut.
    """
    if len(text) <= longest:
        return text
    whole = text[:longest].rstrip(_OF_TOKENS)
    return whole if len(whole) > longest // 2 else text[:longest]


def _sound(text: str, field: str, limit: int) -> str:
    if not isinstance(text, str):
        raise InvalidInput(f"`{field}` must be text, not {type(text).__name__}.", code="invalid_text")
    # Every character is at least one byte, so this refuses a huge text before it is copied.
    if len(text) > limit or len(text.encode("utf-8", "surrogatepass")) > limit:
        raise TooLarge(f"`{field}` is over its limit of {limit:,} bytes.")
    text = _LINE_ENDS.sub("\n", text)
    found = FORBIDDEN.search(text)
    if found:
        code_point = ord(found.group())
        what = "half of a surrogate pair" if code_point >= 0xD800 else "a control character"
        raise InvalidInput(
            f"`{field}` has {what} (U+{code_point:04X}) at position {found.start()}.",
            code="invalid_text",
            hint="Remove it, or decode the text as UTF-8 before saving it.",
        )
    return text
