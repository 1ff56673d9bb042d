"""The application: its middleware, its error handlers, and its two faces, `api` for programs and `pages` for people."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from brinkmanship import __version__
from brinkmanship.web import pages
from brinkmanship.web.server.error_handlers import install_error_handlers
from brinkmanship.web.server.lifespan import lifespan_of
from brinkmanship.web.server.metrics import Metrics
from brinkmanship.web.server.middleware import Application, install_middleware
from brinkmanship.web.server.static_files import STATIC, KeptFiles
from brinkmanship.web.server.tracing import Traces
from brinkmanship.web.services import services_of
from brinkmanship.web.support.settings import Settings


def create_app(settings: Settings) -> FastAPI:
    """Create a server for these settings; it opens and migrates the database when it starts."""
    metrics = Metrics()
    traces = Traces(settings.traces) if settings.traces else None
    app = Application(
        title="Brinkmanship",
        version=__version__,
        summary="Crisis games for two, to the letter of their rules.",
        lifespan=lifespan_of(settings, metrics, traces),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # the document about `routes` is its own, and there is none about pages
        telemetry={"auto_configure": False, "tracing": False, "metrics": False, "logs": False},
    )
    install_middleware(app, settings, metrics, traces)
    install_error_handlers(app)
    app.add_api_route("/health", health, include_in_schema=False)
    app.mount("/static", KeptFiles(directory=STATIC), name="static")
    app.include_router(pages.router)
    return app


async def health(request: Request) -> Response:
    """For the operator and for load balancers: 503 with reasons where something is wrong."""
    report = await services_of(request).health.report()
    return JSONResponse(report, 503 if report["reasons"] else 200)
