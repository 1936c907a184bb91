"""``hardlimit certify``: separable or not, with a proof in a file."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli import options


@click.command()
@click.argument("source", metavar="FILE")
@click.option(
    "-o",
    "--output",
    metavar="PROOF",
    help="Where the proof goes; default: FILE with .proof.json after it.",
)
@click.option(
    "--check",
    "proof",
    metavar="PROOF",
    help="Verify this proof against FILE, in exact arithmetic, instead of looking for one.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="For the search, each class; default 10.",
)
@click.option(
    "--gap",
    type=click.FloatRange(min=0, min_open=True),
    metavar="PART",
    help="Stop once the margin is known to this part; default 0.01. Any proof will do: inf.",
)
@click.option("--through-origin", is_flag=True, help="Planes through the origin only: no bias.")
@click.option(
    "--bias-feature",
    type=float,
    metavar="VALUE",
    help="Constant feature that carries the bias; default: 1 for numbers, 0.1 for texts.",
)
@click.option(
    "--positive",
    metavar="LABEL",
    help="Hold this class against the rest; default: the second of two, each of many in turn.",
)
@click.option(
    "--features", metavar="LIST", help="Of texts, as train takes them: words=1-2,chars=none,..."
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Of the search; default 0.")
@options.layout_options()
@options.as_json
def command(**given: Any) -> None:
    """Say whether classes are linearly separable, and prove it.

    FILE holds numbers (svmlight, numeric CSV) or labelled texts, as train reads them. The verdict
    is separable, with weights and a bracket of the largest margin; or not separable, with rows that
    cannot all be right; either is written as a proof that anyone can check
    (docs/proof-format.md). Exit code 0: a verdict; 3: undecided in the time given; 1: the data, or
    a proof that fails.

    \b
      hardlimit certify data.svm
      hardlimit certify data.svm --through-origin --seconds 60 -o proof.json
      hardlimit certify --check proof.json data.svm
    """  # noqa: D301
    from hardlimit.cli import certifying

    certifying.run(given)
