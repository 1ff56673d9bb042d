"""HTML pages, rendered on the server from the viewer's own view.

One module per kind of page; `shared` has the common parts. Pages are independent of the games: `brinkmanship.text` and
`brinkmanship.drawing` provide texts and pictures by game id.
"""

from __future__ import annotations

from brinkmanship.web.pages.account.account import router as account
from brinkmanship.web.pages.account.notices import router as notices
from brinkmanship.web.pages.account.passkeys import router as passkeys
from brinkmanship.web.pages.library.data_files import router as data_files
from brinkmanship.web.pages.library.library import router as library
from brinkmanship.web.pages.lobby.home import router as home
from brinkmanship.web.pages.lobby.join import router as join
from brinkmanship.web.pages.lobby.language import router as language
from brinkmanship.web.pages.lobby.new_game import router as new_game
from brinkmanship.web.pages.lobby.ratings import router as ratings
from brinkmanship.web.pages.lobby.series import router as series
from brinkmanship.web.pages.lobby.site_files import router as site_files
from brinkmanship.web.pages.moderation.desk import router as moderation_desk
from brinkmanship.web.pages.moderation.players import router as player_reports
from brinkmanship.web.pages.shared.rendering import error_page
from brinkmanship.web.pages.study.analysis import router as analysis
from brinkmanship.web.pages.study.branches import router as branches
from brinkmanship.web.pages.study.learn import router as learn
from brinkmanship.web.pages.study.play_on import router as play_on
from brinkmanship.web.pages.study.puzzles import router as puzzles
from brinkmanship.web.pages.study.replay import router as replay
from brinkmanship.web.pages.study.verify import router as verify
from brinkmanship.web.pages.study.workshop import router as workshop
from brinkmanship.web.pages.table.play import router as play

__all__ = ["PARTS", "error_page", "routes"]

PARTS = (
    home,
    new_game,
    join,
    language,
    site_files,
    account,
    notices,
    passkeys,
    player_reports,
    moderation_desk,
    play,
    series,
    ratings,
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

routes = [route for part in PARTS for route in part.routes]
"""All page routes in matching order."""
