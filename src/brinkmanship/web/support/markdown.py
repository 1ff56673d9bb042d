"""Render our own Markdown texts to HTML: paragraphs, lists, emphasis, and tables for narrow screens."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_markdown = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")


def html(text: str) -> Markup:
    """Return the text as HTML; HTML in the text is escaped."""
    tokens = _markdown.parse(text)
    _name_tables(tokens)
    return Markup(_markdown.renderer.render(tokens, _markdown.options, {}))


def _name_tables(tokens: list[Token]) -> None:
    """Make the first cell of each row a heading, label the others with their column, and remove empty headings."""
    in_head = first_in_row = False
    empty_head: list[Token] = []
    columns: list[str] = []
    column = 0
    for number, token in enumerate(tokens):
        if token.type == "thead_open":
            in_head, empty_head, columns = True, [token], []
        elif in_head and token.type != "thead_close":
            empty_head.append(token)
            if token.type == "th_open":
                columns.append(_plain(tokens[number + 1]))
            if token.type == "th_open" and not tokens[number + 1].content:
                token.tag = tokens[number + 2].tag = "td"
            elif token.type == "th_open":
                token.attrSet("scope", "col")
        elif token.type == "thead_close":
            in_head = False
            if not any(cell.content for cell in empty_head if cell.type == "inline"):
                _hide([*empty_head, token])
        elif token.type == "tr_open":
            first_in_row, column = True, 0
        elif token.type == "td_open":
            if first_in_row:
                first_in_row = False
                token.tag = tokens[number + 2].tag = "th"
                token.attrSet("scope", "row")
            elif columns[column]:
                token.attrSet("data-column", columns[column])
            column += 1


def _plain(cell: Token) -> str:
    """Return the text of a cell without its emphasis."""
    return "".join(part.content for part in cell.children or ())


def _hide(tokens: Sequence[Token]) -> None:
    for token in tokens:
        token.hidden = True
        token.children = []
        token.content = ""
        if token.type != "inline":
            token.type = "hidden"
            token.tag = ""
