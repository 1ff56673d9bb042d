"""The HTTP API for programs, version 1.

Each response is built from the caller's own view; errors are RFC 9457 problems. A program gets a token once (`POST
/api/v1/tokens`), creates or joins a table, and then loops: wait for an update (`/stream`), get the position (`GET
/tables/{id}`), act with the version it has seen. `router` decodes and encodes; the generated document is
/api/openapi.json. The routes are in the modules `*_routes`.
"""

from __future__ import annotations

from brinkmanship import __version__
from brinkmanship.web.api.router import Router

api = Router("Brinkmanship", __version__, "/api/v1/", "/api/openapi.json")
