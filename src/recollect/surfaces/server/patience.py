"""A connection on which the head of a request never ends is not kept: it costs the other side next to nothing.

uvicorn waits for a head as long as it takes. The time runs from the first byte of a head, or from the beginning of the
connection, and is not begun anew by further bytes.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class PatientProtocol(H11Protocol):
    """The protocol of uvicorn, with an end to its patience."""

    head_seconds = 15.0
    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()

    def handle_events(self) -> None:
        super().handle_events()
        awaiting_head = self.conn.their_state is h11.IDLE
        begun = bool(self.conn.trailing_data[0])
        if awaiting_head and begun:
            self._begin()
        elif not awaiting_head:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def _begin(self) -> None:
        if self._due is None:
            self._due = self.loop.call_later(self.head_seconds, self.transport.close)

    def _end(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
