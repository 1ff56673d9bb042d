"""The marks of the pictograms. Ink has the colour of the text around it; sides and kinds differ by shape first.

Every mark is drawn in a line `pictogram.ROW` high, around its middle. `SAMPLES` contains each mark that needs no
names of the game to be explained, by the key of its phrase (``draw.mark.KEY``).
"""

from __future__ import annotations

from functools import lru_cache

from brinkmanship.drawing import icons
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.pictogram import ROW, Token, boxed
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, num, path, rect

MIDDLE = ROW / 2
CUBE = 13.0
_DIGITS = 17.0

_EMBLEMS = {  # in a square of 18; paths of one line with "s", filled ones with "i"
    "atlantic": (
        ("s", "M1 5.2q2.7-3.4 5.3 0t5.4 0t5.3 0M1 10q2.7-3.4 5.3 0t5.4 0t5.3 0M1 14.8q2.7-3.4 5.3 0t5.4 0t5.3 0"),
    ),
    "berlin": (("s", "M1 3h16v12.6H1zM1 7.2h16M1 11.4h16M6.2 3v4.2M12 3v4.2M3.6 7.2v4.2M9 7.2v4.2M14.4 7.2v4.2"
                "M6.2 11.4v4.2M12 11.4v4.2"),),
    "italy": (("i", "M4.6 1h5.6v9.2l5.6 2.8q1.8 1.1 1.2 4H10.6L9 15H7.8v2H4.4Q3.4 8.6 4.6 1z"),),
    "turkey": (
        ("i", "M11.2 2.3A7.1 7.1 0 1 0 11.2 15.7A5.7 5.7 0 1 1 11.2 2.3z"),
        ("i", "M14.2 5.6l1 2.3 2.5.2-1.9 1.6.6 2.5-2.2-1.3-2.2 1.3.6-2.5-1.9-1.6 2.5-.2z"),
    ),
    "united_nations": (
        ("s", "M9 1.2a7.8 7.8 0 1 0 0 15.6a7.8 7.8 0 1 0 0-15.6zM9 1.2v15.6M1.2 9h15.6"
         "M9 1.2q-7 7.8 0 15.6M9 1.2q7 7.8 0 15.6"),
    ),
    "television": (("s", "M1.5 5.5h15v10.4h-15zM5 1l4 4.5L13 1"), ("i", "M4 7.8h7.6v5.8H4zM13.4 8h1.6v1.8h-1.6z")),
    "alliances": (
        ("s", "M6.4 4.2a4.8 4.8 0 1 0 0 9.6a4.8 4.8 0 1 0 0-9.6z"),
        ("s", "M11.6 4.2a4.8 4.8 0 1 0 0 9.6a4.8 4.8 0 1 0 0-9.6z"),
    ),
    "cuba": (
        ("s", "M8.6 17q-1-5 1.2-9.4"),
        ("i", "M9.6 8.2C7.6 4 4 2.8.8 5.4c3.6-.4 6 .4 8.8 2.8zM9.6 8.2c.6-4.4 4-6.4 7.4-4.2-3.2.2-5.4 1.4-7.4 4.2z"
         "M9.6 8.2C6 7 3.2 8.6 2.6 12.4c2-2.6 4-3.8 7-4.2zM9.6 8.2c3.8-.6 6.4 1 6.8 4.8-1.8-2.8-3.8-4.2-6.8-4.8z"
         "M4 17.6q4.6-2.6 9.4 0z"),
    ),
}  # fmt: skip

