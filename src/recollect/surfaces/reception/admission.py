"""Admission: a live token, or a browser that is signed in. Failures are counted by where they come from."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from recollect.dialects.table import DialectLine, Knock
from recollect.domain.access import AccessToken, SignIn
from recollect.surfaces.reception.browser import cookie_in, require_own_page
from recollect.surfaces.reception.dialect_gate import token_for
from recollect.surfaces.reception.issuer import Issuer
from recollect.surfaces.reception.limits import Buckets
from recollect.surfaces.reception.problems import HttpProblem
from recollect.surfaces.reception.screening import (
    Head,
    bearer_in,
    name_and_password_in,
    not_admitted,
    not_recognised,
    not_signed_in,
)
from recollect.verbs.access import Access, SignedIn

T = TypeVar("T")


class Admission:
    """Looks up whoever comes to the guard."""

    def __init__(self, access: Access, refused: Buckets, issuer: Issuer | None = None) -> None:
        self._access, self._refused, self._issuer = access, refused, issuer
        # Of their own, so that slow verbs cannot keep anybody waiting at the door.
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="recollect-guard")
        # Nor can passwords, which are slow to try, nor an issuer that does not answer.
        self._people = ThreadPoolExecutor(2, thread_name_prefix="recollect-people")

    def close(self) -> None:
        self._threads.shutdown()
        self._people.shutdown()

    async def admitted(self, head: Head, address: str) -> tuple[AccessToken, SignIn | None]:
        """The live token of a request, and the browser that came with a cookie in its place. A good token comes in from
        any address."""
        with self._counting_refusals(address):
            cookie = None if "authorization" in head.headers else cookie_in(head)
            if cookie is not None:
                require_own_page(head)
                found = await self._ask(self._access.admit_browser, cookie)
                if found is None:
                    raise not_signed_in()
                return found[1], found[0]
            token = await self._ask(self._access.admit, bearer_in(head))
            if token is None:
                raise not_admitted()
            return token, None

    async def admitted_to(self, line: DialectLine, knock: Knock, address: str) -> AccessToken:
        """The live token of a request to a dialect, by credentials of that dialect and of no other."""
        with self._counting_refusals(address):
            token = await self._ask(token_for, line, knock, self._access)
            if token is None:
                raise not_admitted(line.dialect.name)
            return token

    async def signed_in(self, head: Head, address: str) -> SignedIn:
        """Sign a browser in, by a token or by a link. The cookie that it had before is worth nothing afterwards."""
        with self._counting_refusals(address):
            cookie = cookie_in(head)
            before = await self._ask(self._access.admit_browser, cookie) if cookie is not None else None
            return await self._recognised(head, before[0] if before else None)

    async def _recognised(self, head: Head, before: SignIn | None) -> SignedIn:
        """Sign in by a name and a password, by an identity of an issuer, or by a token or a link."""
        account = name_and_password_in(head)
        token: AccessToken | None = None
        if account is not None:
            # Beside the count of an address, so that many of them cannot try the same name at once.
            wait = self._refused.take(f"account {account[0][:200]}", time.monotonic())
            require_drop(wait, "to sign in as one person")
            token = await self._ask(self._access.accounts.by_password, *account, on=self._people)
        elif self._issuer is not None and self._issuer.is_meant(secret := bearer_in(head)):
            identities = await self._ask(self._issuer.identities_in, secret, on=self._people)
            token = await self._ask(self._access.accounts.by_identity, identities)
        else:
            found = await self._ask(self._access.sign_in, bearer_in(head), before)
            if found is None:
                raise not_admitted()
            return found
        if token is None:
            raise not_recognised()
        return await self._ask(partial(self._access.sign_in_as, token, personal=True, before=before))

    @contextlib.contextmanager
    def _counting_refusals(self, address: str) -> Iterator[None]:
        try:
            yield
        except HttpProblem:
            require_drop(self._refused.take(address, time.monotonic()), "without a live token")
            raise

    async def _ask(self, function: Callable[..., T], *given: Any, on: ThreadPoolExecutor | None = None) -> T:
        return await asyncio.get_running_loop().run_in_executor(on or self._threads, function, *given)


def require_drop(wait: float, of: str) -> None:
    """The bucket was not empty."""
    if wait:
        raise HttpProblem(
            429,
            "too_many_requests",
            f"These are too many requests {of} at once.",
            hint="Wait as long as `Retry-After` says.",
            headers={"Retry-After": str(math.ceil(wait))},
        )
