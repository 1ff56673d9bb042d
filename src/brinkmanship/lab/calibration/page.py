"""The page of a calibration, in English: a diagram and tables for each forecasting method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.lab.balance import versions
from brinkmanship.lab.calibration.reliability import Groups, Reliability
from brinkmanship.players import load_player
from brinkmanship.reports import plots
from brinkmanship.reports.document import Figure, ReportTable, Section, SectionPart, document, number, table
from brinkmanship.text import words_for

LANGUAGE = "en"
POINTS = 100

WAYS = {
    "learned": (
        "The learned value",
        "The value that search uses where it stops simulating: here alone, with all cards open, at the moments of a "
        "game that it is made for. Where no side is to act, it is that of the first-named side.",
    ),
    "known": (
        "From what the side knows",
        "The method of search and hints: games simulated from possible layouts of the hidden cards, given what the "
        "side to act can know.",
    ),
    "open": (
        "With all cards open",
        "The method of the curve of an analysis: games simulated from the actual position.",
    ),
}
"""Title and meaning of each forecasting method."""
VERDICTS = {
    "below": ("Below 2", "It is below 2 points."),
    "open": ("Open", "These positions do not show whether it is below 2 points."),
    "above": ("Not below 2", "It is not below 2 points."),
}
"""Verdict on the error, for a table cell and as a sentence."""
SPANS = {
    "round": ("By round", "Round {}"),
    "turn": ("By Turn", "Turn {}"),
    "card": ("By the next card", "Card {}"),
}
"""Heading and name of each part of a game."""
DIAGRAM = (
    "Horizontal: predicted. Vertical: actual result. Each dot is a tenth of the scale with its interval. Dots on the "
    "line are accurate forecasts; dots below it were predicted too high."
)


class About(NamedTuple):
    """The settings of a measurement."""

    game: str
    options: Mapping[str, Any]
    """Options that differ from their defaults."""
    player: str
    games: int
    seed: int
    playouts: int
    rules: str
    """Digest of the sources of the rules, as the following."""
    player_digest: str
    search_digest: str
    data: str
    """SHA-256 of the data file."""


def about(game: Game, player: str, games: int, seed: int, playouts: int) -> About:
    """Return the settings of a measurement."""
    own, search = (versions.of_player(load_player(name, game, 0), name) for name in (player, "search"))
    rules = versions.of_rules(game)
    options = {key: value for key, value in game.options.items() if value != game.default_options[key]}
    return About(game.id, options, player, games, seed, playouts, rules, own, search, game.data_sha256)


def as_json(about: About, found: Mapping[str, Groups], game: Game) -> dict[str, Any]:
    """Return all figures as plain JSON data, shares from 0 to 1."""
    return {
        **about._asdict(),
        "forecasts": {
            way: {
                "all": each.whole.as_json(),
                "asked": {game.sides[side]: part.as_json() for side, part in each.sides.items()},
                game.narrator.span or "card": {str(span): part.as_json() for span, part in each.spans.items()},
            }
            for way, each in found.items()
        },
    }


def page(game: Game, about: About, found: Mapping[str, Groups]) -> str:
    """Return the page as HTML."""
    words = words_for(game, LANGUAGE)
    sides = [words.name("side", side) for side in game.sides]
    title = f"How reliable are the win probabilities of {words.text(Message(f'game.{game.id}'))}?"
    ways = [_way(way, each, sides, game.narrator.span or "card") for way, each in found.items()]
    return document(title, LANGUAGE, [SectionPart(paragraphs=_head(about))], [*ways, _method(about)])


def verdicts(found: Mapping[str, Groups]) -> list[str]:
    """Return the result as plain text, one line per forecasting method."""
    return [f"{WAYS[way][0]}: {_verdict(each.whole)}" for way, each in found.items()]


def _head(about: About) -> list[str]:
    options = ", ".join(f"{name}={str(value).lower()}" for name, value in sorted(about.options.items()))
    return [
        "A forecast is reliable if 70% of the positions that it rates at 70 points out of 100 are won. "
        f"{about.player} played {_count(about.games)} games against itself, on deals that were not used for training; "
        "one position of each game was drawn at random, so that the positions are independent.",
        *([f"Changed options: {options}"] if options else []),
        "All figures are points out of 100 for the side to act: a win counts 100, a game without a winner 50. "
        "All intervals are 95% intervals.",
    ]


def _way(way: str, found: Groups, sides: Sequence[str], span: str) -> Section:
    """Return the section of one forecasting method."""
    title, meaning = WAYS[way]
    by_span, name = SPANS[span]
    parts = (
        SectionPart(headline=_verdict(found.whole), figure=Figure(_diagram(found.whole), DIAGRAM)),
        SectionPart(table=_tenths(found.whole)),
        _groups("By the side to act", [(sides[side], part) for side, part in found.sides.items()]),
        _groups(by_span, [(name.format(each), part) for each, part in found.spans.items()]),
    )
    return Section(title, meaning, parts)


def _verdict(whole: Reliability) -> str:
    """Return the error of a forecasting method and its verdict."""
    return (
        f"Expected calibration error: {_points(whole.error)} points ({_points(whole.low)} to {_points(whole.high)}); a "
        f"perfect forecast would show {_points(whole.by_chance)} by chance. {VERDICTS[whole.verdict][1]}"
    )


def _diagram(whole: Reliability) -> Markup:
    axes = plots.Axes((0, POINTS), (0, POINTS), "Predicted and actual results, by tenths")
    for level in plots.steps(0, POINTS):
        axes.level(level, number(LANGUAGE, level, "0"))
        axes.below(level, number(LANGUAGE, level, "0"))
    axes.straight((0, 0), (POINTS, POINTS), "zero")
    for each in whole.tenths:
        margin = POINTS * (each.high - each.low) / 2
        axes.line(1, {POINTS * each.predicted: (POINTS * each.happened, margin)})
    return axes.svg()


def _tenths(whole: Reliability) -> ReportTable | None:
    heads = ("Predicted between", "Positions", "Mean predicted", "Mean actual", "Interval", "Difference")
    rows = [
        (
            f"{_points(each.number / 10, '0')}–{_points((each.number + 1) / 10, '0')}",
            _count(each.n),
            _points(each.predicted),
            _points(each.happened),
            f"{_points(each.low)}–{_points(each.high)}",
            _points(each.happened - each.predicted, "+0.0;-0.0"),
        )
        for each in whole.tenths
    ]
    return table(heads, rows)


def _groups(title: str, found: Sequence[tuple[str, Reliability]]) -> SectionPart:
    """Return the table by side, or by round, Turn or card."""
    heads = ("Positions", "Mean predicted", "Mean actual", "Calibration error", "Interval", "By chance", "Verdict")
    rows = [
        (
            label,
            _count(part.n),
            _points(part.predicted),
            _points(part.happened),
            _points(part.error),
            f"{_points(part.low)}–{_points(part.high)}",
            _points(part.by_chance),
            VERDICTS[part.verdict][0],
        )
        for label, part in found
    ]
    return SectionPart(title, table=table(("", *heads), rows)) if rows else SectionPart()


def _method(about: About) -> Section:
    playouts = (
        f"Each simulated position is simulated {about.playouts} times. One half of the simulated games sorts it into "
        "its tenth, the mean of the other half is compared with the actual result, so that luck in the simulations "
        "does not count as an error. The games were played by the policy that also simulates, unless another player "
        "was chosen; its forecasts share the weaknesses of its play."
    )
    paragraphs = [
        "The calibration error: positions are sorted into ten tenths of the scale by their forecast; the error is the "
        "mean over the positions of the distance, in their tenth, between the mean forecast and the mean actual "
        "result. It is never below 0, so even a perfect forecast has some; the column “by chance” shows how much. Its "
        "interval is that of the basic bootstrap, from 1000 resamples of the positions. Few positions prove little: a "
        "row is “open” if the interval contains 2.",
        playouts if about.playouts else "No games were simulated: only the learned value was measured.",
        "This shows how well the forecasts fit games of this computer player. People play differently.",
        f"Games with seed {about.seed}, positions drawn with seed {about.seed + 1}, simulations with seed "
        f"{about.seed + 2}; seeds below 1000000000 were used for training. Sources: rules {about.rules}, "
        f"data {about.data[:12]}, {about.player} {about.player_digest}, search {about.search_digest}.",
    ]
    return Section("How it was measured", "", [SectionPart(paragraphs=paragraphs)])


def _points(share: float, pattern: str = "0.0") -> str:
    return number(LANGUAGE, POINTS * share, pattern)


def _count(value: int) -> str:
    return number(LANGUAGE, value, "#,##0")