_INK = {  # name: (width, [(class, path in a square of 18)])
    "any": (14.0, (("t", "M7 3v12M1.8 6l10.4 6M12.2 6L1.8 12"),)),
    "arrow": (17.0, (("t", "M0 9h13"), ("i", "M11 4l6 5-6 5z"))),
    "then": (11.0, (("s", "M2 1v9h4"), ("i", "M5.4 6.4l4.6 3.6-4.6 3.6z"))),
    "swap": (18.0, (("s", "M1 6h12M17 12.4H5"), ("i", "M12 2.4L17.4 6 12 9.6zM6 8.8L.6 12.4 6 16z"))),
    "up": (11.0, (("t", "M5.5 17V6"), ("i", "M.5 8l5-7 5 7z"))),
    "down": (11.0, (("t", "M5.5 1v11"), ("i", "M.5 10l5 7 5-7z"))),
    "either": (11.0, (("t", "M5.5 5v8"), ("i", "M.5 6.4l5-6.4 5 6.4zM.5 11.6l5 6.4 5-6.4z"))),
    "if": (11.0, (("t", "M1.6 6.2q.2-4 3.9-4t3.9 3.6q0 2.4-2.2 3.5t-1.7 3.2"), ("i", "M4.1 14.4h2.9v2.8H4.1z"))),
    "round": (12.0, (("s", "M1 1.6h10M1 16.4h10"), ("i", "M2 2h8q0 4.6-3.4 7 3.4 2.4 3.4 7H2q0-4.6 3.4-7Q2 6.6 2 2z"))),
    "crown": (17.0, (("i", "M1 4.5l4 4 3.5-6 3.5 6 4-4-1.4 10H2.4z"),)),
    "prestige": (18.0, (("i", "M9 .6l2.5 5.6 6.1.6-4.6 4 1.4 6L9 13.7l-5.4 3.1 1.4-6-4.6-4 6.1-.6z"),)),
    "card": (13.0, (("s", "M.8 1h11.4v16H.8z"),)),
    "drawn": (17.0, (("s", "M.8 4h10.4v13.2H.8zM3.6 4V.8H16v13.6h-4.8"), ("i", "M.8 4h10.4v13.2H.8z"))),
    "more": (9.0, (("s", "M1.5 3.5l6 5.5-6 5.5"),)),
    "less": (9.0, (("s", "M7.5 3.5L1.5 9l6 5.5"),)),
    "open": (6.0, (("s", "M5 0Q-1.4 9 5 18"),)),
    "shut": (6.0, (("s", "M1 0Q7.4 9 1 18"),)),
    "stop": (8.0, (("t", "M6 1v16"), ("s", "M0 9h5"))),
    "letter": (20.0, (("s", "M1 3h18v12.5H1zM1 3.4l9 7 9-7"),)),
    "apart": (13.0, (("s", "M1 5.5h11M1 12.5h11"), ("i", "M3.2 2l-3 3.5 3 3.5zM9.8 9l3 3.5-3 3.5z"))),
    "side_ways": (17.0, (("t", "M4 9h9"), ("i", "M6 4L0 9l6 5zM11 4l6 5-6 5z"))),
    "to_middle": (
        25.0,
        (("t", "M0 9h5M25 9h-5"), ("i", "M4 4.6L9.4 9 4 13.4zM21 4.6L15.6 9l5.4 4.4z"), ("s", "M12.5 2v14")),
    ),
    "towards": (12.0, (("t", "M0 9h8"), ("i", "M6 4l6 5-6 5z"))),
    "away": (12.0, (("t", "M12 9H4"), ("i", "M6 4L0 9l6 5z"))),
    "sphere": (16.0, (("s", "M1 17V7q0-6 7-6t7 6v10"),)),
}  # fmt: skip


@lru_cache(256)
def ink(name: str, *, glued: bool = False) -> Token:
    """Return an ink mark by its name."""
    wide, shapes = _INK[name]
    return Token(wide, _drawn(shapes, 0, MIDDLE - 9), (name,), glued)


def emblem(place: str) -> Token | None:
    """Return the emblem of a place, or None if it has none."""
    if place not in _EMBLEMS:
        return None
    return Token(18, _drawn(_EMBLEMS[place], 0, MIDDLE - 9), (f"battleground:{place}",))


def _drawn(shapes: tuple[tuple[str, str], ...], x: float, y: float) -> Markup:
    where = f"translate({num(x)} {num(y)})"
    return join(path(d, css, transform=where) for css, d in shapes)


@lru_cache(256)
def kind(track: str, size: float = 15.0) -> Token:
    """Return the shape of a kind of battleground."""
    return Token(size, icons.kind(track, 0, MIDDLE - size / 2, size), (f"kind:{track}",))


@lru_cache(256)
def side(who: str, size: float = CUBE) -> Token:
    """Return a cube or marker of a side; `who` is a side, or "own", "opponent", "leader" for events of either side."""
    wide = size * (1.28 if who == "ussr" else 1.1)
    return Token(wide, _shape(who, wide / 2, MIDDLE, size), (f"side:{who}",))


