"""PNG pictures of drawings, for programs that show no SVG.

resvg draws them with the fonts of the pages; it reads no WOFF2, so `fonts/` has copies (`tools/fonts.py`). A drawing
needs a style that resvg understands: `style.flat`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def png(svg: str) -> bytes:
    """Return a drawing as PNG, in its own size; no thread of this process runs meanwhile."""
    from resvg_py import svg_to_bytes  # only processes that draw need it

    return bytes(svg_to_bytes(svg_string=svg, font_files=_fonts(), skip_system_fonts=True))


@cache
def _fonts() -> list[str]:
    folder = files("brinkmanship.drawing") / "fonts"
    return sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf"))
