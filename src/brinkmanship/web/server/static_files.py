"""Static files, kept by browsers for ever where the address names the very content."""

from __future__ import annotations

from os import PathLike, stat_result
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from brinkmanship.web.pages.shared.rendering import WEB, asset

STATIC = (WEB / "static").resolve()
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
"""The browser keeps the file and asks each time whether it is still the same."""


class KeptFiles(StaticFiles):
    """Files whose query tells their content: a copy under another query may be of another version."""

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Answer with a file; one that is not found comes not here, and is never kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        # By the path of the file, of which there are few: addresses of the same file are without number.
        path = Path(full_path).relative_to(STATIC)
        own = asset(path.as_posix()).partition("?")[2].encode()
        response.headers["Cache-Control"] = FOR_EVER if scope["query_string"] == own else ASK_AGAIN
        return response
