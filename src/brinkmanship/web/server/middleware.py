"""Middleware stack: the layers that a request passes before a route handles it."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from brinkmanship.web.api import api
from brinkmanship.web.server.compression import CompressionMiddleware
from brinkmanship.web.server.metrics import Metrics, MetricsMiddleware
from brinkmanship.web.server.request_guard import RequestGuardMiddleware
from brinkmanship.web.server.tracing import Traces, Tracing
from brinkmanship.web.support.rate_limit import VisitorLimits
from brinkmanship.web.support.settings import Settings


class Application(Starlette):
    """An application with an outer ASGI handler; requests handled there bypass the framework."""

    asgi: Any
    """Outer ASGI handler; see `install_middleware`."""
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an ASGI connection to the outer handler."""
        scope["app"] = self
        await self.asgi(scope, receive, send)


def install_middleware(app: Application, settings: Settings, metrics: Metrics, traces: Traces | None) -> None:
    """Build the layers, from the outside: metrics, traces, proxies, the guard, the API, the framework."""
    # Pages shrink many times over; event streams and frequent API responses are sent as they are.
    app.add_middleware(CompressionMiddleware)
    app.metrics = metrics
    limits = VisitorLimits(settings.requests_per_minute, settings.requests_per_minute_of_address)
    app.asgi = RequestGuardMiddleware(
        api.before(partial(Starlette.__call__, app)),
        limits,
        trusts_proxies=bool(settings.trusted_proxies),
        secure_cookies=settings.secure_cookies,
    )
    if settings.trusted_proxies:
        app.asgi = ProxyHeadersMiddleware(app.asgi, trusted_hosts=list(settings.trusted_proxies))
    if traces is not None:
        app.asgi = Tracing(app.asgi, traces)
    app.asgi = MetricsMiddleware(app.asgi, metrics, settings.log_requests)
