"""Generate examples/13-days-playthrough.brink from the game in tests/data: python tools/playthrough_journal.py"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from brinkmanship.engine import journal  # noqa: E402
from brinkmanship.engine.game import CHANCE  # noqa: E402
from brinkmanship.engine.match import Match  # noqa: E402
from brinkmanship.games.registry import load_game  # noqa: E402
from support.thirteen_days.playthrough import playthrough, playthrough_entries  # noqa: E402

HEADERS = {
    "event": "the play-through printed in the rulebook, told in its own steps",
    "us": "US",
    "ussr": "USSR",
    "note": "order within deals and the never drawn cards are free; see docs/rules/13-days.md, section 3",
}


def main() -> None:
    """Replay the recorded game by the rules and write it, with a comment above each of its steps."""
    game = load_game("13-days")
    match = Match(game)
    names = {"chance": CHANCE, "rules": CHANCE, "us": 0, "ussr": 1}
    steps = playthrough()["step"]
    comments: dict[int, list[str]] = {}
    last = 0
    begins = 0
    for entry in playthrough_entries():
        actor = names[entry.actor]
        match.push(entry.text, side=actor if actor != CHANCE else None)
        if entry.reaches is not None:
            comments[begins] = [_comment(step) for step in steps[last + 1 : entry.reaches + 1]]
            last, begins = entry.reaches, len(match.entries)
    record = journal.of_match(match, HEADERS)
    record.entries = [replace(entry, above=tuple(comments.get(at, ()))) for at, entry in enumerate(record.entries)]
    record.write(ROOT / "examples" / "13-days-playthrough.brink")


def _comment(step: dict[str, object]) -> str:
    note = f": {step['note']}" if "note" in step else ""
    return f"step {step['seq']}, round {step['round']}, {str(step['kind']).replace('_', ' ')}{note}"


if __name__ == "__main__":
    main()
