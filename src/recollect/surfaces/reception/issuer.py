"""An issuer of identities (OpenID Connect) that somebody configured: its tokens are verified, and a browser is sent to
it and back.

Only keys that the issuer publishes count, only for our client, and only asymmetric signatures. An address counts where
the issuer says that it verified it. Nothing is asked of the issuer before a person signs in by it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from recollect.domain.clock import Clock, SystemClock
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Misconfigured, Unsupported
from recollect.sealing import Sealing
from recollect.settings import Settings, foreign_variables
from recollect.surfaces.reception.problems import HttpProblem

_PATIENCE = 10.0  # seconds for an answer of the issuer
_MOST_BYTES = 1_000_000
_KEPT = 3600.0  # seconds for which its addresses hold
_ASKED_AGAIN = 10.0  # seconds after which keys are asked for anew, for one that is not among them
_ON_THE_WAY = 600  # seconds that a person may take there
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
_CONTEXT = "sign-in on its way"


@dataclass(frozen=True, slots=True)
class IssuerSettings:
    """Where identities come from. `secret` is of our client there; public clients have none."""

    issuer: str
    client_id: str
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Departure:
    """A browser on its way to the issuer: where it goes, and the sealed cookie it brings back."""

    address: str
    cookie: str


class Issuer:
    """One issuer, with its addresses and keys as it publishes them."""

    def __init__(self, settings: IssuerSettings, sealing: Sealing, clock: Clock | None = None) -> None:
        if not _is_safe(settings.issuer):
            raise Misconfigured("The issuer must be an https address.", hint="http is for this machine only.")
        self._settings, self._sealing, self._clock = settings, sealing, clock or SystemClock()
        self._lock = threading.Lock()
        self._found: tuple[float, dict[str, Any]] | None = None
        self._keys: tuple[float, dict[Any, Any]] | None = None

    @staticmethod
    def is_meant(secret: str) -> bool:
        """Whether a secret has the form of an identity token, and not that of a token of ours."""
        return secret.count(".") == 2 and secret.startswith("eyJ")

    def identities_in(self, token: str, nonce: str | None = None) -> list[str]:
        """The identities that the issuer vouches for: the subject, and the address if it was verified."""
        jwt = _jwt()
        try:
            key = self._key(jwt.get_unverified_header(token).get("kid"))
            claims = jwt.decode(
                token,
                key,
                algorithms=_ALGORITHMS,
                audience=self._settings.client_id,
                issuer=self._settings.issuer,
                leeway=30,
                options={"require": ["exp", "iat", "sub", "aud", "iss"]},
            )
        except jwt.PyJWTError:
            raise _refused() from None
        if nonce is not None and claims.get("nonce") != nonce:
            raise _refused()
        named = [str(claims["sub"])]
        if claims.get("email_verified") is True and isinstance(claims.get("email"), str):
            named.append(claims["email"])
        return named

    def departure(self, back: str) -> Departure:
        """Send a browser to the issuer; `back` is our own address to which it returns."""
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        query = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": back,
            "scope": "openid email",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        kept = json.dumps([state, nonce, verifier, back, self._clock.now().timestamp()]).encode()
        joined = "&" if "?" in self._address("authorization_endpoint") else "?"
        address = f"{self._address('authorization_endpoint')}{joined}{urllib.parse.urlencode(query)}"
        return Departure(address, base64.urlsafe_b64encode(self._sealing.seal(kept, _CONTEXT).encode()).decode())

    def arrival(self, cookie: str, state: str, code: str) -> list[str]:
        """The identities of a browser that came back with a code, which is exchanged once."""
        try:
            sealed = base64.urlsafe_b64decode(cookie).decode("ascii")
            kept_state, nonce, verifier, back, left_at = json.loads(self._sealing.open(sealed, _CONTEXT))
        except (ValueError, Misconfigured):
            raise _refused() from None
        is_same = secrets.compare_digest(kept_state.encode(), state.encode("utf-8", "replace"))
        if not is_same or self._clock.now().timestamp() - left_at > _ON_THE_WAY:
            raise _refused()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "client_id": self._settings.client_id,
            "code_verifier": verifier,
            **({"client_secret": self._settings.secret} if self._settings.secret else {}),
        }
        answered = _asked(self._address("token_endpoint"), urllib.parse.urlencode(form).encode())
        token = answered.get("id_token")
        if not isinstance(token, str):
            raise _refused()
        return self.identities_in(token, nonce)

    def _address(self, name: str) -> str:
        """An address that the issuer publishes."""
        with self._lock:
            if self._found is None or time.monotonic() - self._found[0] > _KEPT:
                known = f"{self._settings.issuer.rstrip('/')}/.well-known/openid-configuration"
                self._found = (time.monotonic(), _asked(known))
            said = self._found[1].get(name)
        if not isinstance(said, str) or not _is_safe(said):
            raise _silent()
        return said

    def _key(self, key_id: Any) -> Any:
        """The key of this id that the issuer publishes. One that is not known is asked for, though not all the time."""
        address = self._address("jwks_uri")
        with self._lock:
            age = time.monotonic() - self._keys[0] if self._keys else _KEPT
            if self._keys is None or age >= _KEPT or (key_id not in self._keys[1] and age >= _ASKED_AGAIN):
                self._keys = (time.monotonic(), _keys_in(_asked(address)))
            found = self._keys[1].get(key_id)
        if found is None:
            raise _refused()
        return found


def issuer_of(settings: Settings) -> Issuer | None:
    """The issuer of identities that somebody configured."""
    named = settings.oidc
    if not named:
        return None
    variable = named.get("key_variable", "RECOLLECT_OIDC_SECRET")
    secret = foreign_variables((variable,)).get(variable, "")
    sealing = Sealing(settings.home, settings.sealing_key)
    return Issuer(IssuerSettings(named["issuer"], named["client_id"], secret), sealing)


def _asked(address: str, body: bytes | None = None) -> dict[str, Any]:
    """Ask the issuer for an object of JSON. A redirect is not followed: it could lead anywhere."""
    request = urllib.request.Request(address, data=body, headers={"Accept": "application/json"})  # noqa: S310 - checked
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        with opener.open(request, timeout=_PATIENCE) as answer:
            said = json.loads(answer.read(_MOST_BYTES))
    except urllib.error.HTTPError as problem:
        problem.close()
        raise (_refused() if body is not None and 400 <= problem.code < 500 else _silent()) from None
    except (OSError, ValueError):
        raise _silent() from None
    if not isinstance(said, dict):
        raise _silent()
    return said


def _keys_in(published: dict[str, Any]) -> dict[Any, Any]:
    """The keys by their ids; those that are not for signatures, or of a kind that is not known, are passed by."""
    jwt = _jwt()
    try:
        found = jwt.PyJWKSet.from_dict(published).keys
    except jwt.PyJWTError:
        raise _silent() from None
    return {each.key_id: each.key for each in found if each.key_id and each.public_key_use in ("sig", None)}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _is_safe(address: str) -> bool:
    parts = urllib.parse.urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1"))


def _jwt() -> Any:
    try:
        import jwt
    except ImportError:
        raise Unsupported(
            "Signing in by an issuer needs the package pyjwt.",
            code="package_missing",
            hint="Install it with: pip install 'recollect[accounts]'",
        ) from None
    return jwt


def _refused() -> HttpProblem:
    return HttpProblem(401, "identity_refused", "The identity was not accepted.", hint="Sign in again.")


def _silent() -> HttpProblem:
    return HttpProblem(
        503, "issuer_unreachable", "The issuer of identities gave no usable answer.", hint="Try again in a while."
    )
