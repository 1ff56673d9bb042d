"""The annotated record of a game as Markdown."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from brinkmanship.analysis.annotated import Heading, Remark, annotated, plain
from brinkmanship.analysis.report import Analysis, Judgement
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective
from brinkmanship.text import LANGUAGES, words_for
from support.finished_games import over

HEADING = Heading("A game", ("Anna", ""), "2026-11-26", "Anna wins")
HOSTILE = "a*b_c [x](javascript:1) <script> # > | ~~ `code` \\ http://example.org"


@pytest.mark.parametrize("text", [HOSTILE, "1. one", "- two", "= three", "+ four", "5) five"])
def test_markdown_shows_a_text_as_it_is(text: str) -> None:
    html = MarkdownIt("commonmark", {"linkify": True}).render(plain(text))
    shown = re.sub(r"<[^>]+>", "", html).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    assert shown.strip() == text
    assert re.findall(r"<(\w+)", html) == ["p"]


@pytest.mark.parametrize(
    ("game_id", "languages"), [("13-days", LANGUAGES), ("13-minutes", ("ru",)), ("ukrainian-crisis", ("pl",))]
)
def test_every_game_is_told_by_rounds(game_id: str, languages: tuple[str, ...]) -> None:
    seen = Perspective(over(game_id), FULL_INFORMATION)
    texts = [annotated(seen, HEADING, language, {}) for language in languages]
    assert len({text.count("\n- ") for text in texts}) == 1
    for text in texts:
        assert text.startswith("# A game\n\n- **")
        assert "2026\\-" not in text
        assert text.count("\n## ") >= 2
        assert "\n\n\n" not in text


def test_a_remark_stands_after_the_moves_it_is_about_and_none_is_lost() -> None:
    seen = Perspective(over("13-days"), FULL_INFORMATION)
    remarks = {step: [Remark("Clara", f"remark {step}")] for step in range(seen.length + 1)}
    text = annotated(seen, HEADING, "en", remarks)
    found = [int(number) for number in re.findall(r"> \*\*Clara:\*\* remark (\d+)", text)]
    assert found == list(range(seen.length + 1))


def judged(match: Match) -> Judgement:
    """The last decision of a game with a choice, as if it had been a blunder."""
    for first in range(len(match.entries) - 1, -1, -1):
        entry, before = match.entries[first], match.until(first)
        others = [each.text for each in before.legal(entry.actor) if each.text != entry.text]
        if others:
            figures = {"loss": 0.2, "error": 0.011, "over_reference": 0.0, "over_error": 0.0, "fair": 0.5}
            taken, best = entry.text, others[0]
            return Judgement(
                first, entry.actor, "ask.play", taken, best, (), **figures, is_counted=True, mark="blunder"
            )
    raise AssertionError("every game has a choice")


@pytest.mark.parametrize("language", LANGUAGES)
def test_costly_decisions_are_told_to_those_who_may_know_them(language: str) -> None:
    match = over("13-days", 4)
    one = judged(match)
    sides = match.game.sides
    found = Analysis(2, "13-days", 1, sides, 1, 8, 8, 8, "", 1.0, 0.5, (), (one,))
    mark = words_for(match.game, language).with_domain("analysis").text(Message("mark.blunder"))
    text = annotated(Perspective(match, FULL_INFORMATION), HEADING, language, {}, found)
    assert "20 ± 2" in text
    assert mark in text
    assert "20 ± 2" not in annotated(Perspective(match, OBSERVER), HEADING, language, {}, found)


def test_a_viewer_reads_only_what_they_know() -> None:
    match = over("13-days")
    public = annotated(Perspective(match, OBSERVER), HEADING, "en", {})
    assert public != annotated(Perspective(match, FULL_INFORMATION), HEADING, "en", {})
    assert "|" not in public  # the score may name hidden agendas
