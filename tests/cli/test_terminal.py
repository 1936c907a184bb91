"""Widths, tables and colours."""

from __future__ import annotations

import io

import pytest

from hardlimit.cli import terminal


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_table_fits_the_width_and_cuts_the_widest_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = terminal.table(("class", ">texts", "terms"), [("spam", "1,234", "word " * 20)])
    assert max(map(terminal.display_width, lines)) <= 40
    assert "1,234" in lines[1] and lines[1].endswith("...")


def test_wide_characters_keep_columns_aligned() -> None:
    lines = terminal.table(("a", ">n"), [("日本", "1"), ("e\u0301", "22")])
    assert [terminal.display_width(line) for line in lines[1:]] == [10, 10]


def test_control_characters_are_shown_not_obeyed() -> None:
    lines = terminal.table(("", ""), [("\x1b[2J", "a\nb"), ("\u202eevil", "")])
    assert "\\x1b[2J" in lines[0] and "a\\nb" in lines[0]
    assert "\u202e" not in lines[1]


def test_colours_only_on_a_terminal_that_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert terminal.paint("x", "bold", Screen()) != "x"
    assert terminal.paint("x", "bold", io.StringIO()) == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal.paint("x", "bold", Screen()) == "x"


@pytest.mark.parametrize("columns", ["abc", "0", "-3", "10", "100000"])
def test_odd_widths_are_survived(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert 40 <= terminal.width() <= terminal.WIDEST


def test_texts_of_a_table_take_the_width_there_is(monkeypatch):
    header, rows = (
        ("entry", "what", "text"),
        [("#1", "ham", "a long text " * 20), ("#2", "spam", "")],
    )
    assert terminal.texts_table(header, rows)[1].endswith(("a long text " * 20).rstrip())  # a pipe
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: True)
    monkeypatch.setenv("NO_COLOR", "1")
    for columns in (80, 150):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = terminal.texts_table(header, rows)
        assert [line.split()[0] for line in lines] == ["entry", "#1", "a", "#2"]
        assert len(lines[2]) == columns and lines[2].endswith("...")
    monkeypatch.setenv("COLUMNS", "300")
    assert len(terminal.texts_table(header, rows)) == 3
