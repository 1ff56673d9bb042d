"""Guided first games: for each game a course of lessons on prepared positions; see `lesson`."""

from __future__ import annotations

LESSONS = {"13-days": "brinkmanship.web.lessons.thirteen_days"}
"""Where the lessons of each game are, imported when they are needed."""


def has_lesson(game_id: str) -> bool:
    """Whether there is a guided first game."""
    return game_id in LESSONS
