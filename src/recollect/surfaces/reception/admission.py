"""Admission: a live token, or a browser that is signed in. Failures are counted by where they come from."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from recollect.domain.access import AccessToken, SignIn
from recollect.surfaces.reception.browser import cookie_in, require_own_page
from recollect.surfaces.reception.limits import Buckets
from recollect.surfaces.reception.problems import HttpProblem
from recollect.surfaces.reception.screening import Head, bearer_in, not_admitted, not_signed_in
from recollect.verbs.access import Access, SignedIn

T = TypeVar("T")


class Admission:
    """Looks up whoever comes to the guard."""

    def __init__(self, access: Access, refused: Buckets) -> None:
        self._access, self._refused = access, refused
        # Of their own, so that slow verbs cannot keep anybody waiting at the door.
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="recollect-guard")

    def close(self) -> None:
        self._threads.shutdown()

    async def admitted(
        self, head: Head, address: str, secret_in: Callable[[Head], str]
    ) -> tuple[AccessToken, SignIn | None]:
        """The live token of a request, and the browser that came with a cookie in its place. A good token comes in from
        any address."""
        with self._counting_refusals(address):
            cookie = None if "authorization" in head.headers or secret_in is not bearer_in else cookie_in(head)
            if cookie is not None:
                require_own_page(head)
                found = await self._ask(self._access.admit_browser, cookie)
                if found is None:
                    raise not_signed_in()
                return found[1], found[0]
            token = await self._ask(self._access.admit, secret_in(head))
            if token is None:
                raise not_admitted()
            return token, None

    async def signed_in(self, head: Head, address: str) -> SignedIn:
        """Sign a browser in, by a token or by a link. The cookie that it had before is worth nothing afterwards."""
        with self._counting_refusals(address):
            cookie = cookie_in(head)
            before = await self._ask(self._access.admit_browser, cookie) if cookie is not None else None
            found = await self._ask(self._access.sign_in, bearer_in(head), before[0] if before else None)
            if found is None:
                raise not_admitted()
            return found

    @contextlib.contextmanager
    def _counting_refusals(self, address: str) -> Iterator[None]:
        try:
            yield
        except HttpProblem:
            require_drop(self._refused.take(address, time.monotonic()), "without a live token")
            raise

    async def _ask(self, function: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *given)


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
