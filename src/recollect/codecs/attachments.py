"""Files in the shapes that callers and vendors send them in, checked and without secrets: records, and bytes apart.

A picture comes as an `Attachment`, as an object with its bytes in base64, or as a part of a message, which Anthropic,
OpenAI and MCP each spell in their own way. An address that a picture lies at is never followed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from recollect.domain.attachments.attachment import Attachment
from recollect.domain.attachments.limits import (
    ENDINGS,
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_WORDS,
    TEXT,
    checked_type,
    require_few,
    safe_name,
)
from recollect.domain.changes import KeepAttachment
from recollect.domain.dataclass import dataclass, field, names_of
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.observations import AttachedFile
from recollect.domain.suggestions import unknown_field
from recollect.domain.text import without_control_characters
from recollect.redaction.clean_records import clean, placeholders
from recollect.redaction.redactor import redact

GivenFile: TypeAlias = Attachment | Mapping[str, Any]

_FIELDS = ("name", "data", "media_type", "alt", "caption")
_SHAPE = 'For example [{"name": "kitchen.png", "data": "iVBORw0K…", "alt": "a red kitchen"}], its bytes in base64.'
_MOST_BASE64 = 2 * MAX_FILE_BYTES  # characters that are decoded at all, line ends included
_DATA_URL = "data:"
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class AttachedFiles:
    """The files of one message: the records that it keeps, the bytes by their digests, and the secrets taken out."""

    records: tuple[AttachedFile, ...] = ()
    contents: dict[str, bytes] = field(default_factory=dict)
    redacted: Counter[str] = field(default_factory=Counter)


def files_from(given: Sequence[GivenFile]) -> AttachedFiles:
    """Files as a caller gave them, or a clear error. The same bytes twice in one message are one file."""
    attachments = [each if isinstance(each, Attachment) else _attachment(each) for each in listed(given)]
    require_few(attachments)
    found = AttachedFiles()
    records: dict[str, AttachedFile] = {}
    for attachment in attachments:
        record, content = _checked(attachment, found.redacted)
        records.setdefault(record.digest, record)
        found.contents[record.digest] = content
    return AttachedFiles(tuple(records.values()), found.contents, found.redacted)


def listed(given: Sequence[GivenFile]) -> Sequence[GivenFile]:
    """The same, if it is a list at all."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
        raise InvalidInput("`attachments` must be a list of files.", code="invalid_attachments", hint=_SHAPE)
    return given


def files_in_parts(content: Any) -> list[Attachment]:
    """The files among the parts of a message. Parts that only name an address are passed over."""
    if not isinstance(content, Sequence) or isinstance(content, str):
        return []
    return [file for part in content if isinstance(part, Mapping) for file in _files_in(part)]


def attached_from_plain(given: Sequence[Any]) -> tuple[AttachedFile, ...]:
    """The files of an observation from its plain form, which may come from anywhere."""
    if len(given) > MAX_FILES:
        raise TooLarge(
            f"An observation has {len(given)} files; at most {MAX_FILES} are kept.", code="too_many_attachments"
        )
    return tuple(map(_attached, given))


def attachment_from_plain(record: Mapping[str, Any]) -> KeepAttachment:
    """The bytes of a file from a line of an export. They must be those of the digest, and of a type that is kept."""
    file = _attachment({"name": "of an export", "data": record.get("data")})
    if checked_type(file) == TEXT and redact(file.content.decode("utf-8")).redactions:
        raise InvalidInput(
            "A text file of the export has a secret in it, and was not taken in.",
            code="secret_in_attachment",
            hint="Take the secret out of the file, and add it to a message anew.",
        )
    return KeepAttachment(checked_digest(record.get("digest")), file.content)


def checked_digest(said: Any) -> str:
    """The digest of a file, or a clear error."""
    if not isinstance(said, str) or not _DIGEST.fullmatch(said):
        raise InvalidInput(
            "`digest` is no SHA-256.",
            code="invalid_digest",
            hint="It has 64 digits, 0 to 9 and a to f; it stands with each message that has files.",
        )
    return said


def _attached(record: Any) -> AttachedFile:
    if not isinstance(record, Mapping) or not set(record) <= set(names_of(AttachedFile)):
        raise InvalidInput("A file of an observation is not understood.", code="invalid_attachments")
    kind, size = record.get("media_type"), record.get("size")
    if kind not in ENDINGS or not isinstance(size, int) or isinstance(size, bool) or not 0 < size <= MAX_FILE_BYTES:
        raise InvalidInput("A file of an observation has no type or size that is kept.", code="invalid_attachments")
    name, alt, caption = (_words(_said(record, each)) for each in ("name", "alt", "caption"))
    return AttachedFile(checked_digest(record.get("digest")), safe_name(name, kind), kind, size, alt, caption)


