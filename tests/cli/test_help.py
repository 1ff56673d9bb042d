"""The help of `brink` and what `brink bench` and `brink endure` print, in four languages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from babel.messages.pofile import read_po

import brinkmanship.benchmarks
from brinkmanship.benchmarks import bench, endurance
from brinkmanship.benchmarks.bench import Figure
from brinkmanship.benchmarks.endurance import Report
from brinkmanship.cli import COMMANDS, app
from brinkmanship.cli.help import TITLES, TITLES_WITH_A_GAP, text_of_option
from brinkmanship.engine.message import Message
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
    """The command `brink` and all below it."""
    for module in COMMANDS.values():
        import_module(f"brinkmanship.cli.commands.{module}")
    group: Any = typer.main.get_command(app)
    below = {
        f"{name}.{one.name}": one
        for name, command in group.commands.items()
        for one in getattr(command, "commands", {}).values()
    }
    return {"brink": group, **group.commands, **below}


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
    for name, command in commands().items():
        used |= {f"command.{name}", f"command.{name}.more"}
        for parameter in parameters(command):
            own = f"option.{name}.{parameter.name}"
            used.add(own if own in known else f"option.{parameter.name}")
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
    found = {
        name.partition(".")[0]: command.callback.__module__
        for name, command in commands().items()
        if name != "brink" and command.callback
    }
    assert found == {name: f"brinkmanship.cli.commands.{module}" for name, module in COMMANDS.items()}


@pytest.mark.process
def test_looking_up_the_help_loads_no_compiler() -> None:
    code = "import sys, brinkmanship.cli.help as h; h.translate_titles(h.help_words()); print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# ---- brink bench and brink endure


def test_every_figure_and_fault_has_a_text_and_no_text_is_left_over() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in Path(brinkmanship.benchmarks.__file__).parent.glob("*.py")
    )
    known = {key for key in catalogue("lab", "en") if key.startswith(("figure.", "unit.", "fault.", "lost."))}
    names = re.findall(r'(?:Figure|at_least|at_most)\(\s*f?"([^"]+)"', source)
    parts = {part for name in names for part in name.split(".") if not part.startswith("{")}
    assert {f"figure.{part}" for part in parts} <= known
    assert {f"fault.{name}" for name in re.findall(r'\("(\w+)", self\.\w+\)', source)} <= known
    quoted = {part for text in re.findall(r'"([\w.{}]+)"', source) for part in text.split(".")}
    assert {key for key in known if key.partition(".")[2] not in quoted} == set()


def some_figures(_: object) -> Iterator[Figure]:
    """Figures without a measurement."""
    yield bench.at_least("random_games", 123_456.0, "games_per_second", 100_000)
    yield bench.at_most("paced.half_within", 12.5, "ms", 5)
    yield Figure("hostile.refused", 3, "")


def test_figures_are_told_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "figures", some_figures)
    assert [flowed(line) for line in run("bench").out.splitlines()] == [
        "random games on one core 123,456 games/s at least 100,000: yes",
        "paced: half within 12.50 ms at most 5: NO",
        "hostile visitors: refused 3.00",
    ]
    assert [flowed(line) for line in run("bench", "--lang", "de").out.splitlines()] == [
        "Zufallspartien auf einem Kern 123.456 Partien/s mindestens 100.000: ja",
        "gemächlich: die Hälfte binnen 12,50 ms höchstens 5: NEIN",
        "feindliche Besucher: abgewiesen 3,00",
    ]
    told = json.loads(run("bench", "--json", "--lang", "de").out)["figures"]
    assert [figure["name"] for figure in told] == ["random_games", "paced.half_within", "hostile.refused"]
    assert [figure["reached"] for figure in told] == [True, False, None]


@in_every_language
def test_the_report_of_faults_is_in_the_readers_language(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lost = [Message("lost.missing", {"table": "t", "side": "us", "action": "event scramble"})]
    report = Report(30.0, 2, "sqlite", 9, lost, ["13-days u"], [], 1, {"worker_killed": 4}, {"503": 2}, [(0.0, 50.0)])

    def endured(*arguments: Any) -> Report:
        arguments[-1](Message("endure.now", {"n": 3, "acknowledged": 9, "fault": Message("fault.worker_killed")}))
        return report

    monkeypatch.setattr(endurance, "endure", endured)
    shown = run("endure", "--lang", language, "--plot", str(tmp_path / "memory.svg"))
    assert shown.code == 1
    said = catalogue("lab", language)
    assert said["fault.worker_killed"][0] in shown.out
    assert said["fault.worker_killed"][0] in shown.err
    assert said["lost.missing"][0].format(table="t", side="us", action="event scramble") in flowed(shown.out)
    assert said["endure.memory"][-1].partition(" ")[0] in (tmp_path / "memory.svg").read_text("utf-8")
    english = catalogue("lab", "en")
    for key in ("endure.acknowledged", "endure.stuck", "endure.growth"):
        assert said[key][0] in shown.out
        assert language == "en" or english[key][0] not in shown.out
    assert json.loads(run("endure", "--json").out)["lost"] == [
        {"what": "missing", "table": "t", "side": "us", "action": "event scramble"}
    ]


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
    said = [Message("mistake.command", {"what": "serv"}), Message("mistake.perhaps", {"what": "serve"})]
    shown = run("--lang", language, "serv")
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
