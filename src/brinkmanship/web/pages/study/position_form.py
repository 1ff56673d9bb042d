"""A side's question and choices on pages that are not tables: puzzles and analysis boards."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.drawing import drawing_of
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Decision
from brinkmanship.engine.record import State
from brinkmanship.text import Words, section_of
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.rendering import layout_of
from brinkmanship.web.pages.table.card_text import aim_of, answers_of, hands_of, subject_of
from brinkmanship.web.pages.table.question import QuestionView, names_of
from brinkmanship.web.presentation.choice_groups import choices_of
from brinkmanship.web.presentation.page_words import game_words
from brinkmanship.web.support.errors import IllegalError


def shown_of(
    game: Game, view: State, side: int, decisions: Sequence[Decision], words: Words, own: Words
) -> QuestionView:
    """Return the question of a position for display.

    Args:
        game: the ruleset.
        view: the side's view.
        side: the side to decide.
        decisions: its legal decisions.
        words: texts of the ruleset.
        own: texts of the pages.
    """
    prompt = game.narrator.prompt(view, side)
    groups = [
        group._replace(choices=[choice._replace(pick=None, final=False) for choice in group.choices])
        for group in choices_of(game, view, side, decisions, words, own)
    ]
    return QuestionView(
        prompt=words.sentence(prompt),
        section=section_of(game, prompt),
        aim=aim_of(game, view, side, words),
        subject=subject_of(game, prompt, words),
        answers=answers_of(game, view, side, words, groups),
        groups=groups,
        hands=hands_of(game, view, side, words, own, groups),
        names=names_of(game, groups, words),
    )


async def steps_in(request: Request) -> list[str]:
    """Return the answers of a form to successive questions."""
    form = await request.form()
    steps: list[str] = []
    while (step := form.get(f"step-{len(steps) + 1}")) is not None:
        steps.append(str(step))
    return steps


def decided(game: Game, legal: Sequence[Decision], action: int | None, steps: Sequence[str]) -> Decision:
    """Return the decision chosen in a form: by its action, or by answers to successive questions.

    Raises:
        IllegalError: there is no such choice.
    """
    for decision in legal:
        parts = [answer.id for _, answer in game.action_parts(decision.action).steps]
        if decision.action == action or (action is None and steps and parts == list(steps)):
            return decision
    raise IllegalError("there is no such choice here", key="refused.no_choice")


def ghosts_of(request: Request, who: Person | None, game: Game, view: State, action: int, side: int) -> Response:
    """Return the effect of an action as ghosts for the board that shows `view`."""
    words = game_words(game, language_of(request, who))
    after = game.after(view, action, side)
    ghosts = drawing_of(game).ghost_layer(game, view, after, side, words, layout_of(request))
    return Response(ghosts, media_type="image/svg+xml")
