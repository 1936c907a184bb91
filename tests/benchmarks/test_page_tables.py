"""The tables of results in the pages are those that are stored, and the text quotes them."""

import pytest

from benchmarks import page_tables, store

PAGE = """\
Errors fall from 12.5 to 9.0 % with `C=0.5`.

<!-- results of noise: Errors in % -->
| stale |
<!-- end of results -->

```console
$ 3.75
```
"""
ROWS = {
    "noise": {"grids": [{"title": "Errors in %", "head": ["a", "b"], "lines": [["12.5", "9.0"]]}]}
}


@pytest.mark.parametrize("page", page_tables.pages(), ids=lambda page: page.name)
def test_a_page_shows_the_stored_tables_and_its_text_quotes_them(page):
    text = page.read_text()
    assert page_tables.fill(text, store.read()) == text, "run: make readme"
    assert page_tables.unsupported(text) == []


def test_the_pages_that_rest_on_measurements_are_found():
    assert {"which-rule.md", "imbalance.md"} <= {page.name for page in page_tables.pages()}


def test_a_stale_table_is_replaced():
    filled = page_tables.fill(PAGE, ROWS)
    assert "| a | b |\n| --- | --- |\n| 12.5 | 9.0 |\n<!-- end of results -->" in filled
    assert "stale" not in filled and page_tables.fill(filled, ROWS) == filled


def test_a_number_that_no_table_has_is_found():
    filled = page_tables.fill(PAGE, ROWS)
    assert page_tables.unsupported(filled) == []
    assert page_tables.unsupported(filled.replace("to 9.0", "to 9.1")) == ["9.1"]
