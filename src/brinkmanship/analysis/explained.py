"""Choices explained to people: a table with how often each wins, and one reason with facts of the position.

Hints, puzzles and analyses show the same table (`explained.html`). Facts are differences between the side's views
before and after a choice, so they reveal nothing that the side does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

from babel.numbers import format_decimal

from brinkmanship.analysis.report import ComparedOption
from brinkmanship.drawing import drawing_of
from brinkmanship.engine.game import Game
from brinkmanship.engine.hint import Hint, Hints
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.text import Words
from brinkmanship.text.hints import BEST, PLAYERS, why_text

MAX_SHOWN = 3
"""Number of choices shown at once; the others are folded."""
MAX_FACTS = 3
"""Maximum facts of one reason."""
MIN_WAR = 0.05
"""Minimum fraction of playouts that end in war, beyond that of the safest choice, for it to be part of the reason."""
WEIGHED = ("why.for.against", "why.for", "why.against")
"""Reasons that only name parts of an evaluation."""


class ExplainedChoice(NamedTuple):
    """A row of the table."""

    action: int
    what: str
    is_best: bool
    """True for the best choice, and for those equal to it within the error."""
    is_taken: bool
    """True for the choice that the viewer made."""
    share: int | None
    """Probability with which to make a simultaneous choice (percent); None for any other question."""
    win: int
    """Win probability (percent)."""
    share_said: str
    win_said: str
    """Both with their unit: "40%", "52% ± 3"."""
    reason: str
    """One reason with facts of the position; "" if there is none."""
    more: tuple[str, ...]
    """Details: danger of war, expected score, likely reply, as far as they are known."""


class ExplainedOptions(NamedTuple):
    """A table of choices, best first."""

    choices: tuple[ExplainedChoice, ...]
    labels: Mapping[str, str]
    """Its headings and labels, by name."""
    note: str
    """Meaning of the ± in the figures; "" if all are exact."""

    @property
    def has_shares(self) -> bool:
        """True if the choices are to be mixed."""
        return any(one.share is not None for one in self.choices)

    @property
    def shown(self) -> list[ExplainedChoice]:
        """The best choices, and the one that the viewer made."""
        return [one for place, one in enumerate(self.choices) if place < MAX_SHOWN or one.is_taken]

    @property
    def folded(self) -> list[ExplainedChoice]:
        """All other choices."""
        return [one for place, one in enumerate(self.choices) if place >= MAX_SHOWN and not one.is_taken]


class ExplainedHints(NamedTuple):
    """The hints for a side."""

    title: str
    """Title with the number of games the hints are based on."""
    table: ExplainedOptions
    equal: str
    """Explanation of the stars, if there are several."""


class _Figures(NamedTuple):
    """The result of one choice."""

    action: int
    win: float
    error: float
    is_best: bool
    is_taken: bool = False
    share: float | None = None
    war: float | None = None
    score: float | None = None
    reason: Message | None = None
    reply: str = ""


def explained_hints(game: Game, view: State, found: Hints, words: Words) -> ExplainedHints:
    """Return hints in one language; `view` is that of the side they are for."""
    is_any_equal = not found.is_secret and sum(one.is_best for one in found.hints) > 1
    return ExplainedHints(
        words.text(Message("hint.secret" if found.is_secret else "hint.title", {"n": found.playouts})),
        _table(game, view, found.side, [_of_hint(one, words) for one in found.hints], words),
        f"{BEST} {words.text(Message('hint.equal'))}" if is_any_equal else "",
    )


def explained_options(
    game: Game,
    view: State,
    side: int,
    options: Sequence[ComparedOption],
    best: str,
    taken: str,
    words: Words,
    reason: Message | None = None,
    replies: Mapping[str, Message] | None = None,
) -> ExplainedOptions:
    """Return the compared choices of a puzzle or of an analysed decision.

    Args:
        game: the ruleset.
        view: the view of the side before the decision.
        side: the side that decides.
        options: the choices, best first.
        best: the action of the best one.
        taken: the action that the viewer chose.
        words: the texts of the ruleset.
        reason: the reason for the best choice.
        replies: the likely replies, by action.
    """

    def figures(one: ComparedOption) -> _Figures:
        return _Figures(
            game.parse_action(one.action, side),
            one.win,
            one.error,
            one.action == best,
            one.action == taken,
            one.share,
            one.war,
            reason=reason if one.action == best else None,
            reply=_reply((replies or {}).get(one.action), words),
        )

    return _table(game, view, side, [figures(one) for one in options], words)


def reason_said(
    game: Game, view: State, side: int, action: int, words: Words, given: Message | None = None, score: str = ""
) -> str:
    """Return the reason for or against a choice: what it changes, or a given reason that names something itself."""
    if given is not None and given.key not in WEIGHED and set(given.args) - {"who"}:
        return why_text(given, words)
    facts = facts_of(game, view, side, action, words)[:MAX_FACTS]
    if facts:
        return _sentences(facts)
    left = [] if given is not None and given.key in WEIGHED else _hand(game, view, side, action, words)
    said = (
        []
        if given is None or (given.key not in WEIGHED and (score or left))
        else [_weighed(game, view, side, given, words)]
    )
    return " ".join(part for part in (*said, score, _sentences(left)) if part)


def facts_of(game: Game, view: State, side: int, action: int, words: Words) -> list[str]:
    """Return what a choice changes, in phrases: a war that it triggers, the side's aim, the board."""
    after = game.after(view, action, side)
    warning = game.narrator.warning(view, after, side)
    found = [words.sentence(warning)] if warning is not None else []
    was, aim = (game.narrator.aim(each, side) for each in (view, after))
    if was is not None and aim is not None and was != aim:
        found.append(words.text(Message("explained.aim", {"aim": aim})))
    return [*found, *drawing_of(game).changes(game, view, after, side, words)]


