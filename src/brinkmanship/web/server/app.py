"""The ASGI application: middleware, error handlers, and its two interfaces, `api` (JSON) and `pages` (HTML)."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount

from brinkmanship.web import pages
from brinkmanship.web.pages.shared.page_router import PageRoute
from brinkmanship.web.server.error_handlers import ERROR_HANDLERS
from brinkmanship.web.server.lifespan import lifespan_of
from brinkmanship.web.server.metrics import Metrics
from brinkmanship.web.server.middleware import Application, install_middleware
from brinkmanship.web.server.static_files import KeptFiles
from brinkmanship.web.server.tracing import Traces
from brinkmanship.web.services import services_of
from brinkmanship.web.support.settings import Settings


def create_app(settings: Settings) -> Application:
    """Create a server for these settings; it opens and migrates the database when it starts."""
    metrics = Metrics()
    traces = Traces(settings.traces) if settings.traces else None
    app = Application(
        routes=[
            PageRoute("GET", "/health", health),
            Mount("/static", KeptFiles(), name="static"),
            *pages.routes,
        ],
        exception_handlers=ERROR_HANDLERS,
        lifespan=lifespan_of(settings, metrics, traces),
    )
    install_middleware(app, settings, metrics, traces)
    return app


async def health(request: Request) -> Response:
    """Handle `/health` for the operator and load balancers: status 503 with reasons if something is wrong."""
    report = await services_of(request).health.report()
    return JSONResponse(report, 503 if report["reasons"] else 200)
