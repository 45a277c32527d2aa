"""Traces, for those who have set up OpenTelemetry: a span for each verb or tool, with its name and never what was sent.

Nothing is sent anywhere unless a provider was configured, by `opentelemetry-instrument` or by a program of one's own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TypeAlias

from recollect.surfaces.reception.guard import Visit
from recollect.version import __version__

Traced: TypeAlias = Callable[[Visit, str], AbstractContextManager[None]]  # who came, and the name of what they want


def traced_if_configured() -> Traced:
    """Return the wrapper of a verb: one that opens a span, or one that does nothing at all."""
    try:
        from opentelemetry import propagate, trace
    except ImportError:
        return _untraced
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider):  # which is there when nobody configured one
        return _untraced
    tracer = provider.get_tracer("recollect", __version__)

    @contextlib.contextmanager
    def traced(visit: Visit, name: str) -> Iterator[None]:
        caller = {
            header: values[0]
            for header, values in visit.head.headers.items()
            if header in ("traceparent", "tracestate")
        }
        facts = {
            "recollect.verb": name,
            "recollect.request_id": visit.request_id,
            **({"recollect.space": visit.space} if visit.space else {}),
        }
        with tracer.start_as_current_span(
            f"recollect {name}",
            context=propagate.extract(caller),
            kind=trace.SpanKind.SERVER,
            attributes=facts,
            record_exception=False,  # a message can quote what was sent
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except Exception as problem:
                code = getattr(problem, "code", type(problem).__name__)
                span.set_status(trace.Status(trace.StatusCode.ERROR, str(code)))
                raise

    return traced


def _untraced(_visit: Visit, _name: str) -> AbstractContextManager[None]:
    return contextlib.nullcontext()
