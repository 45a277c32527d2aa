"""Files as answers: the dashboard's, and those that came with a message.

The dashboard is made by `make dashboard` and comes with the wheel. Its files are listed once, at the start, so no path
that somebody asks for is ever looked up on the disk. A browser is told to run nothing that is not one of them, and to
speak to nobody but this server. Names of assets hold a digest of their content, so a browser may keep them for good.

The type of a message's file was found in its bytes. A file that is two things at once stays the one that it is said to
be: browsers are told not to show it, and to give it no rights if they do; the guard tells them not to guess.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path
from urllib.parse import quote

from fastapi import Response

from recollect.domain.attachments.attachment import AttachmentContent
from recollect.surfaces.catalogue.routes import DASHBOARD
from recollect.surfaces.reception.problems import HttpProblem
from recollect.surfaces.reception.screening import Head

BUILT = Path(__file__).parents[1] / "dashboard" / "static"

_PAGE = "index.html"
_ASSETS = "assets/"
_POLICY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Recollect</title></head><body>
<h1>The dashboard is not here</h1>
<p>This copy of Recollect was started from its source without it. <code>make dashboard</code> builds it, with Node 20 or
newer, and the next start of the server shows it. Everything else is served as always.</p></body></html>
"""


class DashboardFiles:
    """Answers for the page and its assets. Without them there is a page that says how they are made."""

    def __init__(self, folder: Path = BUILT) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()
        }

    def answer(self, path: str) -> Response:
        """The file at a path; the page itself where the last word of the path is not the name of a file."""
        if not path.startswith(DASHBOARD):
            return Response(status_code=307, headers={**_POLICY, "Location": DASHBOARD})
        name = path.removeprefix(DASHBOARD)
        if name not in self._files:
            if "." in name.rpartition("/")[2]:
                raise HttpProblem(404, "route_not_found", "There is nothing at this path.", hint=f"Try {DASHBOARD}.")
            name = _PAGE
        file = self._files.get(name)
        if file is None:
            return Response(_NOT_BUILT, 503, headers=_POLICY, media_type="text/html")
        kept = {"Cache-Control": "public, max-age=31536000, immutable"} if name.startswith(_ASSETS) else {}
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(file.read_bytes(), headers={**_POLICY, **kept}, media_type=media_type)


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
