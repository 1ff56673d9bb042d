"""Our own Markdown texts as HTML: tables can be read where there is no room for columns."""

from __future__ import annotations

from brinkmanship.web.support.markdown import html


def test_every_cell_is_labelled_with_its_column_and_every_row_has_a_heading() -> None:
    table = html('| Unit | *Combat* "Value" | |\n|---|---|---|\n| ground | 2 | 3 |')
    assert '<th scope="row">ground</th>' in table
    assert '<td data-column="Combat &quot;Value&quot;">2</td>' in table
    assert "<td>3</td>" in table