def _shape(who: str, x: float, y: float, size: float) -> Markup:
    if who in icons.SIDE_CSS:
        return icons.cube(icons.SIDE_CSS.index(who), x, y, size)
    if who == "leader":
        crown = path("M-6-3l3 3 3-4.6L3 0l3-3-1 6.6H-5z", "i", transform=f"translate({num(x)} {num(y - 6)})")
        return join(el("circle", cx=x, cy=y + 4.6, r=size * 0.34, class_="i"), crown)
    return el("circle", cx=x, cy=y, r=size * (0.52 if who == "own" else 0.46), class_="i" if who == "own" else "t")


@lru_cache(256)
def struck(who: str) -> Token:
    """Return a cube that is removed: hollow, and crossed out."""
    wide = side(who).width
    x, reach = wide / 2, 7.0
    shape = (
        path(icons.cube_path(icons.SIDE_CSS.index(who), x, MIDDLE, CUBE), f"left {who}")
        if who in icons.SIDE_CSS
        else el("circle", cx=x, cy=MIDDLE, r=CUBE * 0.5, class_="s")
    )
    cross = path(f"M{num(x - reach)} {num(MIDDLE - reach)}l14 14m-14 0l14-14", "s")
    return Token(wide, join(shape, cross), (f"side:{who}", "gone"))


@lru_cache(256)
def without(who: str) -> Token:
    """Return the empty place of a cube."""
    size = CUBE - 1
    wide = size * 1.28
    shape = (
        path(icons.cube_path(icons.SIDE_CSS.index(who), wide / 2, MIDDLE, size), "empty")
        if who in icons.SIDE_CSS
        else el("circle", cx=wide / 2, cy=MIDDLE, r=size * 0.5, class_="empty")
    )
    return Token(wide, shape, ("without",))


@lru_cache(256)
def has(who: str) -> Token:
    """Return a cube that is required to be there."""
    drawn = side(who, CUBE - 1)
    return drawn._replace(keys=(*drawn.keys, "has"))


@lru_cache(256)
def chooser(who: str) -> Token:
    """Return a person whose head is the mark of a side: this side decides."""
    wide = 17.0
    body = join(
        _shape(who, wide / 2, MIDDLE - 4.5, 8.5),
        path(f"M1 {num(MIDDLE + 10)}q0-8 7.5-8t7.5 8z", "i"),
    )
    return Token(wide, body, (f"side:{who}", "chooser"))


@lru_cache(256)
def command(who: str, *, place_only: bool = False) -> Token:
    """Return a large cube with plus and minus: a Command; with plus alone if cubes can only be placed."""
    size = 18.0
    wide = size * (1.28 if who == "ussr" else 1.05)
    x, y = wide / 2, MIDDLE
    signs = f"M{num(x - 4)} {num(y)}h8M{num(x)} {num(y - 4)}v8"
    if not place_only:
        signs = f"M{num(x - 3.2)} {num(y - 1.8)}h6.4M{num(x)} {num(y - 5)}v6.4M{num(x - 3.2)} {num(y + 4.4)}h6.4"
    if who in icons.SIDE_CSS:
        shape, css = _shape(who, x, y, size), "plus"
    else:
        ring = "t" if who == "own" else "s"
        shape, css = el("circle", cx=x, cy=y, r=size * 0.52, class_=ring), "ring"
    keys = (f"side:{who}", "command_place" if place_only else "command")
    return Token(wide, join(shape, path(signs, css)), keys)


@lru_cache(512)
def number(said: str, key: str = "", *, glued: bool = True) -> Token:
    """Return figures and signs as text."""
    wide = width(said, _DIGITS, "b")
    return Token(wide, text(0, MIDDLE + 6, said, _DIGITS, "b"), (key,) if key else (), glued)


