"""A file as an answer: its bytes, and headers that let no browser take them for anything but a file to save.

What a file is was found in its bytes. A file that is two things at once stays the one that it is said to be: browsers
are told not to show it, and to give it no rights if they do; the guard tells them not to guess, and not to keep it.
"""

from __future__ import annotations

from urllib.parse import quote

from fastapi import Response

from recollect.domain.attachments.attachment import AttachmentContent
from recollect.surfaces.reception.screening import Head

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def file_answer(file: AttachmentContent, head: Head) -> Response:
    """The answer to whoever asked for a file; without the bytes if they have these already."""
    etag = f'"{file.digest}"'
    headers = {**_HEADERS, "ETag": etag, "Content-Disposition": _disposition(file.name)}
    if head.method == "GET" and head.one("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(file.content, headers=headers, media_type=_spelled(file.media_type))


def _spelled(media_type: str) -> str:
    return "text/plain; charset=utf-8" if media_type == "text/plain" else media_type


def _disposition(name: str) -> str:
    """To be saved, under its own name; programs that know ASCII only have a plainer one."""
    plain = "".join(each if each.isascii() and (each.isalnum() or each in " ._-()") else "_" for each in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
