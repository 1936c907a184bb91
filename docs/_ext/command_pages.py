"""Make a page for each command, from its docstring and its options."""

from __future__ import annotations

import re
import textwrap

import click

from hardlimit.cli import commands, help_pages
from hardlimit.cli.app import NAME, program
from rst import definitions, directive, join_blocks, title


def build_pages() -> dict[str, str]:
    """Return all pages by file name."""
    found = {f"{name}.rst": page(name) for name in commands.names()}
    return found | {"index.rst": index(commands.names())}


def page(name: str) -> str:
    """Return the page of one command: what it does, how it is called, every option."""
    context = click.Context(program, info_name=NAME, **program.context_settings)
    command = program.get_command(context, name)
    assert command is not None
    settings = command.context_settings  # of commands with a short help, -h is an option of its own
    inner = click.Context(command, parent=context, info_name=name, **settings)
    usage = command.get_usage(inner).removeprefix("Usage: ")
    grouped = help_pages.group_options(command.get_params(inner))
    return join_blocks(
        [
            title(f"{NAME} {name}", "="),
            directive("code-block:: text", " ".join(usage.split())),
            *describe(command.help or ""),
            f".. program:: {NAME} {name}",
            *(
                block
                for heading, options in grouped.items()
                for block in (title(heading, "-"), *(option_entry(one, inner) for one in options))
            ),
        ]
    )


def describe(text: str) -> list[str]:
    r"""Return the paragraphs of a help text; those after ``\b`` are shown as they are written."""
    blocks = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.lstrip().startswith("\b"):
            lines = paragraph.lstrip().removeprefix("\b").strip("\n")
            blocks.append(directive("code-block:: text", textwrap.dedent(lines)))
        else:
            blocks.append(escape(" ".join(paragraph.split())))
    return blocks


def option_entry(option: click.Option, context: click.Context) -> str:
    """Return one option with its values and its help."""
    names, text = option.get_help_record(context) or ("", "")
    text = text.replace("  [", " [")  # click sets limits of values apart by two blanks
    spelled = re.sub(r" / ", ", ", names)
    return directive(f"option:: {spelled}", escape(text))


def escape(text: str) -> str:
    """Return plain text as markup: options as code, where dashes stay dashes."""
    escaped = re.sub(r"([\\*`|]|_(?!\w))", r"\\\1", text)
    return re.sub(r"(?<![\w-])(--[a-z][a-z-]*[a-z])", r"``\1``", escaped)


def index(names: list[str]) -> str:
    """Return the index of all commands."""
    lead = (
        "Each page is made from the command itself: its text is that of "
        f"``{NAME} COMMAND --help``. :doc:`/guides/command-line` explains what the commands are "
        "for, file formats, pipes and exit statuses."
    )
    groups = [
        block
        for group, summaries in commands.GROUPS.items()
        for block in (
            title(group, "-"),
            definitions({f":doc:`{NAME} {name} <{name}>`": one for name, one in summaries.items()}),
        )
    ]
    return join_blocks(
        [
            title("Commands", "="),
            lead,
            *groups,
            directive("toctree::\n   :hidden:", "\n".join(names)),
        ]
    )
