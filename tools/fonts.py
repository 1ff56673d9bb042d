"""Generate the fonts of pages, drawings and PNG pictures from IBM Plex, and the table of letter widths.

    npm pack @ibm/plex-sans @ibm/plex-sans-condensed @ibm/plex-mono   (unpacked into a folder each, SIL OFL 1.1)
    pip install fonttools brotli
    python tools/fonts.py FOLDER

It uses IBM's own packages, not @fontsource, whose condensed font has no Cyrillic. It writes `web/static/fonts` (WOFF2,
with `fonts.css`, whose `unicode-range`s let a browser fetch only the alphabets it needs), `drawing/widths.json`, and
`drawing/fonts` (TTF, for `drawing/png.py`).

"Plex" is a reserved font name of the licence, and a subset is a modified version: so ours are called Brink.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

PACKAGE = Path(__file__).parent.parent / "src" / "brinkmanship"
FONTS = PACKAGE / "web" / "static" / "fonts"
WIDTHS = PACKAGE / "drawing" / "widths.json"
OF_PICTURES = PACKAGE / "drawing" / "fonts"
DRAWN = ("condensed", "mono")
"""The families that drawings use."""

FAMILIES = {
    "sans": ("Brink Sans", "IBMPlexSans"),
    "condensed": ("Brink Condensed", "IBMPlexSansCondensed"),
    "mono": ("Brink Mono", "IBMPlexMono"),
}
WEIGHTS = {400: "Regular", 600: "SemiBold"}
ALPHABETS = {
    "latin": "U+0020-007E, U+00A0-00FF, U+0131, U+0152-0153, U+2010-2015, U+2018-201E, U+2020-2022, U+2026, "
    "U+2039-203A, U+20AC, U+2116, U+2122, U+2190-2193, U+2212, U+2260, U+2264-2265",
    "latin-ext": "U+0100-0130, U+0132-0151, U+0154-017F, U+0218-021B",
    "cyrillic": "U+0400-045F, U+0490-0491, U+20B4",
}
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum"]


def main() -> None:
    folder = Path(sys.argv[1])
    for fonts in (FONTS, OF_PICTURES):
        fonts.mkdir(parents=True, exist_ok=True)
    faces = []
    widths: dict[str, dict[str, int]] = {}
    for name, (family, file) in FAMILIES.items():
        for weight, style in WEIGHTS.items():
            source = next(folder.rglob(f"complete/woff2/{file}-{style}.woff2"))
            widths[f"{name}-{weight}"] = measure(source)
            for alphabet, ranges in ALPHABETS.items():
                target = FONTS / f"brink-{name}-{weight}-{alphabet}.woff2"
                cut(source, target, codepoints(ranges), target.stem.replace("brink-", "Brink "), "woff2")
                # The hash in the address lets browsers cache the file for ever (`render.asset`).
                own = hashlib.sha256(target.read_bytes()).hexdigest()[:10]
                faces.append(
                    f"@font-face {{ font-family: '{family}'; font-weight: {weight}; font-display: swap;\n"
                    f"  src: url('{target.name}?{own}') format('woff2'); unicode-range: {ranges}; }}"
                )
            if name in DRAWN:
                cut(
                    source,
                    OF_PICTURES / f"brink-{name}-{weight}.ttf",
                    codepoints(", ".join(ALPHABETS.values())),
                    family,
                )
    header = "/* Cut from IBM Plex, SIL Open Font License 1.1 (see OFL.txt). Written by tools/fonts.py. */\n"
    (FONTS / "fonts.css").write_text(header + "\n".join(faces) + "\n")
    licence = next(folder.rglob("plex-sans*/LICENSE.txt"), None) or next(folder.rglob("LICENSE.txt"))
    (FONTS / "OFL.txt").write_text(licence.read_text())
    WIDTHS.write_text(json.dumps(grouped(widths), ensure_ascii=False, indent=0) + "\n")
    print(sum(file.stat().st_size for file in FONTS.glob("*.woff2")), "bytes of fonts")


def codepoints(ranges: str) -> list[int]:
    found: list[int] = []
    for part in ranges.replace("U+", "").split(", "):
        first, _, last = part.partition("-")
        found.extend(range(int(first, 16), int(last or first, 16) + 1))
    return found


def cut(source: Path, target: Path, unicodes: list[int], family: str, flavor: str | None = None) -> None:
    options = subset.Options(flavor=flavor, hinting=False, layout_features=FEATURES, desubroutinize=True)
    options.name_IDs = [0, 1, 2, 6, 13, 14]
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=unicodes)
    cutter.subset(font)
    rename(font, family)
    subset.save_font(font, str(target), options)


def rename(font: TTFont, family: str) -> None:
    for record in font["name"].names:
        if record.nameID == 1:
            record.string = family
        elif record.nameID == 6:  # without it resvg ignores the font
            record.string = family.replace(" ", "")


def measure(source: Path) -> dict[str, int]:
    """Return advance widths in thousandths of the font size."""
    font = TTFont(source)
    names, per_em = font.getBestCmap(), font["head"].unitsPerEm
    every = [code for ranges in ALPHABETS.values() for code in codepoints(ranges)]
    return {chr(code): round(font["hmtx"][names[code]][0] * 1000 / per_em) for code in every if code in names}


def grouped(widths: dict[str, dict[str, int]]) -> dict[str, dict[str, str]]:
    """Return the letters of each width, by face. For a fixed-width face only the width."""
    table: dict[str, dict[str, str]] = {}
    for face, letters in widths.items():
        groups: dict[str, str] = {}
        for letter, width in sorted(letters.items(), key=lambda item: (item[1], item[0])):
            groups[str(width)] = groups.get(str(width), "") + letter
        table[face] = groups if len(groups) > 3 else {max(groups, key=lambda width: len(groups[width])): ""}
    return table


if __name__ == "__main__":
    main()
