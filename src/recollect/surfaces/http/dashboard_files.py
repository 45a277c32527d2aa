"""The dashboard, as files of this package: one page for every address below `/ui/`, and what that page loads.

The files are made by `make dashboard` and come with the wheel. They are listed once, at the start, so no path that
somebody asks for is ever looked up on the disk. A browser is told to run nothing that is not one of them, and to speak
to nobody but this server. Names of assets hold a digest of their content, so a browser may keep them for good.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import Response

from recollect.surfaces.catalogue.routes import DASHBOARD
from recollect.surfaces.reception.problems import HttpProblem

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
