"""``hardlimit certify``: separable or not, with a proof in a file."""

from __future__ import annotations

import os

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import (
    POSITIVE,
    LayoutOptions,
    as_json,
    layout_options,
    option,
)
from hardlimit.cli.table_options import TableOptions, table_options


@click.argument("source", metavar="FILE")
@option("-o --output PROOF", "File for the proof; default: FILE.proof.json.")
@option(
    "--check PROOF",
    "Verify this proof against FILE, in exact arithmetic, instead of looking for one.",
    name="proof",
)
@option("--seconds N", "Time for the search, for each class; default 10.", type=POSITIVE)
@option(
    "--gap PART",
    "Stop once the largest margin is known to this relative accuracy; default 0.01; inf: any "
    "proof will do.",
    type=POSITIVE,
)
@option("--through-origin", "Planes through the origin only: no bias.")
@option(
    "--bias-feature VALUE",
    "Constant feature that carries the bias; default: 1 for numbers, 0.1 for texts.",
    type=float,
)
@option(
    "--positive LABEL",
    "Test this class against the rest; default: the second of two, each of many in turn.",
)
@option("--features LIST", "Features of the texts, as for train: words=1-2,chars=none,...")
@option("--seed N", "Seed of the search; default 0.", type=click.IntRange(min=0))
@layout_options(several=True, each="a proof")
@table_options
@as_json
class CertifyOptions(TableOptions, LayoutOptions):
    """Say whether classes are linearly separable, and prove it.

    FILE holds numbers (svmlight, numeric CSV), labelled texts or a mixed table, as train reads
    them, with the features that train would learn from. The verdict is "separable", with weights
    and bounds of the largest margin, or "not separable", with rows whose labels cannot all be
    correct. Either is written as a proof that anyone can check (docs/proof-format.md). Exit code 0:
    a verdict; 3: undecided in the time given; 1: unusable data, or a proof that fails.

    \b
      hardlimit certify data.svm
      hardlimit certify data.svm --through-origin --seconds 60 -o proof.json
      hardlimit certify --check proof.json data.svm
      hardlimit certify customers.csv --label churned --drop id
    """

    source: str
    texts: tuple[str, ...]
    output: str | None
    proof: str | None
    seconds: float | None
    gap: float | None
    through_origin: bool
    bias_feature: float | None
    positive: str | None
    features: str | None
    seed: int | None
    as_json: bool

    @property
    def sources(self) -> tuple[str, ...]:
        """The file, as the commands that take several name theirs."""
        return (self.source,)

    @property
    def written(self) -> tuple[str | None, ...]:
        """The file of the proof; none where one is checked, or comes from standard input."""
        if self.proof is not None:
            return ()
        if self.output is None and self.source != "-":
            # A folder given as mails/ has its proof beside it, not in it.
            return (self.source.rstrip("/" + os.sep) + ".proof.json",)
        return (self.output,)


command = command_of(
    "certify",
    CertifyOptions,
    first="output proof label texts seconds positive features through_origin as_json",
)
