"""No text uses a word that ``docs/develop/terms.md`` has replaced by another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import brinkmanship
from brinkmanship.games.registry import kit_of

CATALOGUES = sorted(Path(brinkmanship.__file__).parent.rglob("*.po"))
EVERYWHERE = ("13-days", "13-minutes", "ukrainian-crisis")
SHARED = "(web|terminal|library|account|series|draw|common|players)"
"""The catalogues that belong to no game."""
VISITORS = (
    "(web|players|analysis|account|workshop|branches|puzzles|library|common|series|"
    "matches|ratings|profiles|seeks|tournaments|push|moderation|oidc|daily|solo|board_text|record|sharing|printing)"
)
"""The catalogues that a visitor of the server reads."""
ALL = (".+", *EVERYWHERE)
"""Every catalogue, and the rules pages."""
FORBIDDEN = [
    ("ru", (*EVERYWHERE, SHARED), r"соперник|[Вв]осстановлено[ ,(]|на руке"),
    ("ru", ("ukrainian-crisis", SHARED), r"\b[Кк]ост(и|ей|ями)\b"),
    ("de", (SHARED,), r"Wählen Sie|Auslegung"),
    ("en", ("(library|web|faults)",), r"reason, in English"),
    ("de", ("(faults|help|lab|web|library|account|terminal)",), r"\bJournal"),
    ("pl", (SHARED,), r"\b[Ll]ink|\bkraj(u|e|ów)?\b|odtworzon|zalogowany"),
    ("ru", ("13-days",), r"Телевидень|в открытую|\bкубик"),
    ("ru", ("13-minutes",), r"\bдобавьте|\bдобавить \{|\bжетон|вызвал[аи]? войну"),
    ("ru", ("ukrainian-crisis",), r"[Пп]рисоедин|клетк|спецназначения|специального назначения"),
    ("de", ("13-days", "13-minutes"), r"\{n\} Ansehen\b"),
    ("de", ("13-days", "13-minutes"), r"[Ll]ege \{then\} \{|[Ll]egen oder entfernen|[Ll]egt oder entfernt"),
    ("de", ("13-minutes",), r"Militär-?[Gg]ebiete|kommen beiseite|auf die ich lege"),
    ("de", ("ukrainian-crisis",), r"\bAnschluss|angeschlossen|\b[Ee]rholen|\b[Ee]rholung"),
    ("pl", ("13-minutes",), r"„Potem”|uchwyt|nie (umieszczaj|usuwaj|przenoś|przesuwaj|bierz) nic\b"),
    ("pl", ("ukrainian-crisis",), r"^SS$|odtworzon|swoją połowę"),
    ("en", EVERYWHERE, r"(?<!your )(?<!their )(?<!leader’s )\bown (cube|marker|Command)s?\b"),
    ("en", EVERYWHERE, r"\b([Aa]n|one|each|with|of) own\b|ethnic colour|\b[Rr]eckon|\bdear(est|er)?\b"),
    ("en", (*EVERYWHERE, "(analysis|balance|draw)"), r"\b(up to|at least|at most) so many\b|dearest|\bin balance\b"),
    ("en", (VISITORS,), r"\b([Aa]nybody|[Aa]new|so many|[Tt]aking back|onlookers?)\b|\bgames? played on\b|\bdearest\b"),
    ("en", (VISITORS,), r"\b[Tt]urn notices?\b|(?<![Ee]-)\b[Mm]ails?\b|[Cc]hanged cards|\} %"),
    (
        "en",
        ("faults",),
        r"there already|(?<!there )\bis no (action|budget|data|date|entry|file|game|head|value)|stands? there",
    ),
    ("en", EVERYWHERE, r"\bstart(s|ed)? (the |a )?(nuclear )?war\b|\b[Ww]ar,? started\b"),
    ("en", ("13-days",), r"\b[Uu]ses? (the|its) Event\b"),
    ("en", ALL, r"\}[ \u00a0]:[ \u00a0]\{|\ba text (in|is) (a )?quot"),
    ("en", (VISITORS,), r"[Dd]aily deal|[Ss]olo (campaign|diary)|[Oo]pen cards|[Dd]uplicate game|[Yy]our profile says"),
    ("en", ALL, r"\b[Ww]ar is checked(?! for)|United States (have|begin|support)\b|\brolls? 1 dice\b"),
    (
        "ru",
        ALL,
        r"[Пп]овестк|родн(ая|ой) (зон|для)|по одному разу|[Вв]ойна проверя|проверя\w+ (ядерная )?война|\bВведи\b",
    ),
    ("ru", ALL, r"[Зз]ерно случайност|этническ|\bделени(е|я|ем)\b"),
    (
        "ru",
        (VISITORS, "(help|terminal|balance|faults)"),
        r"[Пп]родолженн\w+ парти|столько, сколько можно|[Пп]овтор\w* игры|\b[Оо]пци(я|и|ю|й)\b|\bмир(ов|ах|ы)\b",
    ),
    ("ru", ("(analysis|library|help|daily|matches|profiles)",), r"[Бб]ез случая|[Сс]лучай( —|:|,) |\bудача для"),
    ("ru", (VISITORS, "(help|terminal|balance)", *EVERYWHERE), r"[\d}] ?%(?<!\u00a0%)"),
    ("ru", ("13-minutes",), r"\b[Зз]апас"),
    ("ru", ("ukrainian-crisis", "players"), r"разворачив|\bв поддержку\b|\bво вмешательстве\b"),
    ("ru", ("ukrainian-crisis",), r"\b[Пп]олн\w+ (подразделени|регулярн|иррегулярн|сторон)|[Тт]вёрды\w+ числ"),
    (
        "de",
        ALL,
        r"geplatziert|\bNachspiel|[Vv]iolett|Startwert(?!e\b)|bis zu so viel|[Aa]lle drei deiner|Krieg (wird )?geprüft",
    ),
    ("de", ("(terminal|faults|web)",), r"\b(Regeln|Computerspieler|Strategie) (werden |sind )?(noch )?übersetzt"),
    ("de", (VISITORS,), r"(?<!-)\bMails?\b|[Gg]eänderte Karten|\bAuftrag|jede Antwort gewinnt|auf dem Plan\b"),
    ("de", (VISITORS, "(faults|help|terminal|balance)"), r"[Ww]eitergespielten? Partie|\bWelten\b"),
    (
        "de",
        (VISITORS, "(faults|help|watch|passkeys|annotated|terminal)"),
        r"Aufgaben? (gelöst|und Lektionen)|gelöste Aufgaben|Tagespartie|Verteilung des Tages|Bestenliste|Spielstein"
        r"|Ansetzung|Fingerabdruck der Geheimzahl(?!, ihr Siegel)"
        r"|ohne Wertung|Zusammenfassung\b(?! mehrerer)|Auf Zeit\b|\bGesuch",
    ),
    ("de", EVERYWHERE, r"auf dem Plan\b|\bin Kuba \(|in beiden Kubas"),
    ("de", ("ukrainian-crisis",), r"\b([Dd]ie|eine) (Irreguläre|Reguläre)\b|ethnische Farbe"),
    ("pl", ALL, r"macierzyst|wojn\w+ jądrow|sprawdza się wojnę|[Ww]ojnę (nuklearną )?sprawdza|etniczn"),
    ("pl", ("13-minutes", "ukrainian-crisis", "(balance|analysis|players)"), r"\b[Ee]tap"),
    (
        "pl",
        (VISITORS, "(help|terminal|faults)"),
        r"\b[Gg](ra|ry|rę|rze|rą|ier|rach) na ranking|\b([Tt]woje|[Oo]statnie|zakończon\w+) g(ra|ry|ier)\b"
        r"|\b([Nn]owa|[Tt]a|[Nn]astępna) gra (jest|jeszcze|się)|wyszukiwani\w+ przeciwnik",
    ),
    ("pl", ("ukrainian-crisis",), r"żąda[ćjsm]?\b|\b[Pp]ełn\w+ (jednost|stron)|[Ww]yrzuc\w+ \d? ?[Pp]unkt"),
]
"""A language, the games, and what none of their texts may say."""


def texts(game: str, language: str) -> list[str]:
    """Every text of a game in one language: its catalogues and its rules."""
    found = []
    for file in CATALOGUES:
        if re.fullmatch(rf"{game}(-rulings|-pages|-lessons)?\.{language}\.po", file.name):
            with file.open("rb") as opened:
                for entry in read_po(opened):
                    found += [entry.string] if isinstance(entry.string, str) else list(entry.string)
    if game not in EVERYWHERE:
        return found
    return [*found, (kit_of(game).folder / "words" / f"rules.{language}.md").read_text("utf-8")]


@pytest.mark.parametrize(("language", "games", "word"), FORBIDDEN)
def test_no_text_uses_a_replaced_word(language: str, games: tuple[str, ...], word: str) -> None:
    for game in games:
        said = texts(game, language)
        assert len(said) > 100
        hits = [hit[0] for text in said for hit in re.finditer(rf".{{0,40}}(?:{word}).{{0,20}}", text)]
        assert hits == [], game
