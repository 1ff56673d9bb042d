"""The workshop: edit a copy of a game's cards or scenario, preview it in all languages, and simulate it.

The simulation of thousands of games is compared with that of the original. Each version has a permanent address derived
from its content, which can be shared; versions are immutable and have no owner.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Collection, Mapping
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote

from babel.numbers import format_decimal
from markupsafe import Markup
from msgspec import Meta
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from brinkmanship.drawing import BoardRequest, LayoutName, drawing_of
from brinkmanship.engine.data_file import DataFile, Difference, differences
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.playout import NOBODY
from brinkmanship.lab.matches.summary import wilson
from brinkmanship.store import repository
from brinkmanship.text import LANGUAGE_NAMES, LANGUAGES, MissingTextError, Words, agendas_of, cards_of, words_for
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.jobs.background import State
from brinkmanship.web.jobs.simulation_job import Simulation
from brinkmanship.web.pages.library.data_files import MAX_SHOWN, file_response
from brinkmanship.web.pages.library.library import cards_page, reading
from brinkmanship.web.pages.library.print_sheets import Paper, Sheet
from brinkmanship.web.pages.library.printing import Pages, index_page, sheet_page
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.pictures import HERE, at_home, outlines
from brinkmanship.web.pages.shared.rendering import books_of, layout_of, page, run_in_pool
from brinkmanship.web.presentation.data_files import (
    MAX_BYTES,
    FileFault,
    data_file,
    fault_of,
    has_workshop,
    kept_data,
    kind_of,
    own_files,
    sent_data,
)
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.presentation.toml_parts import (
    WHOLE,
    TomlPart,
    part_of,
    parts_of,
    text_of,
    with_another,
    with_part,
)
from brinkmanship.web.services import services_of
from brinkmanship.web.studies.simulations import simulators_for
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.client_limits import Client
from brinkmanship.web.support.errors import IllegalError, NotFoundError, TooManyError
from brinkmanship.web.support.progress import Progress

router = PageRouter()

KEPT_PER_MINUTE = 30
"""Maximum new versions stored per minute and address, with bursts of a quarter of that."""
LINE = 56
"""Characters per line of the form, on a wide screen."""
DRAWN = ("card", "agenda")
"""Kinds of parts with pictures of their own."""

_keeping = rate_limit.RateLimit(KEPT_PER_MINUTE)

PartKey = Annotated[str, Meta(max_length=80)]
Text = Annotated[str, Meta(max_length=MAX_BYTES)]
Do = Literal["keep", "another", "remove"]


class WorkshopVersion(NamedTuple):
    """A data file in the workshop."""

    game: Game
    """The ruleset with all options at their defaults."""
    name: str
    """Name in addresses: of a packaged file, or the SHA-256 of a copy."""
    content: bytes

    @property
    def text(self) -> str:
        """The file as text."""
        return self.content.decode("utf-8-sig")

    @property
    def address(self) -> str:
        """Address of its page."""
        return f"/workshop/{self.game.id}/{self.name}"

    @property
    def is_own(self) -> bool:
        """True if it is a packaged file."""
        return self.name in own_files(self.game.id)


class PartChoice(NamedTuple):
    """A part in the list of parts."""

    key: str
    name: str


class CardPicture(NamedTuple):
    """A card in one language."""

    language: str
    picture: Markup
    before: Markup | None
    """The original card; None if it is unchanged or new."""


class PartPreview(NamedTuple):
    """Preview of a part."""

    cards: list[CardPicture]
    board: Markup
    """The initial board, if the part is not a card."""
    fault: FileFault | None


def _own(game_id: str) -> dict[str, bytes]:
    """Return the packaged data files of a game.

    Raises:
        NotFoundError: there are none.
    """
    if not has_workshop(game_id):
        raise NotFoundError(f"there is no workshop for {game_id}")
    return own_files(game_id)


async def _version(request: Request, game_id: str, name: str) -> WorkshopVersion:
    """Return the version named by an address.

    Raises:
        NotFoundError: there is no such game, or no such version (any more).
    """
    own = _own(game_id)
    if name in own:
        found: DataFile | None = DataFile(name, own[name])
    else:
        found = await asyncio.to_thread(kept_data, services_of(request).engine, game_id, name)
    if found is None:
        raise NotFoundError("this version is no longer available", key="workshop.gone")
    try:
        return await run_in_pool(request, partial(_loaded, request, game_id, name, found))
    except BrinkError as error:  # stored for a table of another game, or by another version of the program
        raise NotFoundError("this version is no longer available", key="workshop.gone") from error


def _loaded(request: Request, game_id: str, name: str, data: DataFile) -> WorkshopVersion:
    return WorkshopVersion(services_of(request).tables.rulesets.get(game_id, {}, data), name, data.content)


# ---- View.


@router.get("/workshop/{game_id}")
async def begin(game_id: str) -> Response:
    """Redirect to the first packaged file of a game."""
    own = _own(game_id)
    return RedirectResponse(f"/workshop/{game_id}/{next(iter(own))}", 303)


@router.get("/workshop/{game_id}/{name}")
async def workshop(request: Request, who: Person | None, game_id: str, name: str, part: PartKey = "") -> Response:
    """Show a version, with the part being edited."""
    version = await _version(request, game_id, name)
    standing = await _standing(request, version)
    return await run_in_pool(request, partial(_page, request, who, version, part, standing))


@router.get("/workshop/{game_id}/{name}/cards")
async def cards(
    request: Request,
    who: Person | None,
    game_id: str,
    name: str,
    side: Annotated[str, Meta(max_length=12)] | None = None,
) -> Response:
    """Show all cards of a version."""
    version = await _version(request, game_id, name)
    if "cards" not in books_of(version.game):
        raise NotFoundError(f"{game_id} has no page of cards")
    return await run_in_pool(request, partial(cards_page, request, who, version.game, side, f"{version.address}/cards"))


@router.get("/workshop/{game_id}/{name}/print")
async def sheets(request: Request, who: Person | None, game_id: str, name: str) -> Response:
    """Show the sheets of a version, to print."""
    version = await _version(request, game_id, name)
    return index_page(request, who, version.game, f"{version.address}/print", version.address)


@router.get("/workshop/{game_id}/{name}/print/{of}")
async def printed(
    request: Request, who: Person | None, game_id: str, name: str, of: Sheet, paper: Paper = "a4", pages: Pages = 1
) -> Response:
    """Show a sheet of a version, to print."""
    version = await _version(request, game_id, name)
    return await sheet_page(request, who, version.game, of, paper, pages, f"{version.address}/print")


@router.get("/workshop/{game_id}/{name}/file")
async def file(request: Request, game_id: str, name: str) -> Response:
    """Send the data file of a version."""
    version = await _version(request, game_id, name)
    return file_response(version.game.data_file, version.content)


@router.get("/workshop/{game_id}/{name}/simulation")
async def progress(request: Request, who: Person | None, game_id: str, name: str, part: PartKey = "") -> Response:
    """Return the progress of the simulation as a page fragment."""
    version = await _version(request, game_id, name)
    standing = await _standing(request, version)
    return page(
        request, "study/workshop_simulation.html", who, part=part, **_simulation(request, who, version, standing)
    )


def _page(
    request: Request,
    who: Person | None,
    version: WorkshopVersion,
    key: str,
    standing: SimulationStatus,
    *,
    draft: str | None = None,
    fault: FileFault | None = None,
) -> Response:
    game, language = version.game, language_of(request, who)
    own, words = page_words(language), game_words(version.game, language)
    parts = parts_of(version.text)
    chosen = next((part for part in parts if part.key == key), None)
    if chosen is None and key != WHOLE:
        chosen = next((part for part in parts if part.kind in ("card", "zone")), parts[0] if parts else None)
    text = version.text if chosen is None else text_of(version.text, chosen)
    found = differences(standing.base.content, version.content)
    keys = {part.key for part in parts}
    return reading(
        request,
        who,
        "study/workshop.html",
        game,
        status=422 if fault else 200,
        kind=kind_of(game),
        files=list(own_files(game.id)),
        name=version.name,
        groups=_groups(game, parts, words, own),
        part=chosen.key if chosen else WHOLE,
        has_id=chosen is not None and bool(chosen.id),
        text=text if draft is None else draft,
        rows=min(30, 2 + sum(1 + len(line) // LINE for line in text.splitlines())),
        shown=_shown(game, standing.base.game, chosen, language, layout_of(request))._replace(fault=fault),
        languages_of={code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        outlines="" if chosen is not None and chosen.kind in DRAWN else outlines(game),
        differences=[(one, _key_of(one, keys)) for one in found[:MAX_SHOWN]],
        count=len(found),
        has_cards="cards" in books_of(game),
        modes=("computer", "same", "friend", "open"),
        **_simulation(request, who, version, standing),
    )


def _base(request: Request, version: WorkshopVersion) -> WorkshopVersion:
    """Return the packaged file closest to a version; a packaged file is its own base."""
    if version.is_own:
        return version
    own = own_files(version.game.id)
    name = min(own, key=lambda name: len(differences(own[name], version.content)))
    return _loaded(request, version.game.id, name, DataFile(name, own[name]))


def _key_of(one: Difference, keys: Collection[str]) -> str:
    """Return the key of the part that contains a difference, "" if it no longer exists."""
    kind, _, rest = one.at.partition(" · ")
    return next((key for key in (f"{kind}.{rest.partition(' · ')[0]}", kind) if key in keys), "")


def _groups(game: Game, parts: list[TomlPart], words: Words, own: Words) -> list[tuple[str, list[PartChoice]]]:
    """Return the parts by kind, each with its display name."""
    names = {
        **{f"card.{card.id}": card.name for card in cards_of(game, words)},
        **{f"agenda.{agenda.id}": agenda.name for agenda in agendas_of(game, words)},
    }
    groups: dict[str, list[PartChoice]] = {}
    for part in parts:
        called = own.sentence_if_any(Message(f"workshop.kind.{part.kind}" if part.id else "workshop.kind.rest"))
        name = names.get(part.key) or _named(words, part) or part.id or part.kind
        groups.setdefault(called or part.kind, []).append(PartChoice(part.key, name))
    return list(groups.items())


def _named(words: Words, part: TomlPart) -> str:
    """Return the game's name for a part with an id, e.g. a zone; "" if it has none."""
    try:
        return words.name(part.kind, part.id) if part.id else ""
    except MissingTextError:
        return ""


