"""The name of a file, fit for every file system, for a header and for a person's eye.

A sender may call a file anything: `../../x`, a name with a NUL or a line end in it, one that shows `gpj.exe` from right
to left. What is kept is the last part of the path, its visible characters, and the ending that its bytes deserve.
"""

from __future__ import annotations

import unicodedata

from recollect.domain.attachments.media_types import ENDINGS, JPEG

MAX_FILE_NAME = 100  # characters, its ending included
_MOST_BYTES = 200  # of them as UTF-8: file systems count bytes
_MOST_READ = 4000  # characters of what is said that are looked at
_SEPARATORS = "/\\"
_OF_NO_FILE = '<>:"|?*'
_INVISIBLE = ("C", "Zl", "Zp")  # categories: control, format (direction marks), surrogates, unassigned; line ends
_RESERVED = ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
_SPELLED = {JPEG: ("jpg", "jpeg")}


def safe_name(said: str, media_type: str) -> str:
    """The name of a file. Its stem is as it was said, as far as it can be; `file` where nothing is left of it."""
    plain = unicodedata.normalize("NFC", said[-_MOST_READ:])
    for separator in _SEPARATORS:
        plain = plain.rpartition(separator)[2]
    plain = "".join(each for each in plain if not unicodedata.category(each).startswith(_INVISIBLE))
    plain = "".join("_" if each in _OF_NO_FILE else each for each in plain)
    stem, ending = _parted(" ".join(plain.split()), media_type)
    stem = stem.strip(" .") or "file"
    if stem.partition(".")[0].lower() in _RESERVED:
        stem = f"_{stem}"
    while len(stem) + len(ending) + 1 > MAX_FILE_NAME or len(stem.encode()) + len(ending) + 1 > _MOST_BYTES:
        stem = stem[: min(len(stem) - 1, MAX_FILE_NAME - len(ending) - 1)]
    return f"{stem.rstrip(' .')}.{ending}"


def _parted(name: str, media_type: str) -> tuple[str, str]:
    """The stem and the ending. One that says another type is kept in the stem, and the right one is added."""
    usual = ENDINGS[media_type]
    stem, dot, ending = name.rpartition(".")
    if not dot or not stem.strip(" ."):
        return name, usual
    if ending.lower() in _SPELLED.get(media_type, (usual,)):
        return stem, ending.lower()
    return name, usual
