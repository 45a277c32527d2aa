"""The pages by which a browser goes to an issuer of identities and comes back signed in, and the list of ways in.

`PAGE` is the page of a link: its script hands the secret in, which stands after `#` and so in no log, and then takes it
out of the address.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from recollect.domain.errors import RecollectError
from recollect.surfaces.catalogue.routes import FROM_ISSUER, SIGN_IN, TO_ISSUER, WAYS_IN
from recollect.surfaces.reception.browser import cookie_for
from recollect.surfaces.reception.issuer import Issuer
from recollect.surfaces.reception.problems import MEDIA_TYPE, HttpProblem, body_of, headers_of, status_of
from recollect.surfaces.reception.screening import Head, head_of, not_recognised
from recollect.verbs.access import Access

_SCRIPT = """
const said = document.getElementById("said"), secret = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
addEventListener("hashchange", () => location.reload()); // another link, in the same tab
fetch("/v1/session", {method: "POST", headers: {Authorization: "Bearer " + secret}}).then(
  (answer) => {
    said.textContent = answer.ok ? "You are signed in."
      : "This link was used already, or is over. `recollect dashboard` makes another.";
    document.getElementById("else").hidden = answer.ok;
    if (answer.ok) location.replace("/ui/");
  },
  () => { said.textContent = "The server does not answer."; });
"""

PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Recollect</title></head>
<body><p id="said" role="status">Signing in.</p><p id="else" hidden><a href="/ui/">Sign in another way</a></p>
<noscript><p>This page needs its script.</p></noscript>
<script>{_SCRIPT}</script></body></html>
"""

_DIGEST = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode("ascii")

HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'sha256-{_DIGEST}'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}


_COOKIE = "recollect_on_its_way"
_HOME = "/ui/"  # where a browser goes when it is signed in


class IssuerPages:
    """Sends browsers to the issuer, and signs in those that come back."""

    def __init__(self, issuer: Issuer | None, access: Access) -> None:
        self._issuer, self._access = issuer, access
        # An issuer may be slow, and everybody may ask for these pages: they take no more threads than this.
        self._turns = asyncio.Semaphore(2)
        self.at = {TO_ISSUER: self.leave, FROM_ISSUER: self.arrive, WAYS_IN: self.ways}

    async def leave(self, request: Request) -> Response:
        """To the issuer, with a sealed cookie that says what was asked for."""
        return await self._told(partial(self._leave, _address_of(request)))

    async def arrive(self, request: Request) -> Response:
        """From the issuer, with a code."""
        query = request.query_params
        cookie = request.cookies.get(_COOKIE, "")
        head = head_of("GET", request.url.path, request.scope["headers"])
        return await self._told(
            partial(self._arrive, head, cookie, query.get("state", ""), query.get("code", ""), _address_of(request))
        )

    async def ways(self, _: Request) -> Response:
        """The ways by which a person can sign in here. It says that there are accounts, and not whose."""
        return await self._told(self._ways)

    def _ways(self) -> Response:
        is_known = {"token": True, "password": self._access.accounts.every(), "issuer": self._issuer}
        told = json.dumps({"ways": [way for way, known in is_known.items() if known]})
        return Response(told, headers={"Cache-Control": "no-store"}, media_type="application/json")

    def _leave(self, own: str) -> Response:
        left = self._known().departure(own + FROM_ISSUER)
        secure = "; Secure" if own.startswith("https://") else ""
        # Lax, for the browser comes back from another site and must bring it.
        kept = f"{_COOKIE}={left.cookie}; Path={SIGN_IN}; HttpOnly; SameSite=Lax; Max-Age=600{secure}"
        return Response(status_code=303, headers={"Location": left.address, "Set-Cookie": kept})

    def _arrive(self, head: Head, cookie: str, state: str, code: str, own: str) -> Response:
        token = self._access.accounts.by_identity(self._known().arrival(cookie, state, code))
        if token is None:
            raise not_recognised()
        done = self._access.sign_in_as(token, personal=True)
        seconds = int((done.sign_in.expires_at - done.sign_in.created_at).total_seconds())
        answer = Response(status_code=303, headers={"Location": _HOME})
        answer.headers.append("Set-Cookie", f"{_COOKIE}=; Path={SIGN_IN}; HttpOnly; SameSite=Lax; Max-Age=0")
        answer.headers.append("Set-Cookie", cookie_for(head, done.cookie, seconds, secure=own.startswith("https://")))
        return answer

    def _known(self) -> Issuer:
        if self._issuer is None:
            raise HttpProblem(
                404,
                "issuer_not_configured",
                "No issuer of identities is configured.",
                hint="The table `oidc` of recollect.toml names one.",
            )
        return self._issuer

    async def _told(self, work: Callable[[], Response]) -> Response:
        try:
            async with self._turns:
                return await asyncio.get_running_loop().run_in_executor(None, work)
        except RecollectError as problem:
            return Response(
                body_of(problem, ""), status_of(problem), headers={**headers_of(problem), "Content-Type": MEDIA_TYPE}
            )


def _address_of(request: Request) -> str:
    """Our own address as the browser knows it. The name in `Host` was checked by the guard."""
    scheme = request.headers.get("x-forwarded-proto", request.url.scheme)
    return f"{'https' if scheme == 'https' else 'http'}://{request.headers['host']}"