def _shown(game: Game, base: Game, part: TomlPart | None, language: str, layout: LayoutName) -> PartPreview:
    """Return a card in all languages; for any other part the board that shows it."""
    if part is not None and part.kind in DRAWN:
        figures = []
        for code in LANGUAGES:
            picture = _drawn(game, part, code)
            before = _drawn(base, part, code)
            figures.append(CardPicture(code, picture, None if before in (picture, "") else before))
        return PartPreview(figures, Markup(""), None)
    view = game.view_of(game.new_state(), OBSERVER)  # before anything is dealt
    request = BoardRequest[object](layout=layout, coast=HERE)
    drawn = drawing_of(game).board(game, view, OBSERVER, words_for(game, language), request)
    return PartPreview([], at_home(drawn), None)


def _drawn(game: Game, part: TomlPart, language: str) -> Markup:
    """Return the picture of a card or an agenda; empty if the game does not have it."""
    drawing = drawing_of(game)
    draw = drawing.card if part.kind == "card" else drawing.agenda
    try:
        return Markup(draw(game, part.id, words_for(game, language)))
    except (StopIteration, KeyError, BrinkError):
        return Markup("")


# ---- Edit.


@router.post("/workshop/{game_id}/{name}/shown", is_open=True)
async def preview(request: Request, who: Person | None, game_id: str, name: str, text: Text, part: str) -> Response:
    """Return a preview of the part as edited in the form: a page fragment; nothing is stored."""
    version = await _version(request, game_id, name)
    return await run_in_pool(request, partial(_preview, request, who, version, part, text))