def _hand(game: Game, view: State, side: int, action: int, words: Words) -> list[str]:
    """Return the cards that stay in the hand of the side when one leaves it."""
    views = (view, game.after(view, action, side))
    was, left = (game.known_state(each, side)["cards"].get("hand", ()) for each in views)
    if not left or len(left) >= len(was):
        return []
    return [words.text(Message("explained.hand", {"cards": tuple(Ref("card", card) for card in left)}))]


def _weighed(game: Game, view: State, side: int, given: Message, words: Words) -> str:
    """Return a given reason with the current figures of the parts of an evaluation that it names."""
    figures = dict(drawing_of(game).standing(game, view, side, words))
    aim = game.narrator.aim(view, side)
    if aim is not None:
        figures["agendas"] = words.text(Message("explained.aim", {"aim": aim}))
    own = words.with_domain(PLAYERS)

    def part(said: Argument) -> Argument:
        if not isinstance(said, Message):
            return said
        figure = figures.get(said.key.rpartition(".")[2])
        return f"{own.text(said)} ({figure})" if figure else said

    if given.key in WEIGHED:
        parts: dict[str, Argument] = {key: part(said) for key, said in given.args.items()}
        return why_text(Message(given.key, parts), words)
    figure = figures.get(given.key.rpartition(".")[2], "")
    return " ".join(said for said in (why_text(given, words), _sentences([figure] if figure else [])) if said)


def _sentences(phrases: Sequence[str]) -> str:
    return " ".join(f"{phrase[:1].upper()}{phrase[1:].rstrip('.')}." for phrase in phrases)


def _of_hint(one: Hint, words: Words) -> _Figures:
    reply = ""
    if one.reply is not None:
        what, percent = words.text(one.reply.text), round(100 * one.reply.share)
        reply = words.text(Message("hint.reply", {"what": what, "percent": percent}))
    return _Figures(
        one.action, one.win, one.error, one.is_best, False, one.share, one.war, one.score, one.reason, reply
    )


def _reply(said: Message | None, words: Words) -> str:
    return "" if said is None else words.text(Message("explained.reply", {"what": said}))


def _table(game: Game, view: State, side: int, figures: Sequence[_Figures], words: Words) -> ExplainedOptions:
    safest = min((one.war or 0.0 for one in figures), default=0.0)
    choices = tuple(_row(game, view, side, one, safest, words) for one in figures)
    keys = ("choice", "share", "win", "why", "details", "best", "taken")
    labels = {key: words.sentence(Message(f"explained.{key}")) for key in keys}
    is_exact = not any(one.error for one in figures)
    table = ExplainedOptions(choices, labels, "" if is_exact else words.text(Message("explained.error")))
    labels["folded"] = words.sentence(Message("explained.folded", {"n": len(table.folded)}))
    return table


def _row(game: Game, view: State, side: int, one: _Figures, safest: float, words: Words) -> ExplainedChoice:
    score = ""
    if one.score is not None:
        lead = format_decimal(round(one.score, 1) or 0.0, "+0.0;\N{MINUS SIGN}0.0", locale=words.language)
        score = words.sentence(Message("hint.score", {"lead": lead}))
    war = words.sentence(Message("hint.war", {"percent": ceil(100 * one.war)})) if one.war else ""
    reason = reason_said(game, view, side, one.action, words, one.reason, score)
    if war and (one.war or 0.0) - safest >= MIN_WAR:
        reason, war = f"{war} {reason}".rstrip(), ""
    args = {"percent": round(100 * one.win), "error": ceil(100 * one.error)}
    share = None if one.share is None else round(100 * one.share)
    return ExplainedChoice(
        one.action,
        words.sentence(game.narrator.describe(view, side, one.action)),
        one.is_best,
        one.is_taken,
        share,
        args["percent"],
        "" if share is None else words.text(Message("explained.percent", {"n": share})),
        words.text(Message("explained.wins", args)),
        reason,
        tuple(said for said in (war, "" if score and score in reason else score, one.reply) if said),
    )
