"""The HTTP API: router, routes, schemas."""

from __future__ import annotations

from brinkmanship.web.api import (
    daily_routes,
    match_routes,
    people_routes,
    seek_routes,
    study_routes,
    table_routes,
    tournament_routes,
)
from brinkmanship.web.api.v1 import api

__all__ = [
    "api",
    "daily_routes",
    "match_routes",
    "people_routes",
    "seek_routes",
    "study_routes",
    "table_routes",
    "tournament_routes",
]
