"""A program that knows only docs/develop/formats.md judges a journal's deals as `commit_reveal.verify` does."""

from __future__ import annotations

import importlib.util
import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from brinkmanship.engine import commit_reveal, journal
from brinkmanship.engine.errors import JournalError
from brinkmanship.engine.journal import Journal
from brinkmanship.engine.match import Match
from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis.rules.steps import combat, diplomatic

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "examples" / "verify_deal.py"


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_deal", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def played(game_id: str, seed: int, version: int = 2, **options: str | bool) -> Journal:
    """A random game with deals of this version, as a table's journal has it. Now and then a step is taken back."""
    game = load_game(game_id, options=options)
    dice = random.Random(seed)
    secret = dice.randbytes(commit_reveal.SECRET_BYTES)
    commitment = commit_reveal.commitment(secret)
    shares = {side: commit_reveal.Share("", None) for side in game.sides}
    for side in game.sides if version == 2 else ():
        added = dice.randbytes(commit_reveal.CONTRIBUTION_BYTES)
        shares[side] = commit_reveal.Share(commit_reveal.pledge(commitment, side, added), added)
    key = commit_reveal.chance_key(secret, {side: share.contribution for side, share in shares.items()})
    match = Match(game)
    commit_reveal.advance(match, key)
    while not match.is_over:
        before = len(match.entries)
        side = dice.choice(sorted(match.pending))
        match.push(dice.choice(match.legal(side)).action, side=side)
        commit_reveal.advance(match, key)
        if dice.random() < 0.1 and not match.in_secret:
            while len(match.entries) > before:
                match.pop()
    return commit_reveal.with_draws(
        journal.of_match(match, commit_reveal.headers(secret, commitment, shares)), match, key
    )


def kinds(record: Journal) -> set[str]:
    """What chance has decided."""
    return {entry.text.split()[0] for entry in record.entries if entry.actor == "chance"}


GAMES = [
    ("13-days", {}, {"deal", "draw"}),
    ("13-minutes", {}, {"draw", "turn_up"}),
    ("ukrainian-crisis", {}, {"draw", "roll"}),
]


@pytest.mark.parametrize(("game_id", "options", "decided"), GAMES)
@pytest.mark.parametrize("version", [1, 2])
def test_the_program_written_from_the_page_finds_every_draw_fair(
    program: ModuleType, game_id: str, options: dict[str, str | bool], decided: set[str], version: int
) -> None:
    for seed in range(2):
        record = played(game_id, seed, version, **options)
        assert decided <= kinds(record)
        drawn = sum(entry.actor == "chance" for entry in record.entries)
        assert (
            program.verify(record.text()) == drawn == commit_reveal.verify(record, load_game(game_id, options=options))
        )


def test_the_worked_example_of_the_page_is_right(program: ModuleType) -> None:
    page = (ROOT / "docs" / "develop" / "formats.md").read_text("utf-8")
    said = dict(re.findall(r"^    (secret|commitment|contribution|pledge|key) +([0-9a-f]{64})", page, re.MULTILINE))
    secret, contribution = bytes.fromhex(said["secret"]), bytes.fromhex(said["contribution"])
    assert commit_reveal.commitment(secret) == said["commitment"]
    assert commit_reveal.pledge(said["commitment"], "us", contribution) == said["pledge"]
    key = commit_reveal.chance_key(secret, {"us": contribution, "ussr": None})
    assert key.hex() == said["key"]
    rows = dict(re.findall(r"^    (place|count|number) +([\d ]+)$", page, re.MULTILINE))
    places, counts, numbers = ([int(number) for number in rows[name].split()] for name in ("place", "count", "number"))
    assert len(places) == 5
    for number_below in (commit_reveal.number_below, program.number_below):
        assert [number_below(key, place, count) for place, count in zip(places, counts, strict=True)] == numbers


def test_the_lists_of_the_page_are_those_of_the_games_and_of_the_program(program: ModuleType) -> None:
    page = " ".join((ROOT / "docs" / "develop" / "formats.md").read_text("utf-8").split())

    def drawn(game_id: str, kind: str, **options: bool) -> list[str]:
        texts = load_game(game_id, options=options).action_texts
        every = texts.values() if isinstance(texts, dict) else texts
        return [text.split()[1] for text in every if text.startswith(f"{kind} ") and len(text.split()) == 2]

    lists = [
        (drawn("13-days", "draw"), program.CARDS_OF_13_DAYS),
        (drawn("13-minutes", "draw"), program.CARDS_OF_13_MINUTES),
        (drawn("ukrainian-crisis", "draw"), program.EVENTS),
    ]
    for ids, of_program in lists:
        assert ids == of_program
        assert ", ".join(ids) in page
    assert drawn("13-days", "deal") == list(program.AGENDAS)
    assert ", ".join(f"{agenda} {copies}" for agenda, copies in program.AGENDAS.items()) in page
    assert drawn("ukrainian-crisis", "deal") == ["small", "medium", "maximum"]
    assert drawn("ukrainian-crisis", "deal", ordinary_cards=True) == [str(rank) for rank in range(1, 10)]
    assert ", ".join(program.BORDER_ZONES) in page
    assert ", ".join(f"{country} {rank}" for country, rank in program.COUNTRY_RANKS.items()) in page