def _files_in(part: Mapping[str, Any]) -> Iterator[Attachment]:
    name = _said(part, "title") or _said(part, "filename") or _said(part, "name")
    match part:
        case {"type": "image" | "document", "source": {"type": "base64", "data": str(data), **about}}:
            yield _decoded(name, data, about.get("media_type"))
        case {"type": "image", "data": str(data), **about}:
            yield _decoded(name, data, about.get("mimeType"))
        case {"type": "resource", "resource": {"blob": str(data), **about}}:
            yield _decoded(name or str(about.get("uri", "")), data, about.get("mimeType"))
        case {"type": "image_url", "image_url": {"url": str(url)}} | {"type": "input_image", "image_url": str(url)}:
            if url.startswith(_DATA_URL):
                yield _decoded(name, url, None)
        case {"type": "file", "file": {"file_data": str(data), **about}}:
            yield _decoded(str(about.get("filename") or ""), data, None)
        case {"type": "input_file", "file_data": str(data)}:
            yield _decoded(name, data, None)
        case _:
            pass


def _said(part: Mapping[str, Any], name: str) -> str:
    found = part.get(name)
    return found if isinstance(found, str) else ""


def _attachment(given: Any) -> Attachment:
    if not isinstance(given, Mapping):
        raise InvalidInput("A file must be an object.", code="invalid_attachments", hint=_SHAPE)
    for name, value in given.items():
        if name not in _FIELDS:
            raise unknown_field(str(name), of="a file", known=_FIELDS, what="field")
        if not isinstance(value, str | None):
            raise InvalidInput(f"`{name}` of a file must be text.", code="invalid_attachments", hint=_SHAPE)
    if not given.get("data"):
        raise InvalidInput("A file has no `data`.", code="invalid_attachments", hint=_SHAPE)
    return _decoded(
        given.get("name") or "",
        given["data"],
        given.get("media_type"),
        alt=given.get("alt") or "",
        caption=given.get("caption") or "",
    )


def _decoded(name: str, data: str, media_type: Any, *, alt: str = "", caption: str = "") -> Attachment:
    """A file whose bytes are spelled in base64, or in an address that holds them."""
    if len(data) > _MOST_BASE64:
        raise TooLarge(
            f"A file has over {MAX_FILE_BYTES:,} bytes.", code="attachment_too_large", hint="Make it smaller."
        )
    said = media_type if isinstance(media_type, str) else None
    if data.startswith(_DATA_URL):
        head, _, data = data.removeprefix(_DATA_URL).partition(",")
        said = said or head.partition(";")[0] or None
    try:
        content = base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("The bytes of a file are not base64.", code="invalid_attachments", hint=_SHAPE) from None
    return Attachment(name, content, alt, caption, said)


def _checked(attachment: Attachment, redacted: Counter[str]) -> tuple[AttachedFile, bytes]:
    """The record and the bytes of a file. Of a text file, too, secrets are taken out, before it is named."""
    told = (attachment.name, attachment.alt, attachment.caption)
    if not isinstance(attachment.content, bytes) or not all(isinstance(each, str) for each in told):
        raise InvalidInput("A file has bytes, and texts about them.", code="invalid_attachments", hint=_SHAPE)
    kind = checked_type(attachment)
    content = attachment.content
    if kind == TEXT:
        without = redact(content.decode("utf-8"))
        redacted.update(each.kind for each in without.redactions)
        content = without.text.encode() if without.redactions else content
    name, alt, caption = (_words(each) for each in told)
    redacted.update(placeholders([name, alt, caption]) - placeholders(list(told)))
    digest = hashlib.sha256(content).hexdigest()
    return AttachedFile(digest, safe_name(name, kind), kind, len(content), alt, caption), content


def _words(said: str) -> str:
    """Words about a file, on one line and without secrets."""
    if len(said) > MAX_WORDS:
        raise TooLarge(
            f"What is said about a file is over {MAX_WORDS:,} characters.",
            code="attachment_words",
            hint="Say the rest in the message itself.",
        )
    return clean(" ".join(without_control_characters(said).split()))