def _preview(request: Request, who: Person | None, version: WorkshopVersion, key: str, text: str) -> Response:
    language, layout = language_of(request, who), layout_of(request)
    new = _changed(version, key, text)
    base = _base(request, version).game
    try:
        game = services_of(request).tables.rulesets.tried(version.game.id, new)
    except BrinkError as error:
        old = part_of(version.text, key)
        shown = _shown(version.game, base, old, language, layout)
        shown = shown._replace(fault=_in_part(fault_of(error, new.content, language), old))
    else:
        own = parts_of(text)
        shown = _shown(game, base, None if key == WHOLE else own[0] if own else None, language, layout)
    names = {code: LANGUAGE_NAMES[code] for code in LANGUAGES}
    return page(request, "study/workshop_result.html", who, shown=shown, languages_of=names)


def _changed(version: WorkshopVersion, key: str, text: str) -> DataFile:
    """Return the version with a part replaced by new text.

    Raises:
        IllegalError: it has no such part.
    """
    text = text.replace("\r\n", "\n")
    if key != WHOLE:
        part = part_of(version.text, key)
        if part is None:
            raise IllegalError(f"there is no part {key!r}", key="refused.form_fields")
        text = with_part(version.text, part, text)
    return data_file(f"{version.game.id}.toml", text.encode())


