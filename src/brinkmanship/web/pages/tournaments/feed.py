"""News of a tournament as an Atom feed (RFC 4287)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from xml.etree import ElementTree

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.message import Message
from brinkmanship.store.tournaments import Record
from brinkmanship.text import Words
from brinkmanship.tournament.event import OVER
from brinkmanship.tournament.standings import standings
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import public_url
from brinkmanship.web.pages.tournaments.points import points_text
from brinkmanship.web.pages.tournaments.tournament_lists import name_of
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.services import services_of

router = PageRouter()

MAX_NEWS = 50
ATOM = "http://www.w3.org/2005/Atom"


class News(NamedTuple):
    """An entry of the feed."""

    key: str
    at: float
    title: str


@router.get("/tournaments/{tournament_id}/feed")
async def feed(request: Request, who: Person | None, tournament_id: str) -> Response:
    """Return the news of a tournament: its start, results of matches and its end."""
    record = await services_of(request).tournaments.read(tournament_id)
    own = page_words(language_of(request, who))
    url = f"{public_url(request)}/tournaments/{tournament_id}"
    news = news_of(record, own)
    text = feed_text(name_of(record.tournament, own), url, record.tournament.created_at, news)
    return Response(text, media_type="application/atom+xml", headers={"cache-control": "private"})


def news_of(record: Record, own: Words) -> list[News]:
    """Return the news of a tournament, newest first."""
    tournament, name = record.tournament, name_of(record.tournament, own)
    news = [News("open", tournament.created_at, own.text(Message("tournament.news.open", {"name": name})))]
    if tournament.begun_at is not None:
        news.append(News("begun", tournament.begun_at, own.text(Message("tournament.news.begun", {"name": name}))))
    for match in record.event.matches:
        times = [at for (place, _), at in record.decided.items() if place == match.place]
        if match.second is None or match.is_struck or match.decided < max(2, len(match.games)):
            continue
        people = [record.names[person] or own.sentence(Message("player.somebody")) for person in match.people]
        first, second = map(points_text, match.points)
        said = {"first": people[0], "second": people[1], "points": first, "other": second}
        key = ".".join(map(str, match.place))
        news.append(News(key, max(times), own.text(Message("tournament.news.match", said))))
    if tournament.status == OVER and tournament.finished_at is not None:
        winner = record.names[standings(record.event)[0].person] or own.sentence(Message("player.somebody"))
        said = {"name": name, "who": winner}
        news.append(News("over", tournament.finished_at, own.text(Message("tournament.news.over", said))))
    return sorted(news, key=lambda each: -each.at)[:MAX_NEWS]


def feed_text(name: str, url: str, made_at: float, news: Sequence[News]) -> bytes:
    """Return an Atom feed.

    Args:
        name: title of the feed.
        url: page that its entries link to; their ids follow from it.
        made_at: Unix time of the feed if it has no entries (s).
        news: its entries, newest first.
    """
    root = ElementTree.Element("feed", xmlns=ATOM)
    _head(root, url, name, news[0].at if news else made_at)
    ElementTree.SubElement(root, "link", href=f"{url}/feed", rel="self")
    author = ElementTree.SubElement(root, "author")
    ElementTree.SubElement(author, "name").text = "Brinkmanship"
    for each in news:
        entry = ElementTree.SubElement(root, "entry")
        _head(entry, f"{url}#{each.key}", each.title, each.at)
        ElementTree.SubElement(entry, "link", href=url)
    text: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return text


def _head(element: ElementTree.Element, key: str, title: str, at: float) -> None:
    ElementTree.SubElement(element, "id").text = key
    ElementTree.SubElement(element, "title").text = title
    updated = datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    ElementTree.SubElement(element, "updated").text = updated
