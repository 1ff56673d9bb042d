"""Write the static files that are made from other sources: ``python tools/stylesheet.py`` (`tests/web` compares)."""

from __future__ import annotations

from brinkmanship.drawing import style
from brinkmanship.reports.document import source
from brinkmanship.web.server.static_files import COPIES, STATIC

if __name__ == "__main__":
    (STATIC / "css" / "draw.css").write_text(style.stylesheet(), "utf-8")
    for path, original in COPIES.items():
        (STATIC / path).write_text(source(original), "utf-8")
