"""Static files, cached by browsers forever if the URL identifies the content."""

from __future__ import annotations

from os import PathLike, stat_result
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from brinkmanship.web.pages.shared.rendering import STATIC_FOLDERS, asset

STATIC = STATIC_FOLDERS[0]
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
"""Cache-Control value with which browsers store the file but revalidate it each time."""


class KeptFiles(StaticFiles):
    """Static files whose query identifies their content; a copy under another query may be another version."""

    def __init__(self) -> None:
        super().__init__()
        self.all_directories = [*STATIC_FOLDERS]

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
        folder = next(folder for folder in STATIC_FOLDERS if Path(full_path).is_relative_to(folder))
        path = Path(full_path).relative_to(folder)
        own = asset(path.as_posix()).partition("?")[2].encode()
        response.headers["Cache-Control"] = FOR_EVER if scope["query_string"] == own else ASK_AGAIN
        return response
