"""What holds for every command, found by discovery."""

from __future__ import annotations

import inspect
import pkgutil
import subprocess
import sys

import click
import pytest

from hardlimit.cli import commands, help_pages, main

LONGEST_SUMMARY = 64


def words_for(command: click.Command, folder: str) -> list[str]:
    """Fill in what a command demands, with paths that are not there."""
    words = []
    for parameter in command.params:
        if isinstance(parameter, click.Argument) and parameter.name != "rule":
            words.append(f"{folder}/no-such-file")
        elif parameter.required:
            words += [parameter.opts[0], f"{folder}/output"]
    return words


def test_the_commands_of_the_readme_are_there() -> None:
    assert set(commands.names()) >= {
        "demo", "evaluate", "explain", "inspect", "predict", "report", "rules", "train",
    }  # fmt: skip


@pytest.mark.parametrize("name", commands.names())
def test_help_has_a_summary_that_fits_one_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = commands.load(name)
    summary = (command.help or "").strip().splitlines()[0]
    assert summary.endswith(".") and len(summary) <= LONGEST_SUMMARY
    assert main([name, "--help"]) == 0
    assert "--traceback" in capsys.readouterr().out
    assert all(option.help for option in command.params if isinstance(option, click.Option)), (
        "every option says what it does"
    )


@pytest.mark.parametrize("name", commands.names())
def test_bad_option_is_a_usage_error(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--no-such-option"]) == 2
    captured = capsys.readouterr()
    assert "--no-such-option" in captured.err and not captured.out
    # Spelled as the errors of data are.
    assert captured.err.splitlines()[-1].startswith("error: ")


@pytest.mark.parametrize("name", commands.names())
def test_missing_file_is_named(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    command = commands.load(name)
    folder = str(tmp_path_factory.mktemp("missing"))
    words = words_for(command, folder)
    if not words:
        return  # a command without a file
    assert main([name, *words]) == 1
    captured = capsys.readouterr()
    assert "no-such-file" in captured.err
    assert "Traceback" not in captured.err and not captured.out


@pytest.mark.parametrize("name", commands.names())
def test_the_options_are_those_that_the_command_line_offers(name: str) -> None:
    command = commands.load(name)
    offered = {parameter.name for parameter in command.params if parameter.expose_value}
    fields = {
        name for cls in command.callback.__mro__[:-1] for name in inspect.get_annotations(cls)
    }
    assert offered <= fields
    needed = {name for name in fields if not hasattr(command.callback, name)}
    assert offered.issuperset(needed)


def test_a_command_does_not_import_the_work_of_another() -> None:
    code = (
        "import sys; from hardlimit.cli import main; main(['rules', '--help']);"
        "print(sum(name.endswith('.run') for name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == "0"


def test_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trian"]) == 2
    assert "trian" in capsys.readouterr().err


def test_every_command_stands_in_a_group_with_the_first_line_of_its_help(capsys) -> None:
    there = {info.name for info in pkgutil.iter_modules(commands.__path__)}
    assert there == set(commands.names())
    for summaries in commands.GROUPS.values():
        for name, summary in summaries.items():
            assert commands.load(name).help.splitlines()[0] == summary


@pytest.mark.parametrize("name", commands.names())
def test_many_options_stand_under_headings_and_the_short_help_shows_few(name, capsys) -> None:
    command = commands.load(name)
    options = {one.name: one for one in command.params if isinstance(one, click.Option)}
    known = {name for names in help_pages.HEADINGS.values() for name in names.split()}
    if len(options) > 14:  # two of them are every command's
        assert 5 <= len(command.first) <= 11 and known.issuperset(options)
    pages = {}
    for asked in ("-h", "--help"):
        assert main([name, asked]) == 0
        pages[asked] = capsys.readouterr().out
        assert max(map(len, pages[asked].splitlines())) <= 80
    assert all(one.opts[-1] in pages["--help"] for one in options.values())
    if command.first:
        shown = set(command.first)
        assert all((f"  {one.opts[-1]} " in pages["-h"]) or one.opts[-1] in pages["-h"]
                   for key, one in options.items() if key in shown)  # fmt: skip
        assert "Other options" not in pages["--help"]
        assert f"'hardlimit {name} --help' describes these and" in pages["-h"]
        assert len(pages["-h"].splitlines()) < 50


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in commands.names())


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    import hardlimit

    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"hardlimit {hardlimit.__version__}"


def test_the_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    from hardlimit.readers import formats
    from hardlimit.readers.numbers import numeric_formats

    assert main(["train", "--help"]) == 0
    out = "".join(capsys.readouterr().out.split())  # lines may end at a hyphen
    assert all(name in out for name in [*formats(), *numeric_formats()])


def test_what_train_offers_is_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    from hardlimit import learner, orders, readouts
    from hardlimit.cli import choice_options as choices

    assert main(["train", "--help"]) == 0
    out = capsys.readouterr().out
    offered = [*orders.ORDERS.members, *readouts.READOUTS, *filter(None, learner.UNTIL)]
    words = "".join(out.split())  # a line may end in a hyphen
    assert all(name in words for name in offered)
    assert set(choices.ORDERS) == set(orders.ORDERS.members)
    assert set(choices.READOUTS) == set(readouts.READOUTS)
    assert set(choices.STREAMED) == set(readouts.STREAMED)
