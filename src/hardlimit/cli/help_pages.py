"""The help of a command: its options under headings; with ``-h`` the few that matter first.

One table says under which heading an option stands, whichever command has it. A test finds the
options that have no heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

# In the order of the page. Of commands with few options all stand under "Options".
HEADINGS: dict[str, str] = {
    "Output": "output spreadsheet output_format overwrite plot picture style lines html note slim",
    "Columns and labels": (
        "texts text label positive classes labels_separator label_from fold_labels drop "
        "number_columns category_columns missing missing_values"
    ),
    "Features": (
        "features scale map kernel budget bias_feature through_origin column_weights weights "
        "hash_categories"
    ),
    "Learning": (
        "rule epochs multiclass class_weight until train_from order schedule guard readout "
        "keep seed start patient exact bounds"
    ),
    "Decision and measurement": (
        "holdout max_false_positive max_f1 max_accuracy folds scoring nested threshold "
        "min_probability probability scores top explain all_classes against row terms exit_status "
        "examples train"
    ),
    "Proof": "proof seconds gap",
    "Corrections": (
        "live ledger by file example action new_class margin step guards private dry_run "
        "correction_rate influence"
    ),
    "The service": ("host port host_names keys read_only abstain remember recent log log_texts"),
    "Limits of the service": "rate max_body max_requests",
    "Large files and clusters": ("stream cache checkpoint every cluster shards mixing progress"),
    "How the files are read": (
        "format header delimiter quoting encoding max_line skip_bad mail mail_settings"
    ),
    "General": "jobs as_json quiet traceback short_help _click_default_help",
}
_HEADING_OF = {name: title for title, names in HEADINGS.items() for name in names.split()}
_PLACES = {name: place for place, name in enumerate(_HEADING_OF)}
_FEW = 12  # options that need no headings
_EXAMPLES = 3  # of the short page
_HYPHEN, _KEPT = "-", "\N{NON-BREAKING HYPHEN}"


class Formatter(click.HelpFormatter):
    """Keeps names with hyphens whole: a line never ends within passive-aggressive."""

    def write(self, string: str) -> None:
        """Write a text with the hyphens as they are typed."""
        super().write(string.replace(_KEPT, _HYPHEN))

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(text.replace(_HYPHEN, _KEPT))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 28, col_spacing: int = 2
    ) -> None:
        """Write names with their descriptions beside them."""
        kept = [(name, text.replace(_HYPHEN, _KEPT)) for name, text in rows]
        super().write_dl(kept, col_max, col_spacing)


def write_options(
    options: Iterable[click.Parameter], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write all options, under headings where there are many."""
    for title, found in group_options(options).items():
        _write_section(title, found, ctx, formatter)


def group_options(options: Iterable[click.Parameter]) -> dict[str, list[click.Option]]:
    """Return options by their headings, in the order of the page; few are all "Options"."""
    shown = [option for option in options if isinstance(option, click.Option)]
    general = {"quiet", "traceback", "short_help", "_click_default_help"}
    if sum(option.name not in general for option in shown) <= _FEW:
        return {"Options": shown}
    shown.sort(key=lambda option: _PLACES.get(option.name or "", len(_PLACES)))
    titles = [_HEADING_OF.get(option.name or "", "Other options") for option in shown]
    grouped: dict[str, list[click.Option]] = {title: [] for title in titles}
    for title, option in zip(titles, shown, strict=True):
        grouped[title].append(option)
    return grouped


def write_first(
    options: Iterable[click.Parameter],
    first: tuple[str, ...],
    ctx: click.Context,
    formatter: click.HelpFormatter,
) -> None:
    """Write the options that matter first, in their order, and where the others are."""
    known = {option.name: option for option in options if isinstance(option, click.Option)}
    with formatter.section("Most used options"):
        records = (_record(known[name], ctx) for name in first)
        formatter.write_dl([(name, _first_sentence(help)) for name, help in records])
    formatter.write_paragraph()
    left = len(known) - len(first)
    formatter.write_text(f"'{ctx.command_path} --help' describes these and {left} more.")


def _write_section(
    title: str, options: list[click.Option], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    with formatter.section(title):
        formatter.write_dl([_record(option, ctx) for option in options])


def write_summary(help: str, formatter: click.HelpFormatter) -> None:
    """Write what a command does, in a sentence, and its first examples."""
    first, *others = help.split("\n\n")
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(first)
        for examples in (one for one in others if one.startswith("\b\n")):
            formatter.write_paragraph()
            formatter.write_text("\n".join(examples.splitlines()[: 1 + _EXAMPLES]))


def _first_sentence(help: str) -> str:
    """Return the first sentence of a help.

    >>> _first_sentence("Read pairs, such as words=1-2. By default all."), _first_sentence("Once.")
    ('Read pairs, such as words=1-2.', 'Once.')
    """
    return re.split(r"(?<=\.) (?=[A-Z'])", help, maxsplit=1)[0]


def _record(option: click.Option, ctx: click.Context) -> tuple[str, str]:
    """Return how an option is typed, and what it does; its range is said by its error."""
    record = option.get_help_record(ctx)
    assert record is not None  # no option of ours is hidden
    extra = option.get_help_extra(ctx)
    said = [f"default {extra['default'].strip('()')}"] if "default" in extra else []
    said += ["required"] if "required" in extra else []
    help = option.help or record[1]
    return record[0], f"{help.rstrip('.')} ({', '.join(said)})." if said else help
