"""The help of `brink` in four languages, its old names, and what `brink bench` prints."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
import typer
from babel.messages.pofile import read_po

from brinkmanship.cli import COMMANDS, MOVED, app
from brinkmanship.cli.help import PANELS, TITLES, TITLES_WITH_A_GAP, text_of_option
from brinkmanship.engine.message import Message
from brinkmanship.lab.diagnostics import speed
from brinkmanship.lab.diagnostics.speed import SpeedFigure
from brinkmanship.text import LANGUAGES, Words
from brinkmanship.text.words import catalogue_file
from support.cli_runner import run

in_every_language = pytest.mark.parametrize("language", LANGUAGES)
in_other_languages = pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])


def catalogue(domain: str, language: str) -> dict[str, tuple[str, ...]]:
    """Every key of a catalogue with its text, or its plural forms."""
    with catalogue_file(domain, language).open("rb") as file:
        return {
            (entry.id if isinstance(entry.id, str) else entry.id[0]): (
                (entry.string,) if isinstance(entry.string, str) else tuple(entry.string)
            )
            for entry in read_po(file)
            if entry.id
        }


def commands() -> dict[str, Any]:
    """The command `brink` and all below it, by their names in the catalogue."""
    for module in COMMANDS.values():
        import_module(f"brinkmanship.cli.commands.{module}")
    group: Any = typer.main.get_command(app)
    return {"brink": group, **below(group)}


def below(group: Any, prefix: str = "") -> dict[str, Any]:
    """All commands in a group, and those in its groups."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        found |= (
            {prefix + name: command, **below(command, f"{prefix}{name}.")}
            if is_group(command)
            else {prefix + name: command}
        )
    return found


def is_group(command: Any) -> bool:
    return hasattr(command, "commands")


def parameters(command: Any) -> list[Any]:
    """All options and arguments of a command, `--help` among them."""
    return list(command.get_params(typer.Context(command, info_name=command.name, help_option_names=["-h", "--help"])))


def flowed(text: str) -> str:
    """A text without frames and line breaks."""
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


@in_every_language
def test_every_command_and_option_has_a_text(language: str) -> None:
    words = Words(language, ("help",))
    for name, command in commands().items():
        assert words.text(Message(f"command.{name}"))
        for parameter in parameters(command):
            assert text_of_option(words, name, parameter.name)


def test_the_catalogue_says_nothing_that_no_command_asks_for() -> None:
    used = {*TITLES.values(), *TITLES_WITH_A_GAP.values()}
    used |= {f"title.{key}" for key in ("usage", "options_here", "command_here", "examples")}
    known = set(catalogue("help", "en"))
    used |= {f"title.panel.{panel}" for panel in PANELS.values()}
    for name, command in commands().items():
        used |= {f"command.{name}", f"command.{name}.more"}
        parts = name.split(".")
        for parameter in parameters(command):
            own = [".".join(("option", *parts[:n], parameter.name)) for n in range(len(parts), -1, -1)]
            used.add(next(key for key in own if key in known))
            used.add(f"placeholder.{parameter.name}")
    assert known - used == set()


@in_other_languages
def test_help_says_nothing_in_english(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 1000)
    monkeypatch.setenv("BRINK_LANG", language)
    here = catalogue("help", language)
    foreign = {
        key: english.partition("{")[0].rstrip(". ")
        for key, (english, *_) in catalogue("help", "en").items()
        if english not in here[key]
    }
    for name in commands():
        shown = run(*() if name == "brink" else name.split("."), "--help")
        assert shown.code == 0
        said = flowed(shown.out)
        assert [key for key, english in foreign.items() if re.search(rf"(?<!\w){re.escape(english)}(?!\w)", said)] == []
        assert here[f"command.{name}"][0] in said
        assert here["option.help"][0] in said
        assert here["title.usage"][0] in said


def test_the_command_line_says_the_language_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRINK_LANG", "pl")
    assert "Użycie" in run("games", "--help").out
    for arguments in (("games", "--help", "--lang=de"), ("games", "--lang", "de", "-h"), ("--lang", "de", "--help")):
        assert "Verwendung" in run(*arguments).out
    assert "Usage" in run("games", "--help", "--lang", "xx").out
    assert "Kubakrise" in run("--lang", "de", "games").out
    assert "Карибский" in run("--lang=de", "games", "--lang", "ru").out
    assert "xx" in run("--lang", "xx", "games").err


def test_an_error_shows_the_line_of_usage_in_the_readers_language() -> None:
    refused = run("bench", "--sideways", "--lang", "de")
    assert refused.code == 2
    assert "Verwendung: brink bench [OPTIONEN]" in refused.err
    assert "--sideways" in refused.err


def test_every_command_stands_in_the_module_that_is_loaded_for_it() -> None:
    for name, command in commands().items():
        if not is_group(command):
            words = name.split(".")
            module = COMMANDS.get(" ".join(words[:2])) or COMMANDS[words[0]]
            assert command.callback.__module__ == f"brinkmanship.cli.commands.{module}", name