def _in_part(fault: FileFault, part: TomlPart | None) -> FileFault:
    """Return the fault with its line number relative to the part being edited, if it is inside."""
    if part is None or fault.line is None or not part.first < fault.line <= part.end:
        return fault
    return fault._replace(line=fault.line - part.first)


@router.post("/workshop/{game_id}/{name}", is_open=True)
async def keep(
    request: Request,
    who: Person | None,
    game_id: str,
    name: str,
    text: Text,
    part: PartKey,
    do: Do = "keep",
) -> Response:
    """Store a version with a part changed, duplicated or removed, and redirect to it."""
    version = await _version(request, game_id, name)
    new, goes_to = await run_in_pool(request, partial(_edited, version, part, text, do))
    return await _keep(request, who, version, new, goes_to, part, text)


def _edited(version: WorkshopVersion, key: str, text: str, do: Do) -> tuple[DataFile, str]:
    """Return the new version requested by a form, and the key of the part to edit next.

    Raises:
        IllegalError: the version has no such part.
        TooLargeError: the new version exceeds the maximum size.
    """
    part, name = part_of(version.text, key), f"{version.game.id}.toml"
    if do == "keep" or part is None or not part.id:
        written = parts_of(text) if key != WHOLE else []
        return _changed(version, key, text), written[0].key if written else key
    if do == "another":
        changed, goes_to = with_another(version.text, part)
        return data_file(name, changed.encode()), goes_to
    return data_file(name, with_part(version.text, part, "").encode()), ""


@router.post("/workshop/{game_id}", is_open=True)
async def send(request: Request, who: Person | None, game_id: str, data: UploadFile) -> Response:
    """Continue with an uploaded file."""
    own = _own(game_id)
    version = await _version(request, game_id, next(iter(own)))
    new = await sent_data(data)
    if new is None:
        return RedirectResponse(version.address, 303)
    return await _keep(request, who, version, new, "", WHOLE, new.content.decode("utf-8-sig", "replace"))


async def _keep(
    request: Request, who: Person | None, version: WorkshopVersion, new: DataFile, goes_to: str, key: str, draft: str
) -> Response:
    game_id = version.game.id
    try:
        await run_in_pool(request, partial(services_of(request).tables.rulesets.tried, game_id, new))
    except BrinkError as error:
        standing = await _standing(request, version)
        return await run_in_pool(request, partial(_refused, request, who, version, new, key, standing, draft, error))
    sha256 = hashlib.sha256(new.content).hexdigest()
    name = next((name for name, content in own_files(game_id).items() if content == new.content), sha256)
    if name == sha256:
        if not Client.current().keeps_to(_keeping):
            await rate_limit.delay_refusal()
            raise TooManyError("too many new versions; wait a moment", key="workshop.refused.many")
        keep_it = partial(repository.keep_data_file, services_of(request).engine, sha256, new.content, time.time())
        await asyncio.to_thread(keep_it)
    return RedirectResponse(f"/workshop/{game_id}/{name}" + (f"?part={quote(goes_to)}" if goes_to else ""), 303)


def _refused(
    request: Request,
    who: Person | None,
    version: WorkshopVersion,
    new: DataFile,
    key: str,
    standing: SimulationStatus,
    draft: str,
    error: BrinkError,
) -> Response:
    fault = _in_part(fault_of(error, new.content, language_of(request, who)), part_of(version.text, key))
    return _page(request, who, version, key, standing, draft=draft, fault=fault)


# ---- Simulation.


class SimulationStatus(NamedTuple):
    """The base of a version, and the state of both simulations by player."""

    base: WorkshopVersion
    """The packaged file closest to it."""
    before: Mapping[str, State[Simulation]]
    here: Mapping[str, State[Simulation]]


async def _standing(request: Request, version: WorkshopVersion) -> SimulationStatus:
    base = await run_in_pool(request, partial(_base, request, version))
    before = await _states(request, base.game)
    return SimulationStatus(base, before, before if base is version else await _states(request, version.game))


async def _states(request: Request, game: Game) -> dict[str, State[Simulation]]:
    simulations = services_of(request).simulations
    players = simulators_for(game)
    keys = [await asyncio.to_thread(simulations.of_game, game, player) for player in players]
    return {player: await simulations.state(*of) for player, of in zip(players, keys, strict=True)}


