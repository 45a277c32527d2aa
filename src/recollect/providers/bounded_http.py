"""The HTTP client under every vendor's client: no redirects, no compression, bounded size and time of an answer.

A redirect could carry a key to another host, and an answer of any size or slowness would hold its caller. The clients
add headers of their own, from variables that are meant for another provider or about this machine; only those that a
call needs are sent.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import httpx2

_MOST_BYTES = 16_000_000  # of an answer; 1,000 vectors of 1,536 numbers have about that
_CONNECT = 10.0  # seconds
_SENT = frozenset(
    "host accept accept-encoding connection content-type content-length user-agent anthropic-version".split()
)


def bounded_client(credential: Mapping[str, str]) -> httpx2.Client:
    """A client for the calls to one provider. `credential` is the header with its key: no other one is sent."""
    import httpx2

    def strip(request: httpx2.Request) -> None:
        for name in set(request.headers) - _SENT:
            del request.headers[name]
        request.headers.update({"user-agent": "recollect", **credential})

    return httpx2.Client(
        follow_redirects=False,
        timeout=httpx2.Timeout(60.0, connect=_CONNECT),
        headers={"accept-encoding": "identity"},
        event_hooks={"request": [strip], "response": [_bound]},
    )


def _bound(response: httpx2.Response) -> None:
    import httpx2

    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.RemoteProtocolError("compressed without being asked to", request=response.request)
    limits = response.request.extensions.get("timeout", {})
    source, until = response.stream, monotonic() + (limits.get("read") or 60.0)

    class Bounded(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for piece in source:  # type: ignore[union-attr]
                size += len(piece)
                if size > _MOST_BYTES:
                    raise httpx2.RemoteProtocolError("too large", request=response.request)
                if monotonic() > until:
                    raise httpx2.ReadTimeout("too slow", request=response.request)
                yield piece

        def close(self) -> None:
            source.close()  # type: ignore[union-attr]

    response.stream = Bounded()
