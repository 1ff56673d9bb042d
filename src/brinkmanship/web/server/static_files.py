"""Static files, cached by browsers forever if the URL identifies the content."""

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
"""Cache-Control value with which browsers store the file but revalidate it each time."""
COPIES = {
    "css/explained.css": "analysis/explained.css",
    "css/report.css": "analysis/report.css",
    "js/report.js": "analysis/report.js",
}
"""Static files that are copies of files of the package, which stand-alone reports contain too (tools/stylesheet.py)."""


class KeptFiles(StaticFiles):
    """Static files whose query identifies their content; a copy under another query may be another version."""

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return the response with a file; not called for a missing file, whose response is never cached."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        # By the file's path, which is one of few: the number of URLs for the same file is unlimited.
        path = Path(full_path).relative_to(STATIC)
        own = asset(path.as_posix()).partition("?")[2].encode()
        response.headers["Cache-Control"] = FOR_EVER if scope["query_string"] == own else ASK_AGAIN
        return response
