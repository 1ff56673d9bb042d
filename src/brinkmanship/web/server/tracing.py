"""OpenTelemetry traces: a span for each request, and one for each database statement in it.

They are sent to `BRINK_TRACES` (needs the extra ``traces``); without it no request is traced. Like the logs, they
contain the route of a page but never its URL, which may hold a secret, and statements without their parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brinkmanship.engine import message
from brinkmanship.web.server.metrics import kind_of
from brinkmanship.web.support.logs import request_id
from brinkmanship.web.support.settings import SettingError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

SERVICE = "brinkmanship"


class Traces:
    """Tracer of one process.

    Args:
        collector: Base URL of the OTLP collector (over HTTP), e.g. http://localhost:4318.
        exporter: Exporter of the spans; None to send them to the collector.

    Raises:
        SettingError: The libraries are not installed.
    """

    def __init__(self, collector: str, exporter: SpanExporter | None = None) -> None:
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError as error:
            needed = {"name": "BRINK_TRACES", "command": 'pip install "brinkmanship[traces]"'}
            raise SettingError(message.Message("fault.setting.libraries", needed)) from error
        self._provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
        self._provider.add_span_processor(
            BatchSpanProcessor(exporter or OTLPSpanExporter(endpoint=f"{collector}/v1/traces"))
        )
        self.tracer = self._provider.get_tracer(SERVICE)

    def watch(self, engine: Engine) -> None:
        """Trace this engine's statements as well."""
        system = {"db.system.name": engine.dialect.name}

        def begin(_: object, __: object, statement: str, ___: object, context: Any, ____: object) -> None:
            what = {**system, "db.query.text": statement}
            context.span = self.tracer.start_span(statement.split(None, 1)[0], kind=SpanKind.CLIENT, attributes=what)

        def end(*arguments: Any) -> None:
            arguments[4].span.end()

        def failed(context: ExceptionContext) -> None:
            # The database's message may quote the row: report only that the statement failed.
            if (span := getattr(context.execution_context, "span", None)) is not None:
                span.set_status(StatusCode.ERROR)
                span.end()

        event.listen(engine, "before_cursor_execute", begin)
        event.listen(engine, "after_cursor_execute", end)
        event.listen(engine, "handle_error", failed)

    def close(self) -> None:
        """Send the remaining spans."""
        self._provider.shutdown()


class Tracing:
    """Middleware with a span for each request, within the client's trace if it sends one (`traceparent`)."""

    def __init__(self, app: ASGIApp, traces: Traces) -> None:
        self.app = app
        self._tracer = traces.tracer
        self._read = TraceContextTextMapPropagator().extract

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        begun = self._read({"traceparent": headers.get("traceparent", "")})
        with self._tracer.start_as_current_span("request", context=begun, kind=SpanKind.SERVER) as span:

            async def send_noted(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                await send(message)

            try:
                await self.app(scope, receive, send_noted)
            finally:
                method, page = kind_of(scope)
                span.update_name(f"{method} {page}")
                span.set_attributes({"http.request.method": method, "http.route": page, "brink.request": request_id()})
