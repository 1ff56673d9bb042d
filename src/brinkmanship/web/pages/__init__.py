"""HTML pages, rendered on the server from the viewer's own view.

One module per kind of page; `shared` has the common parts. Pages are independent of the games: `brinkmanship.text` and
`brinkmanship.drawing` provide texts and pictures by game id.
"""

from __future__ import annotations

from brinkmanship.web.pages.account.account import router as account
from brinkmanship.web.pages.account.notices import router as notices
from brinkmanship.web.pages.account.oidc import router as oidc
from brinkmanship.web.pages.account.passkeys import router as passkeys
from brinkmanship.web.pages.formats.daily import router as daily
from brinkmanship.web.pages.formats.duplicate import router as duplicate
from brinkmanship.web.pages.formats.match import router as match
from brinkmanship.web.pages.formats.new_duplicate import router as new_duplicate
from brinkmanship.web.pages.formats.series import router as series
from brinkmanship.web.pages.formats.solo import router as solo
from brinkmanship.web.pages.library.data_files import router as data_files
from brinkmanship.web.pages.library.library import router as library
from brinkmanship.web.pages.library.printing import router as printing
from brinkmanship.web.pages.lobby.challenges import router as challenges
from brinkmanship.web.pages.lobby.home import router as home
from brinkmanship.web.pages.lobby.join import router as join
from brinkmanship.web.pages.lobby.lobby import router as lobby
from brinkmanship.web.pages.lobby.new_game import router as new_game
from brinkmanship.web.pages.lobby.seeks import router as seeks
from brinkmanship.web.pages.moderation.moderators import router as moderators
from brinkmanship.web.pages.moderation.players import router as player_reports
from brinkmanship.web.pages.people.profile import router as profile
from brinkmanship.web.pages.people.ratings import router as ratings
from brinkmanship.web.pages.people.statistics import router as statistics
from brinkmanship.web.pages.shared.rendering import error_page
from brinkmanship.web.pages.site.board_text import router as board_text
from brinkmanship.web.pages.site.language import router as language
from brinkmanship.web.pages.site.site_files import router as site_files
from brinkmanship.web.pages.study.analysis import router as analysis
from brinkmanship.web.pages.study.annotated import router as annotated
from brinkmanship.web.pages.study.branches import router as branches
from brinkmanship.web.pages.study.learn import router as learn
from brinkmanship.web.pages.study.oembed import router as oembed
from brinkmanship.web.pages.study.play_on import router as play_on
from brinkmanship.web.pages.study.puzzles import router as puzzles
from brinkmanship.web.pages.study.record import router as record
from brinkmanship.web.pages.study.replay import router as replay
from brinkmanship.web.pages.study.sharing import router as sharing
from brinkmanship.web.pages.study.verify import router as verify
from brinkmanship.web.pages.study.watch import router as watch
from brinkmanship.web.pages.study.workshop import router as workshop
from brinkmanship.web.pages.table.play import router as play
from brinkmanship.web.pages.tournaments.calendar import router as tournament_calendar
from brinkmanship.web.pages.tournaments.feed import router as tournament_feed
from brinkmanship.web.pages.tournaments.new_tournament import router as new_tournament
from brinkmanship.web.pages.tournaments.tournament import router as tournament
from brinkmanship.web.pages.tournaments.tournament_lists import router as tournament_lists

__all__ = ["PARTS", "error_page", "routes"]

PARTS = (
    home,
    new_game,
    join,
    lobby,
    seeks,
    challenges,
    language,
    board_text,
    site_files,
    account,
    notices,
    profile,
    statistics,
    passkeys,
    oidc,
    player_reports,
    moderators,
    play,
    watch,
    series,
    ratings,
    match,
    new_duplicate,
    duplicate,
    daily,
    solo,
    data_files,
    analysis,
    annotated,
    branches,
    record,
    play_on,
    sharing,
    oembed,
    replay,
    library,
    printing,
    verify,
    learn,
    puzzles,
    workshop,
    tournament_lists,
    new_tournament,
    tournament,
    tournament_calendar,
    tournament_feed,
)

routes = [route for part in PARTS for route in part.routes]
"""All page routes in matching order."""