@lru_cache(256)
def thermometer(kind_: str = "") -> Token:
    """Return a DEFCON track: a thermometer and the shape of its kind, or the mark of any."""
    tube = join(
        path(f"M1.8 {num(MIDDLE + 3)}v-11.5a3 3 0 0 1 6 0v11.5", "s"),
        el("circle", cx=4.8, cy=MIDDLE + 6.4, r=4.4, class_="i"),
        path(f"M4.8 {num(MIDDLE + 4)}v-6", "t"),
    )
    glass = Token(9.6, tube, ("track",))
    return boxed([glass, kind(kind_)], NOTHING, 0) if kind_ else glass


def highest() -> Token:
    """Return the mark "highest of several": one bar above the others."""
    body = join(
        path(f"M0 {num(MIDDLE + 8)}h4M6.5 {num(MIDDLE + 8)}h4M13 {num(MIDDLE + 8)}h4", "s"),
        path(f"M2 {num(MIDDLE + 7)}v-6M8.5 {num(MIDDLE + 7)}v-14M15 {num(MIDDLE + 7)}v-4", "t"),
        path(f"M4.5 {num(MIDDLE - 9)}h8", "s"),
    )
    return Token(17, body, ("highest",))


def any_track() -> Token:
    """Return the mark of any DEFCON track."""
    return boxed([thermometer(), ink("any")._replace(keys=("any_track",))], NOTHING, 0)


def crossed_out(drawn: Token, key: str) -> Token:
    """Return a mark in a ring with a stroke: something that does not happen."""
    size = 23.0
    small = f"translate({num(size / 2 - drawn.width * 0.33)} {num(MIDDLE * 0.34)}) scale(.66)"
    ring = join(
        el("circle", cx=size / 2, cy=MIDDLE, r=10.5, class_="s"),
        path(f"M{num(size / 2 - 7.4)} {num(MIDDLE - 7.4)}l14.8 14.8", "s"),
    )
    return Token(size, join(group(drawn.body, transform=small), ring), (key,))


@lru_cache(16)
def sphere(who: str) -> Token:
    """Return the sphere of a side, or the neutral area: its mark under an arch."""
    arch = ink("sphere")
    inside = _shape(who, 8, MIDDLE + 2.5, 8) if who else path(f"M5 {num(MIDDLE + 3)}h6", "t")
    return Token(16, join(arch.body, inside), ("sphere",) if who else ("neutral",))


def no_lowering() -> Token:
    """Return the arrow down, struck out."""
    return crossed_out(ink("down"), "ban")


@lru_cache(256)
def areas(sizes: tuple[int, ...], chosen: int) -> Token:
    """Return the areas of a DEFCON track from bottom to top, one of them filled."""
    total, high, found, bottom = sum(sizes) or 1, 22.0, [], MIDDLE + 11
    for index, size in enumerate(sizes):
        part = high * size / total
        bottom -= part
        found.append(rect(1, round(bottom, 2), 9, round(part, 2), "i fine" if index == chosen else "fine"))
    return Token(11, join(found), ("area",))


def plate(tokens: list[Token], key: str = "") -> Token:
    """Return a battleground: the marks that identify it, in a frame."""
    margin = 3.5
    wide = sum(token.width for token in tokens) + 2.0 * (len(tokens) - 1) + 2 * margin
    found = boxed(tokens, rect(0.6, 1.5, round(wide - 1.2, 2), ROW - 3, "plate", 3), margin)
    return found._replace(keys=(*found.keys, key)) if key else found


def boxed_crown(place: Token) -> Token:
    """Return a battleground with the mark of leading there."""
    return boxed([place, ink("crown")], NOTHING, 0)


@lru_cache(64)
def fork(shape: str) -> Token:
    """Return the stem from which alternatives branch: "first", "middle", "last", or "stem" beside a continued line."""
    up = f"M3 0v{num(MIDDLE)}" if shape in ("middle", "last") else ""
    down = f"M3 {num(MIDDLE)}v{num(MIDDLE)}" if shape in ("first", "middle") else ""
    branch = f"M3 {num(MIDDLE)}h6" if shape != "stem" else f"M3 0v{num(ROW)}"
    dot = el("circle", cx=9, cy=MIDDLE, r=2.6, class_="i") if shape != "stem" else NOTHING
    return Token(12, join(path(up + down + branch, "s"), dot), ("or",) if shape == "first" else ())


def blank(wide: float) -> Token:
    """Return empty space as wide as a mark in the line above."""
    return Token(wide, NOTHING)
