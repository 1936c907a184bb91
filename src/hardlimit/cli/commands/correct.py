"""``hardlimit correct``: one text and its right label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions, quoted
from hardlimit.cli.option_words import given_names
from hardlimit.cli.options import (
    LayoutOptions,
    as_json,
    by_option,
    correction_rate,
    dry_run,
    influence,
    layout_options,
    ledger_option,
    margin_option,
    option,
    private_option,
)
from hardlimit.exceptions import CorrectionError
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.live.answer import Receipt
    from hardlimit.live.model import LiveModel


POLICIES = ("refuse", "solve", "flag")  # a test compares


@click.argument("model")
@click.argument("example", metavar="[TEXT]", required=False)
@option(
    "--label LABEL", "The right label, one of the model's; with --file the column of the labels."
)
@option("--file FILE", "Correct all rows of a file, all or none of them.")
@option(
    "--new-class", "Make a class of a label that the model does not know, which is an error else."
)
@by_option("Who says so.")
@margin_option(1.0, "By how much the label beats every other one afterwards.")
@option(
    "--step S",
    "Move at least so far, in squared lengths of the text's row; about 2 for texts from "
    "elsewhere than those of training.",
    type=float,
    default=0.0,
    show_default=True,
)
@click.option(
    "--guards",
    type=click.Choice(POLICIES),
    default=POLICIES[0],
    show_default=True,
    help="Where it would flip a guard: refuse it, solve for the smallest change that leaves the "
    "guards, or only flag them.",
)
@dry_run
@private_option
@correction_rate
@influence
@ledger_option
@layout_options(label=False, sets=False)
@as_json
class CorrectOptions(LayoutOptions, LiveOptions):
    """Correct MODEL's answer to TEXT, at once and with a guarantee.

    The smallest change of the weights is made after which TEXT has LABEL with the margin. MODEL
    itself is never written: the correction is an entry of the ledger beside it, MODEL.ledger, on
    disk when the command ends. TEXT may be '-' for standard input; of a model of mail it may be the
    file of a mail; of a model of numbers it is a row, as '1.5, 0, 2'; of a model of several columns
    the JSON of a row.

    With --file all rows of a file are corrected, one after the other, all or none of them. It is
    read as the training file was, unless options say otherwise, and a table of receipts is printed.

    \b
      hardlimit correct spam.hardlimit --label ham "meeting at 3" --by alice
      hardlimit correct spam.hardlimit --label spam - < message.txt
      hardlimit correct spam.hardlimit --file corrections.csv --label folder
    """

    example: str | None
    file: str | None
    by: str
    margin: float
    step: float
    guards: str
    new_class: bool
    dry_run: bool
    private: bool
    correction_rate: str | None
    influence: float | None


# Numbers of texts that are named, and refusals that are told.
_NAMED = 20
FAILED = 1


def run(options: CorrectOptions) -> None:
    """Correct one answer or those to the rows of a file, and tell what it did."""
    models.require(options.model)
    _check(options)
    how: dict[str, Any] = {
        name: getattr(options, name)
        for name in ("by", "margin", "step", "guards", "new_class", "dry_run")
    }
    limits = {
        "influence": options.influence,
        "rate": live_models.read_rate(options.correction_rate),
    }
    with live_models.open_live(options, private=options.private, **limits) as live:
        if options.file is None:
            _correct_one(live, options, how)
        else:
            _correct_file(live, options, how)


def _check(options: CorrectOptions) -> None:
    if options.file is not None:
        if options.example is not None:
            raise click.UsageError("a TEXT, or --file: one of both")
        return
    if options.example is None:
        raise click.UsageError("Missing argument 'TEXT': which text, or --file with many of them?")
    if options.label is None:
        raise click.UsageError("Missing option '--label': which label is right?")
    if not options.label.strip():
        raise click.UsageError(f"--label {options.label!r} is empty: which label is right?")
    names = [name for name in LayoutOptions.__annotations__ if name != "label"]
    if given := given_names(options, names):
        raise click.UsageError(f"{given[0]} says how a file is read, and goes with --file")


def _correct_one(live: LiveModel, options: CorrectOptions, how: dict[str, Any]) -> None:
    assert options.example is not None and options.label is not None  # checked before
    example = live_models.read_example(live, options.example)
    label = live_models.find_label(live, options.label)
    with live_models.telling(live, options.by):
        receipt = live.correct(example, label, **how)
    if options.as_json:
        json_output.print_json(receipt.to_dict())
    else:
        terminal.say(sentence(receipt))


def _correct_file(live: LiveModel, options: CorrectOptions, how: dict[str, Any]) -> None:
    from hardlimit.cli import rows_to_answer  # late: one text needs no readers
    from hardlimit.predictions.answerers import Living

    data = rows_to_answer.read(Living(live), [options.file or ""], options.layout)
    examples = [data.examples.example(row) for row in range(len(data))]
    labels = [live_models.find_label(live, label) for label in data.labels]
    try:
        with live_models.telling(live, options.by):
            receipts = live.correct_many(zip(examples, labels, strict=True), **how)
    except CorrectionError as error:
        if not error.refusals:
            raise
        _tell_refusals(error, data.name, len(data))
        raise click.exceptions.Exit(FAILED) from None
    if options.as_json:
        json_output.print_json({"receipts": [one.to_dict() for one in receipts]})
    else:
        _show(receipts, [live_models.line_of(live.base.keep(one)) for one in examples])


def _tell_refusals(error: CorrectionError, name: str, n: int) -> None:
    """Say why each refused row is refused."""
    from hardlimit.cli.face import OPTIONS, CommandFace  # late: only where something is refused

    # Of a row the label is its own, and no option.
    face = CommandFace(options={k: one for k, one in OPTIONS.items() if k not in ("label", "text")})
    for place, one in error.refusals[:_NAMED]:
        terminal.error(f"{name}: row {place + 1}: {face.sentence(one)}")
    more = len(error.refusals) - _NAMED
    left = f", of which the first {_NAMED} are shown" if more > 0 else ""
    terminal.error(
        f"{len(error.refusals)} of {plural(n, 'correction')} are refused{left}; none is made"
        if len(error.refusals) > 1
        else f"1 of {plural(n, 'correction')} is refused; none is made"
    )


def _show(receipts: list[Receipt], texts: list[str]) -> None:
    """Print a table of receipts, and what they did together."""
    first = 1 if receipts and receipts[0].dry_run else 0
    rows = [
        (
            f"#{one.id}",
            quoted(one.label) + (" (new)" if one.new_class else ""),
            f"{quoted(one.before.label)} {one.before.margin:.2f}",
            str(len(one.flips)),
            text,
        )
        for one, text in zip(receipts, texts, strict=True)
    ]
    header = ("entry", "label", "was", ">flips", "text")
    for line in terminal.texts_table(header[first:], [row[first:] for row in rows]):
        terminal.say(line)
    terminal.say(_sum_up(receipts))


def _sum_up(receipts: list[Receipt]) -> str:
    """Say in one line what several corrections did."""
    if not receipts:
        return "no corrections: the file has no rows"
    n, first, last = plural(len(receipts), "text"), receipts[0], receipts[-1]
    entries = f"#{first.id}" + (f" to #{last.id}" if len(receipts) > 1 else "")
    done = f"would correct {n}" if first.dry_run else f"corrected {n}: {entries}"
    wrong = sum(one.before.label != one.label for one in receipts)
    parts = [done, f"{wrong or 'none'} had another label before"]
    flipped = {flip.number for one in receipts for flip in one.flips}
    if any(one.n_remembered for one in receipts):
        parts.append(f"{plural(len(flipped), 'other remembered text')} changed sides")
    for name, what in (("flagged", "flipped"), ("guards_in_the_way", "in the way")):
        numbers = sorted({number for one in receipts for number in getattr(one, name)})
        if numbers:
            parts.append(f"guards {what}: {', '.join(f'#{one}' for one in numbers)}")
    return "; ".join(parts)


def sentence(receipt: Receipt) -> str:
    """Say what a correction did, in one line."""
    before, after = receipt.before, receipt.after
    done = "would correct" if receipt.dry_run else f"corrected #{receipt.id}"
    parts = [
        f"{done}: now {quoted(after.label)} (margin {after.margin:.2f}, was "
        f"{quoted(before.label)} {before.margin:.2f})"
    ]
    if receipt.new_class:
        parts.append(f"{quoted(receipt.label)} is a new class")
    if receipt.n_remembered:
        parts.append(told_flips(receipt))
    for numbers, what in ((receipt.flagged, "flipped"), (receipt.guards_in_the_way, "in the way")):
        if numbers and (numbers != receipt.flagged or what == "flipped"):
            parts.append(f"guards {what}: {', '.join(f'#{one}' for one in numbers)}")
    return "; ".join(parts)


def told_flips(receipt: Receipt) -> str:
    """Say which remembered texts changed sides."""
    n = len(receipt.flips)
    told = f"of {plural(receipt.n_remembered, 'other remembered text')} {n or 'none'} changed sides"
    named = ", ".join(f"#{flip.number}" for flip in receipt.flips[:_NAMED])
    return f"{told}: {named}{', ...' if n > _NAMED else ''}" if n else told


command = command_of(
    "correct",
    CorrectOptions,
    run,
    first="label file new_class by margin guards dry_run text as_json",
)