@in_every_language
def test_the_help_of_brink_lists_each_command_in_one_line(language: str) -> None:
    said = run("--lang", language, "--help").out
    words = Words(language, ("help",))
    for name in dict.fromkeys(name.partition(" ")[0] for name in COMMANDS):
        assert re.search(rf"(?m)^│ {name} +{re.escape(words.text(Message(f'command.{name}')))} *│$", said), name
    for panel in PANELS.values():
        assert f"─ {words.text(Message(f'title.panel.{panel}'))} ─" in said


def test_the_commands_of_brink_are_in_the_order_of_their_panels() -> None:
    names = list(dict.fromkeys(name.partition(" ")[0] for name in COMMANDS))
    assert names == list(PANELS)


def test_the_examples_of_a_command_call_it() -> None:
    for name, command in commands().items():
        if not is_group(command):
            examples = command.epilog.splitlines()
            assert examples, name
            assert all(f"{example} ".startswith(f"brink {name.replace('.', ' ')} ") for example in examples), name


@in_every_language
@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_is_refused_with_the_new_one(old: str, language: str) -> None:
    refused = run("--lang", language, *old.split(), "13-days", "--games", "1")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("brink: ")
    assert refused.err.count("\n") == 1
    assert f"brink {old}" in refused.err
    assert MOVED[old] in refused.err


def test_new_names_are_commands_and_old_ones_are_not() -> None:
    for old, new in MOVED.items():
        assert old not in COMMANDS
        assert new.startswith("python -m benchmarks ") or new.removeprefix("brink ") in COMMANDS


@pytest.mark.process
def test_looking_up_the_help_loads_no_compiler() -> None:
    code = "import sys, brinkmanship.cli.help as h; h.translate_titles(h.help_words()); print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# ---- brink bench


def some_figures(_: object) -> Iterator[SpeedFigure]:
    """Figures without a measurement."""
    yield speed.at_least("random_games", 123_456.0, "games_per_second", 100_000)
    yield speed.at_most("paced.half_within", 12.5, "ms", 5)
    yield SpeedFigure("hostile.refused", 3, "")


def test_figures_are_printed_with_their_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "figures", some_figures)
    assert [flowed(line) for line in run("bench").out.splitlines()] == [
        "random games 123,456 games/s at least 100,000: yes",
        "paced: half within 12.50 ms at most 5: NO",
        "hostile: refused 3.00",
    ]
    told = json.loads(run("bench", "--json").out)["figures"]
    assert [figure["name"] for figure in told] == ["random_games", "paced.half_within", "hostile.refused"]
    assert [figure["reached"] for figure in told] == [True, False, None]


@in_every_language
@pytest.mark.parametrize(
    ("arguments", "key", "said"),
    [
        (("games", "--nothing"), "option", {"what": "--nothing"}),
        (("verify", "a", "b"), "extra", {"what": "b"}),
        (("serve", "--port"), "argument", {"what": "--port"}),
        (("xyz",), "command", {"what": "xyz"}),
    ],
)
def test_what_was_mistyped_is_said_in_the_readers_language(
    language: str, arguments: tuple[str, ...], key: str, said: dict[str, str]
) -> None:
    result = run("--lang", language, *arguments)
    assert result.code == 2
    assert result.err.strip().endswith(Words(language, ("terminal",)).text(Message(f"mistake.{key}", {**said})))
    assert "Error" not in result.err


@in_every_language
def test_a_mistyped_command_is_answered_with_the_nearest_one(language: str) -> None:
    words = Words(language, ("terminal",))
    said = [Message("mistake.command", {"what": "analys"}), Message("mistake.perhaps", {"what": "analyse"})]
    shown = run("--lang", language, "analys")
    assert shown.code == 2
    assert shown.err.strip().endswith(" ".join(map(words.text, said)))


@in_every_language
def test_a_value_that_cannot_be_is_answered_with_those_that_can(language: str) -> None:
    words = Words(language, ("terminal",))
    why = words.text(Message("mistake.range", {"least": 0, "most": 65535}))
    result = run("--lang", language, "serve", "--port", "70000")
    assert words.text(Message("mistake.value", {"what": "--port", "why": why})) in result.err


def test_what_is_missing_is_named_as_the_help_names_it() -> None:
    assert "brink: FILE is missing." in run("verify").err
    assert "brink: DATEI fehlt." in run("--lang", "de", "verify").err


@pytest.mark.parametrize(
    ("variables", "word"),
    [
        ({"LANG": "de_DE.UTF-8"}, "Verwendung"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "pl_PL.UTF-8"}, "Użycie"),
        ({"LANG": "de_DE.UTF-8", "BRINK_LANG": "pl"}, "Użycie"),
        ({"LANG": "fr_FR.UTF-8"}, "Usage"),
        ({"LANG": "C"}, "Usage"),
    ],
)
def test_the_locale_chooses_the_language_unless_brink_lang_does(
    variables: dict[str, str], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert word in run("games", "--help").out
