"""Generate the stylesheet of the drawings for the web pages: ``python tools/stylesheet.py`` (`tests/web` compares)."""

from __future__ import annotations

from brinkmanship.drawing import style
from brinkmanship.web.server.static_files import STATIC

if __name__ == "__main__":
    (STATIC / "css" / "draw.css").write_text(style.stylesheet(), "utf-8")
