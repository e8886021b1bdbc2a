"""The tracer that uses OpenTelemetry's SDK to send spans to a collector."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import Span, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

import croupier
from croupier.refusal import Refused
from croupier.tracing import Attributes, OpenSpan, PresentSpan

EXPORT_TIMEOUT_S = 2.0
"""Time for one export, and therefore the delay of a stop if the collector doesn't answer."""
QUEUED_SPANS_MAX = 8_192
"""Further spans are dropped until an export has succeeded or failed."""


class OpenTelemetrySpan:
    """A span of the enclosed work, or one that begins and ends in different calls."""

    __slots__ = ("span",)

    def __init__(self, span: Span) -> None:
        self.span = span

    def note(self, attributes: Attributes, *, failed: bool = False) -> None:
        self.span.set_attributes(_qualified(attributes))
        if failed:
            self.span.set_status(Status(StatusCode.ERROR))

    def end(self, refused: Refused | None = None) -> None:
        """End the span, with a link to the span in which it ends, such as a batch."""
        if refused:
            _note_refusal(self.span, refused)
        ended_in = trace.get_current_span().get_span_context()
        if ended_in.is_valid:
            self.span.add_link(ended_in)
        self.span.end()


def otlp_processor(url: str) -> SpanProcessor:
    """Return a processor that sends spans in batches from its own thread."""
    return BatchSpanProcessor(OTLPSpanExporter(url, timeout=EXPORT_TIMEOUT_S), QUEUED_SPANS_MAX)


class OpenTelemetryTracer:
    """Records a `ratio` of all traces and passes them to a processor. Call `close` at the end."""

    def __init__(self, processor: SpanProcessor, ratio: float) -> None:
        resource = Resource.create(
            {
                "service.name": "croupier",
                "service.version": croupier.__version__,
                "service.instance.id": socket.gethostname(),
            }
        )
        sampler = ParentBased(TraceIdRatioBased(ratio))
        self._provider = TracerProvider(sampler, resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("croupier", croupier.__version__)
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def span(self, name: str, attributes: Attributes, parent: OpenSpan | None) -> Iterator[PresentSpan]:
        """Record the enclosed work, and only the types of its errors: a message may contain anything."""
        with self._tracer.start_as_current_span(
            name,
            _inside(parent),
            attributes=_qualified(attributes),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield OpenTelemetrySpan(span)
            except Refused as refused:
                _note_refusal(span, refused)
                raise
            except Exception as error:
                OpenTelemetrySpan(span).note({"error.type": type(error).__qualname__}, failed=True)
                raise

    def begin(self, name: str, attributes: Attributes, parent: OpenSpan | None) -> OpenSpan:
        context = _inside(parent) or Context()
        return OpenTelemetrySpan(self._tracer.start_span(name, context, attributes=_qualified(attributes)))

    def headers(self) -> Mapping[str, str]:
        carrier = dict[str, str]()
        self._propagator.inject(carrier)
        return carrier

    def log_fields(self) -> Mapping[str, str]:
        present = trace.get_current_span().get_span_context()
        if not present.is_valid:
            return {}
        return {
            "trace_id": trace.format_trace_id(present.trace_id),
            "span_id": trace.format_span_id(present.span_id),
        }

    def close(self) -> None:
        """Send the remaining spans, if the collector answers."""
        self._provider.shutdown()


def _inside(parent: OpenSpan | None) -> Context | None:
    return trace.set_span_in_context(parent.span) if isinstance(parent, OpenTelemetrySpan) else None


def _qualified(attributes: Attributes) -> Attributes:
    """Put croupier's own names into its namespace; OpenTelemetry's names already contain a dot."""
    return {name if "." in name else f"croupier.{name}": value for name, value in attributes.items()}


def _note_refusal(span: Span, refused: Refused) -> None:
    span.set_attribute("croupier.refused", refused.code)
