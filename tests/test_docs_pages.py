"""The pages that are made from docstrings, and the tables that are written by hand."""

import re
import sys
from pathlib import Path

import pytest

from hardlimit import learner, reports, rules
from hardlimit.cli import commands
from hardlimit.readers import formats, numeric_formats

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

import choice_pages  # noqa: E402
import command_pages  # noqa: E402
import docstring_parts  # noqa: E402
import rule_pages  # noqa: E402


@pytest.mark.parametrize("name", rules.names())
def test_a_rule_says_what_its_page_needs(name):
    cls = type(rules.get(name))
    parts = docstring_parts.parse_docstring(cls.__doc__)
    assert parts.summary.endswith(".") and len(parts.summary) < 90
    assert "::" in parts.statement
    assert set(parts.sections) == set(docstring_parts.HEADINGS), "see docs/adding-a-rule.md"
    assert set(parts.parameters) == set(rules.get(name).get_params())
    assert ">>>" in parts.example and re.search(r"\d", parts.example.splitlines()[-1])
    assert re.search(r"\(\d{4}\)", parts.sections["Source"])


def test_a_page_has_every_part_once_and_nothing_twice():
    page = rule_pages.build_pages()["margin-perceptron.rst"]
    for heading in ("The rule", "Parameters", *docstring_parts.HEADINGS, "Compatible choices"):
        assert len(re.findall(rf"^{heading}\n[-~]+$", page, re.M)) == 1
    assert "``b = 1``" in page and page.count("required margin, >= 0") == 1


def test_the_index_has_every_rule():
    index = rule_pages.build_pages()["index.rst"]
    for name in rules.names():
        assert f":doc:`{name}`" in index and f"\n   {name}\n" in index + "\n"


def test_a_kind_of_choice_has_a_page_with_each_member():
    pages = choice_pages.build_pages()
    assert {"orders.rst", "schedules.rst", "guards.rst", "readouts.rst", "index.rst"} <= set(pages)
    for member in ("Cyclic", "Shuffled", "Random", "Worst", "Batch"):
        assert f"py:class:: {member}(" in pages["orders.rst"]
    assert "By name: ``alpha-bound``." in pages["guards.rst"]


def test_headings_restrictions_and_parameters_are_taken_apart():
    parts = docstring_parts.parse_docstring(
        "One line.\n\n::\n\n    w <- w\n\na : > 0; and\n    more.\nb : < 1.\n\n"
        "Guarantee, on separable\nexamples: at most.\n\nMore of it.\n\n"
        "Examples\n--------\n>>> 1\n1\n"
    )
    assert parts.parameters == {"a": "> 0; and more.", "b": "< 1."}
    assert parts.sections == {"Guarantee": "*On separable examples:* at most.\n\nMore of it."}
    assert (parts.statement, parts.example) == ("::\n\n    w <- w", ">>> 1\n1")


def test_the_table_of_formats_is_complete():
    page = (DOCS / "formats.md").read_text()
    for name, known in {**formats(), **numeric_formats()}.items():
        row = re.search(rf"^\| `{name}` \|.*$", page, re.M)
        assert row and all(f"`{extension}`" in row[0] for extension in known.extensions)


def test_the_table_of_stops_is_complete():
    said = (DOCS / "guides" / "engineer.md").read_text()
    reasons = re.findall(r"^([a-z_]+) +[a-z].*$", learner.__doc__.split("=\n", 1)[1], re.M)
    assert len(reasons) >= 6
    for reason in reasons:
        assert f"| `{reason}` |" in said


def test_the_table_of_scalars_is_complete():
    page = (DOCS / "adding-a-rule.md").read_text()
    scalars = re.findall(r"^``(\w+)`` +\S", rules.__doc__, re.M)
    assert len(scalars) >= 8
    for scalar in scalars:
        assert f"`{scalar}`" in page


def test_the_table_of_the_report_is_complete():
    page = (DOCS / "report.md").read_text().lower()
    titles = [section.TITLE for section in reports.sections()]
    assert len(titles) > 10
    for title in titles:
        assert title.lower() in page


def tables(page):
    """The rows of each table of a page, outside of blocks, with the number of its bars."""
    inside, table = False, []
    for line in [*page.read_text().splitlines(), ""]:
        inside ^= line.startswith(("```", ":::"))
        if line.startswith("|") and not inside:
            table.append((line, len(re.findall(r"(?<!\\)\|", line))))
        elif table:
            yield table
            table = []


def test_no_bar_cuts_a_cell():
    pages = [*DOCS.glob("*.md"), *DOCS.glob("guides/*.md"), *DOCS.parent.glob("*.md")]
    found = [table for page in pages for table in tables(page)]
    assert len(found) > 10
    for table in found:
        for line, bars in table:
            assert bars == table[0][1], line


def test_every_page_is_in_the_table_of_contents_once():
    index = (DOCS / "index.md").read_text()
    listed = re.findall(r"^([\w/-]+)$", index, re.M)
    assert len(listed) == len(set(listed))
    pages = {str(p.relative_to(DOCS))[:-3] for p in DOCS.glob("**/*.md")}
    pages = {p for p in pages if not p.startswith(("_build", "generated"))}
    assert pages - {"index"} <= set(listed)


def test_links_between_pages_lead_somewhere():
    for page in DOCS.rglob("*.md"):
        if {"_build", "generated"} & set(page.relative_to(DOCS).parts):
            continue
        for target in re.findall(r"\]\(([^)#:\s]+)[#)]", page.read_text()):
            known = (page.parent / target).resolve()
            assert known.exists() or "generated" in known.parts, f"{page.name} -> {target}"


@pytest.mark.slow  # `make docs` draws them too
@pytest.mark.parametrize("name", rules.names())
def test_each_rule_is_drawn_on_the_set_of_all_pages(name):
    page = rule_pages.build_pages()[f"{name}.rst"]
    assert page.count(".. picture:: steps\n") == 1
    session = {}
    exec(rule_pages.DRAWN.format(rule=name), session)
    assert session["picture"].name == "steps" and session["picture"].data["corrections"]
    assert f'"{name}"' in page


def test_each_command_has_a_page_with_every_option():
    pages = command_pages.build_pages()
    assert set(pages) == {f"{name}.rst" for name in (*commands.names(), "index")}
    for name in commands.names():
        page = pages[f"{name}.rst"]
        assert f":doc:`hardlimit {name} <{name}>`" in pages["index.rst"]
        for option in commands.load(name).params:
            assert option.param_type_name == "argument" or option.opts[-1] in page
        assert re.search(r"^.. option:: (-h, )?--help\n\n   \w", page, re.M)


def test_a_page_of_a_command_has_its_words_and_examples_as_they_are_written():
    page = command_pages.build_pages()["predict.rst"]
    assert "hardlimit predict [OPTIONS] MODEL [FILE...]" in page
    assert '\n   echo "win a prize now" | hardlimit predict spam.hardlimit\n   hardlimit' in page
    assert ".. option:: --top N\n\n   Show the N best classes" in page
    assert "Longest line; default 67108864. [x>=1]" in page
    assert "FILE of words" in (train := command_pages.build_pages()["train.rst"])
    assert ".. option:: --header, --no-header\n" in train and "LABEL=WEIGHT,..." in train
    # Outside of code two dashes would become one.
    assert "need no ``--text`` and ``--label``." in train
