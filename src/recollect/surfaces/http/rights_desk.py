"""The desk for tokens and for browsers that sign in. The guard has decided who may come here.

A secret is in the answer that makes it, and in no other. Whatever is done here is done by the token that was shown, or
by the one behind a cookie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from recollect.domain.access import FRESH_LASTS, AccessToken, IssuedToken, SignIn
from recollect.domain.errors import InvalidInput
from recollect.domain.values import to_plain
from recollect.surfaces.catalogue.routes import SESSION, SIGN_IN, TOKENS
from recollect.surfaces.reception.browser import cookie_for, signed_out
from recollect.surfaces.reception.guard import Visit
from recollect.verbs.access import Access, SignedIn, shown

_ISSUED = ("scope", "scopes", "space", "expires", "name", "user", "agent", "project", "dialect")
_ROTATED = ("id", "overlap", "expires")
_MOST = 1000  # characters of a field; every one of ours is shorter


class RightsDesk:
    """Answers what is asked about tokens and sessions, as a plain value and the cookies that go with it."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def answer(self, visit: Visit, body: Mapping[str, Any]) -> tuple[Any, list[str]]:
        """The answer to a request, and its `Set-Cookie` headers."""
        path, method, by = visit.head.path, visit.head.method, visit.token
        if by is None:
            raise AssertionError("the guard lets nobody in here without a token")
        if path == SESSION and method == "POST":
            return self._signed_in(visit, body)
        if path.startswith(SESSION):
            return self._session(visit, by, body)
        if method == "GET":
            _fields(body, ())
            return {"items": [shown(token) for token in self._access.tokens(by=by)]}, []
        return self._about[path](self, by, body), []

    def _signed_in(self, visit: Visit, body: Mapping[str, Any]) -> tuple[Any, list[str]]:
        _fields(body, ())
        done = visit.signed_in
        if done is None:
            raise AssertionError("the guard signs browsers in")
        return self._told(done.sign_in, done.token), [_cookie(visit, done)]

    def _session(self, visit: Visit, by: AccessToken, body: Mapping[str, Any]) -> tuple[Any, list[str]]:
        sign_in = visit.sign_in
        if sign_in is None:
            raise AssertionError("the guard lets only browsers in here")
        if visit.head.path == f"{SESSION}/password":
            chosen = _fields(body, ("password",), required="password")["password"]
            account, again = self._access.accounts.choose_password(by, sign_in, chosen)
            return {"account": account.name}, [_cookie(visit, again)]
        _fields(body, ())
        match visit.head.path.removeprefix(SESSION):
            case "/end":
                self._access.sign_out(sign_in)
                return {"signed_out": 1}, signed_out(visit.head)
            case "/end-everywhere":
                return {"signed_out": self._access.sign_out_everywhere(by.id)}, signed_out(visit.head)
            case _:
                return self._told(sign_in, by), []

    def _told(self, sign_in: SignIn, token: AccessToken) -> dict[str, Any]:
        fresh = sign_in.personal and self._access.is_fresh(sign_in)
        account = self._access.accounts.of_token(token)
        return {
            "token": shown(token),
            "account": account and {"name": account.name, "has_password": account.password is not None},
            "personal": sign_in.personal,
            "signed_in_at": to_plain(sign_in.created_at),
            "expires_at": to_plain(sign_in.expires_at),
            "fresh_until": to_plain(sign_in.created_at + FRESH_LASTS) if fresh else None,
        }

    def _issue(self, by: AccessToken, body: Mapping[str, Any]) -> dict[str, Any]:
        given = _fields(body, _ISSUED)
        # A token for one space asks for others of that space, and one for a part of it for that part.
        given.setdefault("space", by.space)
        for name in ("user", "agent", "project"):
            given.setdefault(name, getattr(by.within, name))
        return _once(self._access.issue(**given, by=by))

    def _rotate(self, by: AccessToken, body: Mapping[str, Any]) -> dict[str, Any]:
        given = _fields(body, _ROTATED, required="id")
        return _once(self._access.rotate(given.pop("id"), **given, by=by))

    def _revoke(self, by: AccessToken, body: Mapping[str, Any]) -> dict[str, Any]:
        return shown(self._access.revoke(_fields(body, ("id",), required="id")["id"], by=by))

    def _link(self, by: AccessToken, body: Mapping[str, Any]) -> dict[str, Any]:
        token_id = _fields(body, ("id",)).get("id", by.id)
        return {"path": f"{SIGN_IN}#{self._access.link(token_id, by=by)}"}

    _about: Mapping[str, Callable[[RightsDesk, AccessToken, Mapping[str, Any]], dict[str, Any]]] = {
        TOKENS: _issue,
        f"{TOKENS}/rotate": _rotate,
        f"{TOKENS}/revoke": _revoke,
        f"{TOKENS}/link": _link,
    }


def _cookie(visit: Visit, done: SignedIn) -> str:
    seconds = int((done.sign_in.expires_at - done.sign_in.created_at).total_seconds())
    return cookie_for(visit.head, done.cookie, seconds)


def _once(issued: IssuedToken) -> dict[str, Any]:
    return {**shown(issued.token), "token": issued.secret}


def _fields(body: Mapping[str, Any], known: tuple[str, ...], *, required: str | None = None) -> dict[str, Any]:
    """The fields of a body: short texts, or a list of them, none of which is unknown."""
    for name, value in body.items():
        if name not in known:
            hint = f"Here: {', '.join(known)}." if known else "Send none."
            raise InvalidInput(f"There is no field `{name[:60]}` here.", code="unknown_field", hint=hint)
        texts = value if name == "scopes" and isinstance(value, list) else [value]
        if not all(each is None or (isinstance(each, str) and len(each) <= _MOST) for each in texts):
            raise InvalidInput(f"`{name}` must be text.", code="invalid_field")
    given = {name: value for name, value in body.items() if value is not None}
    if required is not None and required not in given:
        raise InvalidInput(f"`{required}` is missing.", code="missing_field")
    return given
