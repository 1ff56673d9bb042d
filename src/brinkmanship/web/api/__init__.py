"""The HTTP API: router, routes, schemas."""

from __future__ import annotations

from brinkmanship.web.api import daily_routes, tournament_routes
from brinkmanship.web.api.routes import api

__all__ = ["api", "daily_routes", "tournament_routes"]
