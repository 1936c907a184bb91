"""Turns, verdicts, the store and the report."""

import doctest

import pytest

from benchmarks import contestants as contestants_module
from benchmarks import corpora, full_size, harness, readme, readme_table, report, store, tables
from benchmarks.__main__ import render, render_figure
from benchmarks.contestants import contestants
from benchmarks.harness import Figure, Grid, Times, time_by_turns
from benchmarks.rows import rows


def test_contestants_take_turns():
    order = []
    times = time_by_turns({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b"] * 3
    assert len(times.seconds["a"]) == 3


def test_a_ratio_is_one_of_medians():
    times = Times({"slow": [8.0, 6.0, 100.0], "fast": [2.0, 0.1, 3.0]})
    assert times.ratio("slow", "fast") == 4.0


@pytest.mark.parametrize(
    ("measured", "target", "sense", "reached"),
    [
        (4.0, 4.0, ">=", True),
        (3.9, 4.0, ">=", False),
        (1.6, 1.5, "<=", False),
        (1, None, "<=", None),
    ],
)
def test_the_verdict_of_a_figure(measured, target, sense, reached):
    assert Figure("f", measured, target=target, sense=sense).reached is reached


def test_a_row_replaces_its_own_results_only(tmp_path):
    path = tmp_path / "results.json"
    store.store_row("a", "A", [Figure("old", 1.0)], [], path)
    store.store_row("b", "B", [Figure("kept", 2.0)], ["peer is not installed"], path)
    store.store_row("a", "A", [Figure("new", 3.0)], [], path)
    stored = store.read(path)
    assert [f["name"] for f in stored["a"]["figures"]] == ["new"]
    assert [f["name"] for f in stored["b"]["figures"]] == ["kept"]
    assert stored["b"]["skipped"] == ["peer is not installed"]
    assert stored["a"]["machine"]["processor"]


def test_what_was_not_reached_is_said_and_who_was_skipped_is_named(tmp_path):
    path = tmp_path / "results.json"
    missed = Figure("words", 3.0, target=15.0, theirs="1 MB/s", remark="half the machine")
    store.store_row("features", "Features", [missed], ["vw is not installed"], path)
    text = report.render_results(store.read(path))
    assert "| words |  | 1 MB/s | 3.00 × | ≥ 15.0 × | **no** | half the machine |" in text
    assert "Skipped: vw is not installed" in text
    assert "NO" in render_figure(missed)


def test_the_table_of_the_readme_holds_ranges_and_every_contestant(tmp_path):
    path = tmp_path / "results.json"
    peer = "HashingVectorizer 1 MB/s"
    ratios = [
        Figure("words, imdb", 15.0, theirs=peer),
        Figure("words, enron", 20.0, theirs=peer),
        Figure("words, enron: rate over that of before", 1.25, theirs="before 1 MB/s"),
        Figure("limit, scattered", 1.75, theirs="bare loop 9 ms"),
        Figure("rate", 7e5, "/s"),
    ]
    store.store_row("features", "Features", ratios, [], path)
    peer = Figure("imdb: LinearSVC", 9.0, ours="0.9160, 3 s", theirs="0.9156, 900 ms")
    store.store_row("text_to_predictions", "Predictions", [peer], [], path)
    text = readme.replace_table(
        "above\n<!-- figures: made -->\nstale\n<!-- end of figures -->\nbelow\n",
        "figures",
        readme_table.comparison(store.read(path)),
    )
    assert all(word not in text for word in ("stale", "rate", "1.25", "scattered", "1.75"))
    assert "| Features: words | 15.0 to 20.0 |" in text
    ours, theirs = "**0.9160**<br>3&nbsp;s", "0.9156<br>**900&nbsp;ms**"
    assert f"| hardlimit | {ours} |\n| LinearSVC | {theirs} |" in text
    assert text.startswith("above\n") and text.endswith("\nbelow\n")


def test_the_best_of_all_is_bold_where_few_are_shown(tmp_path):
    path = tmp_path / "results.json"
    figures = [
        Figure(f"imdb: {name}", 9.0, ours="0.9160, 3 s", theirs=theirs)
        for name, theirs in zip(
            [*readme_table.SHORT[1:], "quick"], ["0.9, 5 s"] * 3 + ["0.8, 1 s"], strict=True
        )
    ]
    store.store_row("text_to_predictions", "Predictions", figures, [], path)
    text = readme_table.short_table(store.read(path))
    assert "| hardlimit | **0.9160**<br>3&nbsp;s |" in text and "quick" not in text


def test_the_readme_shows_models_in_use_one_line_a_contestant(tmp_path):
    path = tmp_path / "results.json"
    rate = Figure("imdb: River", 9.0, ours="9 texts/s", theirs="1 texts/s")
    other = Figure("sms_spam: River", 9.0, ours="8 texts/s", theirs="2 texts/s")
    store.store_row("throughput", "Use", [rate, other], [], path)
    late = Figure("20newsgroups: River, from Python", 5.0, ours="90 ms", theirs="2 s")
    store.store_row("latency", "Latency", [late], [], path)
    text = readme_table.comparison(store.read(path))
    assert "| hardlimit | **9 texts/s** | **90 ms** |\n| River | 1 texts/s | 2 s |" in text


def test_a_table_beside_the_figures_is_kept_printed_and_reported(tmp_path):
    path = tmp_path / "results.json"
    grid = Grid("Errors in %", ("set", "last"), (("wdbc", "3.5"), ("mean", "12.0")))
    store.store_row("noise", "Noise", [Figure("gap", 1.0)], [], path, grids=[grid])
    text = report.render_results(store.read(path))
    assert "| gap |" in text
    assert (
        "\nErrors in %\n\n| set | last |\n| --- | --- |\n| wdbc | 3.5 |\n| mean | 12.0 |\n" in text
    )
    assert render(grid) == "\nErrors in %\n\nset   last\nwdbc   3.5\nmean  12.0"
    assert render(Figure("gap", 1.0)) == render_figure(Figure("gap", 1.0))


def test_the_report_is_written_beside_the_results(tmp_path):
    store.store_row(
        "epoch", "Epoch", [Figure("sparse", 5.0, target=4.0)], [], tmp_path / "results.json"
    )
    report.write(store.read(tmp_path / "results.json"), tmp_path)
    assert "| sparse |" in (tmp_path / "RESULTS.md").read_text(encoding="utf-8")


def test_every_row_and_contestant_keeps_its_protocol():
    assert {"features", "epoch", "text_to_predictions", "memory"} <= set(rows())
    for row in rows().values():
        assert row.TITLE and callable(row.figures)
    assert {"hardlimit_default", "sklearn_linear_svc"} <= set(contestants())
    for contestant in contestants().values():
        assert contestant.TITLE and callable(contestant.load)
        assert all(callable(getattr(contestant, verb)) for verb in ("fit", "predict", "save"))


@pytest.mark.parametrize(
    "module", [contestants_module, corpora, full_size, harness, readme_table, tables]
)
def test_the_examples_in_the_docstrings_hold(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed
