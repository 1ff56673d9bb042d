"""The HTTP API: router, routes, schemas."""

from __future__ import annotations

from brinkmanship.web.api import tournament_routes
from brinkmanship.web.api.routes import api

__all__ = ["api", "tournament_routes"]
