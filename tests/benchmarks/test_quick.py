"""The quick table: what is shown of the rows, and that it is marked as quick."""

from __future__ import annotations

from benchmarks import quick, rows
from benchmarks.corpora import Missing
from benchmarks.harness import Figure, Grid, Settings

SETTINGS = Settings(1, quick=True, peers=("river",))


def test_a_part_shows_its_figures_tables_and_what_is_missing():
    def figures(settings, skipped):
        assert settings is SETTINGS
        yield Figure("sms_spam, accuracy", 0.99, "")
        yield Figure("sms_spam: River", 3.0, ours="1 s", theirs="3 s")
        yield Grid("MB", ("contestant", "sms_spam"), (("River", "0.5"),))
        raise Missing("no banking77")

    text = quick.render(figures, SETTINGS, "sms_spam: ")
    assert [line.split() for line in text.splitlines()] == [
        ["hardlimit", "compared", "with", "times", "as", "fast"],
        ["River", "1", "s", "3", "s", "3.00", "×"],
        [],
        ["MB"],
        [],
        ["contestant", "sms_spam"],
        ["River", "0.5"],
        ["skipped:", "no", "banking77"],
    ]


def test_the_parts_are_rows_and_the_page_says_that_it_is_quick(monkeypatch, capsys):
    assert {name for name, _, _ in quick.PARTS} <= set(rows.rows())
    monkeypatch.setattr(quick, "PARTS", ())
    assert quick.main() == 0
    said = capsys.readouterr().out
    assert said.startswith("QUICK RUN") and said.count("QUICK RUN") == 2


def test_peers_are_chosen_by_name():
    assert SETTINGS.chosen(["fasttext", "ours", "river"], "ours") == ["ours", "river"]
    assert Settings().chosen(["fasttext", "ours"], "ours") == ["ours", "fasttext"]
