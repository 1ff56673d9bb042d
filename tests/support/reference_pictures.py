"""Reference pictures: what pages looked like when somebody last looked at them and found them good.

`make pictures` replaces them. A comparison must not depend on how a browser's version smooths letters, so both
pictures are reduced to cells of 8 x 8 pixels first: a moved button or another colour shows, a smoother letter does not.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

Image = pytest.importorskip("PIL.Image")

FOLDER = Path(__file__).parents[1] / "end_to_end" / "browser" / "pictures"
"""Folder of the reference pictures."""
IS_UPDATING = os.environ.get("BRINK_TEST_PICTURES") == "update"
CELL = 8
"""Width and height of a cell (pixels)."""
MAX_DIFFERENCE = 24
"""Largest difference of a cell's mean colour, of 255 in any channel, that counts as the same."""
MAX_CHANGED_SHARE = 0.001
"""Largest share of changed cells of a picture that counts as the same: 20 cells of a wide screen, less than a button.
Two runs on one machine differ in none.
"""
CHANGING = "time, .clock, [data-changing]"
"""Elements that show another time in each run; they are painted over."""
QUALITY = 60
"""Quality of the stored WebP files, of 100: a cell's mean hardly depends on it."""


def assert_looks_the_same(page: Any, name: str) -> None:
    """Compare what a page shows with its reference picture, or store that if the pictures are updated.

    Raises:
        pytest.fail.Exception: More than `MAX_CHANGED_SHARE` of the picture has changed; the new one is beside it.
    """
    shown = _screenshot(page)
    if IS_UPDATING:
        FOLDER.mkdir(exist_ok=True)
        shown.save(_path(name), quality=QUALITY, method=6)
        return
    share = _changed_share(shown, name)
    if share > MAX_CHANGED_SHARE:
        shown.save(_path(name).with_suffix(".new.png"))
        pytest.fail(f"{share:.1%} of {name}.webp has changed: look at {name}.new.png; `make pictures` keeps it")


def changed_share(page: Any, name: str) -> float:
    """Return the share of cells in which a page differs from its reference picture; 1 if the sizes differ."""
    return _changed_share(_screenshot(page), name)


def _changed_share(shown: Any, name: str) -> float:
    assert _path(name).exists(), f"there is no picture {name}.webp: `make pictures` stores it"
    before, after = _cells(Image.open(_path(name))), _cells(shown)
    if before.shape != after.shape:
        return 1.0
    return float((np.abs(before - after).max(axis=2) > MAX_DIFFERENCE).mean())


def _path(name: str) -> Path:
    return FOLDER / f"{name}.webp"


def _screenshot(page: Any) -> Any:
    """Return what the window shows, without what changes from run to run."""
    page.evaluate("document.fonts.ready.then(() => true)")
    masked = page.locator(CHANGING)
    data = page.screenshot(animations="disabled", caret="hide", mask=[masked], mask_color="#888888")
    return Image.open(io.BytesIO(data)).convert("RGB")


def _cells(picture: Any) -> npt.NDArray[np.float64]:
    pixels = np.asarray(picture.convert("RGB"), np.float64)
    rows, columns = (length // CELL for length in pixels.shape[:2])
    cells = pixels[: rows * CELL, : columns * CELL].reshape(rows, CELL, columns, CELL, 3)
    return np.asarray(cells.mean(axis=(1, 3)))