@router.post("/workshop/{game_id}/{name}/simulation", is_open=True)
async def simulate(
    request: Request,
    game_id: str,
    name: str,
    player: Annotated[str, Meta(max_length=20)],
    part: PartKey = "",
) -> Response:
    """Request the simulation of a version, and of its base for comparison."""
    version = await _version(request, game_id, name)
    simulations = services_of(request).simulations
    if not simulations.games or player not in simulators_for(version.game):
        raise IllegalError(f"{player!r} is not available for simulations here", key="workshop.refused.player")
    base = await run_in_pool(request, partial(_base, request, version))
    for game in (base.game, version.game):
        await simulations.begin(*await asyncio.to_thread(simulations.of_game, game, player))
    return RedirectResponse(f"{version.address}?part={quote(part)}#simulation", 303)


class SimulationRow(NamedTuple):
    """A row of the table of simulation results, as texts."""

    name: str
    is_part: bool
    """True if it is a part of the last main row above."""
    before: str
    here: str
    change: str
    """Change in percentage points, with its 95 % interval; "" if there is nothing to compare."""
    is_clear: bool
    """True if the change is statistically significant."""


class PlayerSimulation(NamedTuple):
    """The simulation by a player."""

    player: str
    name: str
    about: str
    stage: str
    percent: int
    lines: list[SimulationRow]


def _simulation(
    request: Request, who: Person | None, version: WorkshopVersion, standing: SimulationStatus
) -> dict[str, Any]:
    language = language_of(request, who)
    words, own = game_words(version.game, language), page_words(language)
    played = []
    for player, here in standing.here.items():
        before = standing.before[player]
        stages = (here.status, before.status)
        stage = next((stage for stage in ("failed", "none", "at_work") if stage in stages), "done")
        shares = [1.0 if state.report else (state.progress or Progress()).share for state in (here, before)]
        lines = []
        if here.report and before.report:
            stage, lines = "done", _lines(version.game, before.report, here.report, words, own)
        name, about = (own.sentence(Message(f"workshop.player.{player}{of}")) for of in ("", ".about"))
        played.append(PlayerSimulation(player, name, about, stage, round(50 * sum(shares)), lines))
    games = services_of(request).simulations.games
    return {
        "address": version.address,
        "is_own": version.is_own,
        "played": played,
        "games": games,
        "games_said": format_decimal(games, locale=language),
        "is_at_work": any(each.stage == "at_work" for each in played),
    }


def _lines(game: Game, before: Simulation, here: Simulation, words: Words, own: Words) -> list[SimulationRow]:
    def line(name: str, is_part: bool, counts: tuple[int, int]) -> SimulationRow:
        both = tuple(zip(counts, (before, here), strict=True))
        first, second = (count / of.games for count, of in both)
        least, most = zip(*(wilson(count, of.games) for count, of in both), strict=True)
        change = second - first
        # Newcombe, "Interval estimation for the difference between independent proportions" (1998), method 10
        low = change - ((second - least[1]) ** 2 + (most[0] - first) ** 2) ** 0.5
        high = change + ((most[1] - second) ** 2 + (first - least[0]) ** 2) ** 0.5
        amounts = {"change": _number(100 * change, words, "+0.0;−0.0"), "error": _number(50 * (high - low), words)}
        said = "" if before == here else own.sentence(Message("workshop.change", amounts))
        then, now = (_number(100 * share, words) + "\xa0%" for share in (first, second))
        return SimulationRow(name, is_part, then, now, said, low > 0 or high < 0)

    def reasons(side: int) -> list[str]:
        both = (*here.results, *before.results)
        return list(dict.fromkeys(reason for winner, reason, _ in both if winner == side))

    def count(of: Simulation, side: int, reason: str) -> int:
        return sum(games for winner, why, games in of.results if (winner, why) == (side, reason))

    lines = []
    nobody = own.sentence(Message("workshop.nobody"))
    for side, name in [*enumerate(words.name("side", side) for side in game.sides), (NOBODY, nobody)]:
        wins = before.wins(side), here.wins(side)
        if side == NOBODY and not any(wins):
            continue
        lines.append(line(name, False, wins))
        for reason in reasons(side):
            why = words.sentence(Message(f"reason.{reason}"))
            lines.append(line(why, True, (count(before, side, reason), count(here, side, reason))))
    lengths = [_number(of.decisions, words) for of in (before, here)]
    lines.append(SimulationRow(own.sentence(Message("workshop.decisions")), False, lengths[0], lengths[1], "", False))
    return lines


def _number(value: float, words: Words, pattern: str = "0.0") -> str:
    return str(format_decimal(value, pattern, words.language))