def interpreted(function: Any) -> Any:
    """The plain function: compiled, these two are for compiled callers only (`engine.jit.compile.internal`)."""
    return getattr(function, "py_func", function)


def test_the_program_weighs_several_dice_at_once_as_the_game_does(program: ModuleType) -> None:
    out, weights = np.empty(400, np.int16), np.empty(400, np.int64)
    for dice in range(1, program.MAX_DICE + 1):
        entry = program.Entry(f"1. chance hits 0 ; drawn 0 of {3**dice}", 1)
        count = interpreted(combat.hits_outcomes)(dice, out, weights)
        expected = [((str(hits),), int(weights[hits])) for hits in range(count)]
        assert program.UkrainianCrisis({}).outcomes(entry) == expected
    for dice in (1, 2, 3):
        count = interpreted(diplomatic.sum_outcomes)(dice, out, weights)
        expected = [((str(dice + n),), int(weights[n])) for n in range(count)]
        assert program.UkrainianCrisis({}).sums(dice) == expected


def test_the_program_follows_the_zones_that_have_joined_russia(program: ModuleType) -> None:
    game = program.UkrainianCrisis({})
    for line in (
        "1. chance zone CRI ; drawn 2 of 6",
        "2. chance zone KHA ; drawn 2 of 5",
        "3. chance zone KHA ; drawn 2 of 5",
    ):
        game.outcomes(program.Entry(line, int(line[0])))
    with pytest.raises(program.UnfairError):  # CRI has joined, so it is drawn no more
        game.outcomes(program.Entry("4. chance zone CRI ; drawn 2 of 5", 4))


def tampered(text: str) -> dict[str, str]:
    """A journal changed in every way that must not pass."""
    secret = re.search(r"deal-secret: (\w+)", text)
    added = re.search(r"deal-bytes\.(\w+): (\w+)", text)
    assert secret
    assert added
    other = bytes(32)
    commitment = re.search(r"deal-commitment: (\w+)", text)
    assert commitment
    pledged = re.search(rf"deal-pledge\.{added[1]}: \w+", text)
    assert pledged
    forged = commit_reveal.pledge(commitment[1], added[1], other)
    drawn = re.findall(r"^ *\d+\. chance (?:draw|roll \d$).*$", text, re.MULTILINE)
    first, second = drawn[0], next(line for line in drawn if line.split()[3] != drawn[0].split()[3])
    swapped = {first: first.replace(first.split()[3], second.split()[3]), second: second}
    note = re.search(r"drawn (\d+) of (\d+)", text)
    assert note
    return {
        "another secret": text.replace(secret[1], "00" * 32),
        "another secret, with its commitment": text.replace(secret[1], "00" * 32).replace(
            commitment[1], commit_reveal.commitment(other)
        ),
        "other bytes": text.replace(added[2], other.hex()),
        "other bytes, with their pledge": text.replace(pledged[0], f"deal-pledge.{added[1]}: {forged}").replace(
            added[2], other.hex()
        ),
        "bytes left out": text.replace(added[2], "none"),
        "said to be of version 1": re.sub(r"deal-(version|bytes|pledge).*\n", "", text),
        "a version to come": text.replace("deal-version: 2", "deal-version: 3"),
        "no version": text.replace("deal-version: 2\n", ""),
        "another card": text.replace(first, swapped[first]),
        "another number": text.replace(note[0], f"drawn {int(note[1]) + 1} of {note[2]}", 1),
        "another count": text.replace(note[0], f"drawn {note[1]} of {int(note[2]) + 1}", 1),
    }


@pytest.mark.parametrize("game_id", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_whoever_changes_a_journal_is_found_out_by_both(program: ModuleType, game_id: str) -> None:
    text = played(game_id, 0).text()
    game = load_game(game_id)
    assert program.verify(text) == commit_reveal.verify(journal.parse(text), game)
    for how, changed in tampered(text).items():
        assert changed != text, how
        with pytest.raises(program.UnfairError):
            print(how, program.verify(changed))
        with pytest.raises((commit_reveal.UnfairDealError, JournalError)):
            print(how, commit_reveal.verify(journal.parse(changed), game))


def test_what_cannot_be_checked_is_no_verdict(program: ModuleType) -> None:
    text = played("13-days", 0).text()
    running = re.sub(r"deal-secret.*\n", "", text)
    hidden = re.sub(r"chance draw \w+", "chance draw ?", text, count=1)
    for unknown in (
        "",
        "hello",
        running,
        hidden,
        text.replace("end\n", ""),
        text.replace("game: 13-days", "game: x"),
    ):
        with pytest.raises(program.UncheckableError):
            program.verify(unknown)


@pytest.mark.process
def test_the_program_needs_nothing_but_python(tmp_path: Path) -> None:
    text = played("13-minutes", 0).text()
    told = {}
    for name, content in (("fair", text), ("foul", text.replace("deal-version: 2", "deal-version: 9")), ("none", "x")):
        file = tmp_path / f"{name}.brink"
        file.write_text(content, "utf-8")
        # -I: neither this folder nor PYTHONPATH; -S: no installed packages.
        done = subprocess.run([sys.executable, "-I", "-S", PROGRAM, file], capture_output=True, text=True, check=False)
        told[name] = (done.returncode, done.stdout + done.stderr)
    assert told["fair"][0] == 0
    assert "draws follow" in told["fair"][1]
    assert (told["foul"][0], told["none"][0]) == (1, 2)
