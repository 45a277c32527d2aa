"""Metrics, in the text form that Prometheus reads: by verb and never by path, and nothing of what is remembered.

Counters grow as requests are answered. What is looked up (files, gates, the index) is looked up when somebody asks, but
not more often than every few seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from recollect.domain.briefings import Briefing
from recollect.domain.errors import RecollectError
from recollect.domain.recollections import Recollection
from recollect.surfaces.http.load import Load
from recollect.surfaces.http.records import Record
from recollect.surfaces.http.streaming import Streams
from recollect.verbs.measuring import Measures, Measuring

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_KEPT_FOR = 5.0  # seconds for which what was looked up is said again
_ENDLESS = ("stream",)  # what lasts as long as somebody watches says nothing about latency

# How the reasons of a hit begin, and the channel each speaks of. The rest of a reason are words of the question.
_CHANNELS = {
    "words": "words",
    "meaning": "meaning",
    "attribute": "attribute",
    "found by what was said": "said",
    "found by an earlier wording": "chain",
    "of the time asked about": "time",
}


class Metrics:
    """The figures of one server."""

    def __init__(self, measuring: Measuring, load: Load, streams: Streams) -> None:
        registry = CollectorRegistry()
        self._registry = registry
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
        self._hits = Counter("recollect_hits", "Hits of searches, by what found them.", ("channel",), registry=registry)
        self._coverage = Counter(
            "recollect_answers",
            "Questions by how much of what was asked is known.",
            ("verb", "coverage"),
            registry=registry,
        )
        ProcessCollector(registry=registry)
        registry.register(_Looked(measuring.measures, load, streams))

    def count(self, record: Record) -> None:
        """A request was answered."""
        verb = record.verb or "none"
        self._requests.labels(verb, str(record.status)).inc()
        if verb not in _ENDLESS:
            self._seconds.labels(verb).observe(record.seconds)
        if record.code:
            self._refused.labels(record.code).inc()

    def count_answer(self, verb: str, result: object) -> None:
        """A verb has answered; what it found is counted, not kept."""
        if isinstance(result, Recollection | Briefing):
            self._coverage.labels(verb, result.coverage.value).inc()
        if isinstance(result, Recollection):
            for hit in result.hits:
                for channel in {_CHANNELS.get(reason.partition(":")[0]) for reason in hit.why} - {None}:
                    self._hits.labels(channel).inc()

    def page(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry)


class _Looked(Collector):
    """What is looked up when somebody asks."""

    def __init__(self, look: Callable[[], Measures], load: Load, streams: Streams) -> None:
        self._look, self._load, self._streams = look, load, streams
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
        yield CounterMetricFamily(
            "recollect_streams_dropped", "Readers that were too slow.", value=self._streams.dropped
        )
        measures = self._measures()
        if measures is None:
            return
        yield GaugeMetricFamily("recollect_spaces", "Spaces there are.", value=measures.spaces)
        yield GaugeMetricFamily(
            "recollect_index_behind_changes",
            "Changes that the index has not caught up with.",
            value=measures.index_behind,
        )
        if measures.store_bytes is not None:
            yield GaugeMetricFamily("recollect_store_bytes", "Size of the store.", value=measures.store_bytes)
        if measures.wal_bytes is not None:
            yield GaugeMetricFamily("recollect_wal_bytes", "Size of the write-ahead log.", value=measures.wal_bytes)
        gate = CounterMetricFamily("recollect_gate", "What became of candidates for notes.", labels=("verdict",))
        for verdict, times in sorted(measures.verdicts.items()):
            gate.add_metric((verdict,), times)
        yield gate

    def _measures(self) -> Measures | None:
        now = time.monotonic()
        if self._last is None or now - self._last[0] > _KEPT_FOR:
            try:
                self._last = (now, self._look())
            except RecollectError:
                return None  # a store that is busy is told by its absence, and the rest by what it is
        return self._last[1]
