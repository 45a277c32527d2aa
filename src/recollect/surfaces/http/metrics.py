"""Metrics, in the text form that Prometheus reads: by verb and never by path, and nothing of what is remembered.

Counters grow as requests are answered. What is looked up (files, gates, the index) is looked up when somebody asks, but
not more often than every few seconds.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from recollect.domain.errors import RecollectError
from recollect.surfaces.http.live_stream import Streams
from recollect.surfaces.reception.limits import Load
from recollect.surfaces.reception.records import RequestRecord
from recollect.verbs.upkeep import ANSWERS, HITS, JOBS, MODEL, Measures, Measuring

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_KEPT_FOR = 5.0  # seconds for which what was looked up is said again
_DEAD_AFTER = 12 * _KEPT_FOR  # seconds without a new page
_LOG = logging.getLogger("recollect.http")
_ENDLESS = ("stream",)  # what lasts as long as somebody watches says nothing about latency


class ProcessPages:
    """The figures of every process of one server, each with its number: whichever is asked tells all of them.

    Each leaves its page in a folder every few seconds. One that has left none for a while is dead, and not told of.
    """

    def __init__(self, folder: Path, number: int) -> None:
        self._folder, self._number = folder, number

    def gathered(self, own: bytes) -> bytes:
        """The pages of all processes as one, with the number of each as a label."""
        self.put(own)
        pages = {str(self._number): own.decode()}
        with contextlib.suppress(OSError):
            oldest = (self._folder / f"{self._number}.prom").stat().st_mtime - _DEAD_AFTER
            for file in self._folder.glob("*.prom"):
                if file.stem not in pages and file.stat().st_mtime > oldest:
                    pages[file.stem] = file.read_text(encoding="utf-8")
        return merged(pages).encode()

    def put(self, own: bytes) -> None:
        with contextlib.suppress(OSError):  # without a place for it, a process tells of itself alone
            self._folder.mkdir(mode=0o700, exist_ok=True)
            draft = self._folder / f".{self._number}"
            draft.write_bytes(own)
            draft.replace(self._folder / f"{self._number}.prom")

    def keep_putting(self, page: Callable[[], bytes]) -> None:
        """Leave a page every few seconds, for as long as the process runs."""

        def put() -> None:
            while True:
                try:
                    self.put(page())
                except Exception:  # the next one may be made
                    _LOG.exception("the figures of this process could not be told")
                time.sleep(_KEPT_FOR)

        threading.Thread(target=put, name="recollect-figures", daemon=True).start()


def merged(pages: Mapping[str, str]) -> str:
    """Pages of several processes as one: each figure is explained once, and labelled with its process."""
    families: dict[str, tuple[list[str], list[str]]] = {}
    for process, page in sorted(pages.items()):
        family = ""
        for line in page.splitlines():
            if line.startswith("# "):
                family = line.split(" ", 3)[2]
                explained, _ = families.setdefault(family, ([], []))
                if line not in explained:
                    explained.append(line)
            elif line:
                name, brace, rest = line.partition("{") if "{" in line.split(" ", 1)[0] else line.partition(" ")
                labelled = (
                    f'{name}{{process="{process}",{rest}' if brace == "{" else f'{name}{{process="{process}"}} {rest}'
                )
                families[family][1].append(labelled)
    return "".join(f"{line}\n" for explained, lines in families.values() for line in (*explained, *lines))


class Metrics:
    """The figures of one server, or of one of its processes."""

    def __init__(self, measuring: Measuring, load: Load, streams: Streams, pages: ProcessPages | None = None) -> None:
        registry = CollectorRegistry()
        self._registry = registry
        self._pages = pages
        self._requests = Counter("recollect_requests", "Requests answered.", ("verb", "status"), registry=registry)
        self._seconds = Histogram(
            "recollect_request_seconds",
            "How long a request took, from its head to the end of its answer.",
            ("verb",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._refused = Counter(
            "recollect_refused", "Requests that were refused, by code.", ("code",), registry=registry
        )
        self._dialects: dict[str, DialectFigures] = {}
        ProcessCollector(registry=registry)
        registry.register(_Looked(measuring, load, streams))
        if pages is not None:
            pages.keep_putting(lambda: generate_latest(registry))

    def count(self, record: RequestRecord) -> None:
        """A request was answered."""
        verb = record.verb or "none"
        self._requests.labels(verb, str(record.status)).inc()
        if verb not in _ENDLESS:
            self._seconds.labels(verb).observe(record.seconds)
        if record.code:
            self._refused.labels(record.code).inc()
        if record.figures:
            if record.figures not in self._dialects:
                self._dialects[record.figures] = DialectFigures(record.figures, self._registry)
            self._dialects[record.figures].count(record)

    def page(self) -> bytes:
        """All of it, as Prometheus reads it."""
        own = generate_latest(self._registry)
        return own if self._pages is None else self._pages.gathered(own)


class DialectFigures:
    """The figures of a dialect under the names that its own server has. Paths are those of its table."""

    def __init__(self, prefix: str, registry: CollectorRegistry) -> None:
        self._requests = Counter(f"{prefix}_requests", "API requests", ("path", "method", "status"), registry=registry)
        self._seconds = Histogram(
            f"{prefix}_request_latency_seconds",
            "API request latency",
            ("path", "method"),
            buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 5),
            registry=registry,
        )
        self._recall = Histogram(
            f"{prefix}_recall_latency_seconds",
            "Recall handler latency",
            ("source",),
            buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2),
            registry=registry,
        )
        self._extractions = Counter(f"{prefix}_extractions", "Extractions", ("status",), registry=registry)

    def count(self, record: RequestRecord) -> None:
        """A request of the dialect was answered."""
        self._requests.labels(record.path, record.method, str(record.status)).inc()
        self._seconds.labels(record.path, record.method).observe(record.seconds)
        if record.verb == "search":
            self._recall.labels("recall").observe(record.seconds)
        if record.verb == "add":
            self._extractions.labels("success" if record.status < 400 else "failed").inc()


class _Looked(Collector):
    """The collector of figures that are looked up when somebody asks."""

    def __init__(self, measuring: Measuring, load: Load, streams: Streams) -> None:
        self._measuring, self._load, self._streams = measuring, load, streams
        self._last: tuple[float, Measures] | None = None

    def describe(self) -> Iterable[Metric]:
        return ()  # so that being registered does not look anything up

    def collect(self) -> Iterator[Metric]:
        gauges = {
            "recollect_requests_under_way": ("Requests that are being done or wait.", self._load.under_way),
            "recollect_requests_waiting": ("Requests that wait for their turn.", self._load.waiting),
            "recollect_expected_wait_seconds": ("How long a newcomer would wait.", self._load.expected_wait()),
            "recollect_streams": ("Live streams that are open.", self._streams.readers),
        }
        for name, (words, figure) in gauges.items():
            yield GaugeMetricFamily(name, words, value=figure)
        if self._streams.bus is not None:
            yield GaugeMetricFamily("recollect_redis_up", "Whether others are heard.", value=self._streams.bus.is_up)
        yield CounterMetricFamily(
            "recollect_streams_dropped", "Readers that were too slow.", value=self._streams.dropped
        )
        yield from self._tallied()
        measures = self._measures()
        if measures is None:
            return
        yield GaugeMetricFamily("recollect_spaces", "Spaces there are.", value=measures.spaces)
        yield GaugeMetricFamily(
            "recollect_index_behind_changes",
            "Changes that the index has not caught up with.",
            value=measures.index_behind,
        )
        yield GaugeMetricFamily(
            "recollect_vector_bytes", "Memory that vectors take in this process.", value=measures.vector_bytes
        )
        if measures.store_bytes is not None:
            yield GaugeMetricFamily("recollect_store_bytes", "Size of the store.", value=measures.store_bytes)
        if measures.wal_bytes is not None:
            yield GaugeMetricFamily("recollect_wal_bytes", "Size of the write-ahead log.", value=measures.wal_bytes)
        gate = CounterMetricFamily("recollect_gate", "What became of candidates for notes.", labels=("verdict",))
        for verdict, times in sorted(measures.verdicts.items()):
            gate.add_metric((verdict,), times)
        yield gate
        jobs = GaugeMetricFamily("recollect_jobs", "Jobs in the store.", labels=("kind", "stage"))
        for labels, many in sorted(measures.jobs.items()):
            jobs.add_metric(labels, many)
        yield jobs

    def _tallied(self) -> Iterator[Metric]:
        """Counters of answers and their model costs, through this door or another of the process: MCP, hooks."""
        families = {
            HITS: CounterMetricFamily("recollect_hits", "Hits of answers, by what found them.", labels=("channel",)),
            ANSWERS: CounterMetricFamily(
                "recollect_answers",
                "Questions by how much of what was asked is known.",
                labels=("verb", "coverage"),
            ),
            JOBS: CounterMetricFamily(
                "recollect_jobs_run", "Jobs that this process ran, by what came of them.", labels=("kind", "outcome")
            ),
        }
        tally = self._measuring.tally()
        for (kind, *labels), times in sorted(tally.items()):
            if kind in families:
                families[kind].add_metric(labels, times)
        yield from families.values()
        for of in ("calls", "tokens"):
            yield CounterMetricFamily(
                f"recollect_model_{of}", "What answers cost of a language model.", value=tally.get((MODEL, of), 0)
            )

    def _measures(self) -> Measures | None:
        now = time.monotonic()
        if self._last is None or now - self._last[0] > _KEPT_FOR:
            try:
                self._last = (now, self._measuring.measures())
            except RecollectError:
                return None  # a store that is busy is told by its absence, and the rest by what it is
        return self._last[1]
