"""Sending of traces while the server runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from croupier import tracing


class TraceTarget(NamedTuple):
    """The address of a collector's OTLP receiver, and the share of traces that it gets."""

    url: str
    ratio: float = 1.0


@asynccontextmanager
async def sending_traces(target: TraceTarget | None) -> AsyncIterator[None]:
    """Record traces and send them to `target`, if there is one; send the last ones at the end."""
    if target is None:
        yield
        return
    from croupier.app.tracing import opentelemetry_tracer as sdk  # takes long to import

    tracer = sdk.OpenTelemetryTracer(sdk.otlp_processor(target.url), target.ratio)
    tracing.install(tracer)
    try:
        yield
    finally:
        tracing.install(tracing.NO_TRACER)
        await asyncio.to_thread(tracer.close)
