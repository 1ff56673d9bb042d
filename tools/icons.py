"""Draw the icons of the installed site from `icon.svg`: `python tools/icons.py`."""

from __future__ import annotations

from pathlib import Path

from brinkmanship.drawing.png import png

FOLDER = Path(__file__).parents[1] / "src" / "brinkmanship" / "web" / "static" / "img"
SIZES = {"icon-192.png": 192, "icon-512.png": 512, "icon-apple.png": 180, "icon-maskable.png": 512}
MASKABLE_BOX = "-6 -6 44 44"
"""View box in which the picture stays within the circle that a system may cut out."""


def main() -> None:
    """Write all icons."""
    drawn = (FOLDER / "icon.svg").read_text("utf-8")
    for name, size in SIZES.items():
        svg = drawn.replace("<svg ", f'<svg width="{size}" height="{size}" ', 1)
        if name != "icon-192.png" and name != "icon-512.png":  # systems round the corners themselves
            svg = svg.replace('<rect width="32" height="32" rx="4"', '<rect x="-6" y="-6" width="44" height="44"')
        if name == "icon-maskable.png":
            svg = svg.replace("0 0 32 32", MASKABLE_BOX)
        (FOLDER / name).write_bytes(png(svg))


if __name__ == "__main__":
    main()
