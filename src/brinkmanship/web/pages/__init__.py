"""The pages: HTML for people, rendered here, made from the reader's own view.

One module per kind of page; `render` is what they share. A page knows no game by name: words come from
`brinkmanship.text`, pictures from `brinkmanship.draw`, both found by the game's id.
"""

from __future__ import annotations

from fastapi import APIRouter

from brinkmanship.web.pages.account import router as account
from brinkmanship.web.pages.analysis import router as analysis
from brinkmanship.web.pages.branches import router as branches
from brinkmanship.web.pages.data_files import router as data_files
from brinkmanship.web.pages.home import router as home
from brinkmanship.web.pages.learn import router as learn
from brinkmanship.web.pages.library import router as library
from brinkmanship.web.pages.notices import router as notices
from brinkmanship.web.pages.play import router as play
from brinkmanship.web.pages.play_on import router as play_on
from brinkmanship.web.pages.puzzles import router as puzzles
from brinkmanship.web.pages.render import error_page
from brinkmanship.web.pages.replay import router as replay
from brinkmanship.web.pages.series import router as series
from brinkmanship.web.pages.verify import router as verify
from brinkmanship.web.pages.workshop import router as workshop

__all__ = ["PARTS", "error_page", "router"]

PARTS = (
    home,
    account,
    notices,
    play,
    series,
    data_files,
    analysis,
    branches,
    play_on,
    replay,
    library,
    verify,
    learn,
    puzzles,
    workshop,
)

router = APIRouter(include_in_schema=False)
for part in PARTS:
    router.include_router(part)
