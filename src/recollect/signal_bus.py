"""Redis or Valkey between the processes of one store: it carries words to the others, and keeps nothing.

A process tells the others that a job waits, that a space has changed, and from which buckets it took. All of it can be
lost at any moment: whoever does not hear looks a little later, as everybody does without Redis. Telling never waits and
never fails. No name and no text goes there; spaces, tokens and addresses are digests under the address of the store.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from recollect.domain.errors import Misconfigured, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

JOBS = "jobs"  # the word for a job that waits; others are made by `word_for`

_GATHERED = 0.01  # seconds in which words are gathered into one message
_MOST_WORDS = 10_000  # that wait to be told; what is more is left out
_PATIENCE = 1.0  # seconds for Redis to answer
_PAUSE = 1.0  # seconds until it is tried again
_LAST = 0.5  # seconds that closing gives to what waits to be told


class SignalBus:
    """The way to the other processes of a store, opened when it is first needed."""

    def __init__(self, url: str, store: str) -> None:
        try:
            import redis
        except ImportError:
            raise Unsupported(
                "Redis needs a package that is not installed.",
                code="extra_missing",
                hint="Install it with: pip install 'recollect[redis]'",
            ) from None
        self._redis = redis
        self._url = url
        try:
            self._client().connection_pool.make_connection()  # connects to nothing
        except (ValueError, TypeError):  # which may quote a password
            raise Misconfigured("The address in the setting `redis` has a part that cannot be read.") from None
        self._key = store.encode()
        self._channel = f"recollect:{self.word_for('store', '')}"
        which = f"{socket.gethostname()} {os.getpid()} {id(self)} {time.monotonic_ns()}"
        self._own = hashlib.sha256(which.encode()).hexdigest()
        self._waiting: Counter[str] = Counter()
        self._change = threading.Condition()
        self._listeners: list[Callable[[str, int], None]] = []
        self._threads: dict[str, threading.Thread] = {}
        self._over = threading.Event()
        self.is_up = False  # whether others are heard

    def word_for(self, kind: str, name: str) -> str:
        """The word by which processes of this store, and no others, know something."""
        return f"{kind}:{hmac.new(self._key, f'{kind}:{name}'.encode(), 'sha256').hexdigest()[:24]}"

    def tell(self, word: str) -> None:
        """Tell the others, soon; those who listen in this process hear of spaces as well."""
        if word.startswith("space:"):
            self._hear(word, 1)
        with self._change:
            if len(self._waiting) < _MOST_WORDS or word in self._waiting:
                self._waiting[word] += 1
            self._change.notify()
        self._begin("recollect-telling", self._keep_telling)

    def listen(self, listener: Callable[[str, int], None]) -> None:
        """Call that with each word of others, and how often it was said, on a thread of the bus."""
        self._listeners.append(listener)
        self._begin("recollect-listening", self._keep_listening)

    def close(self) -> None:
        """Tell what waits, if that can be done at once, and hear nothing more."""
        until = time.monotonic() + _LAST
        while self._waiting and time.monotonic() < until:
            time.sleep(_GATHERED)
        self._over.set()
        with self._change:
            self._change.notify()
        for thread in self._threads.values():
            thread.join(2 * _PATIENCE)

    def _begin(self, name: str, work: Callable[[], None]) -> None:
        with self._change:
            if name not in self._threads:
                self._threads[name] = threading.Thread(target=work, name=name, daemon=True)
                self._threads[name].start()

    def _keep_telling(self) -> None:
        client = self._client()
        while not self._over.is_set():
            with self._change:
                self._change.wait_for(lambda: self._waiting or self._over.is_set())
            self._over.wait(_GATHERED)
            with self._change:
                words, self._waiting = self._waiting, Counter()
            with suppress(self._redis.RedisError, OSError):  # lost; whoever does not hear looks later
                if words:
                    client.publish(self._channel, json.dumps({"from": self._own, "words": words}))
        with suppress(self._redis.RedisError, OSError):
            client.close()

    def _keep_listening(self) -> None:
        while not self._over.is_set():
            with suppress(self._redis.RedisError, OSError):
                client = self._client()
                with client, client.pubsub(ignore_subscribe_messages=True) as heard:
                    heard.subscribe(self._channel)
                    heard.get_message(timeout=_PATIENCE)
                    self.is_up = True
                    self._hear(JOBS, 1)  # whatever was said while nobody listened
                    while not self._over.is_set():
                        message = heard.get_message(timeout=_PATIENCE)
                        if message is not None:
                            self._take_in(message.get("data"))
            self.is_up = False
            self._over.wait(_PAUSE)

    def _take_in(self, data: Any) -> None:
        with suppress(ValueError, TypeError, KeyError, AttributeError):  # anybody may say anything there
            said = json.loads(data)
            if said["from"] != self._own:
                for word, times in list(said["words"].items())[:_MOST_WORDS]:
                    self._hear(str(word), max(1, int(times)))

    def _hear(self, word: str, times: int) -> None:
        for listener in list(self._listeners):
            listener(word, times)

    def _client(self) -> Any:
        return self._redis.Redis.from_url(
            self._url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE, health_check_interval=10
        )
