"""What ``hardlimit certify`` prints of verdicts."""

from __future__ import annotations

from hardlimit.certificates import NotSeparable, Separable, Undecided, Verdict
from hardlimit.cli import invocation, terminal
from hardlimit.cli.commands.certify.job import CertifyJob
from hardlimit.cli.json_output import Json
from hardlimit.foundation.formatting import format_label

# A proof may name hundreds of rows; the heaviest are where to look first.
SHOWN = 10


def show(job: CertifyJob, verdicts: list[Verdict], output: str | None) -> None:
    """Print what was decided."""
    terminal.say(_describe(job, verdicts[0]))
    if len(verdicts) == 1:
        _show_one(job, verdicts[0])
    else:
        _show_many(job, verdicts)
    terminal.say()
    if output is None:
        terminal.remark("no proof was written: name a file with -o")
        return
    # Not wrapped: these are copied.
    terminal.say(f"  {terminal.paint('proof', 'dim')}     {terminal.escape_controls(output)}")
    command = terminal.escape_controls(_command(output, job))
    terminal.say(f"  {terminal.paint('check it', 'dim')}  {command}")


def _describe(job: CertifyJob, verdict: Verdict) -> str:
    subject = verdict.subject
    rows = terminal.plural(subject.n_rows, "row")
    columns = job.describe_columns(subject.n_features)
    bias = "through the origin" if subject.bias is None else f"with a bias of {subject.bias:g}"
    return terminal.escape_controls(f"{job.data.name}: {rows}, {columns}, {bias}")


def _command(output: str, job: CertifyJob) -> str:
    return invocation.command_line("certify", "--check", output, job.source, *job.again)


def _show_one(job: CertifyJob, verdict: Verdict) -> None:
    against = _names(verdict)
    terminal.heading(f"{against}: {verdict.verdict}")
    if isinstance(verdict, Separable):
        terminal.facts(_separable_facts(verdict) + job.weight_facts(verdict))
    elif isinstance(verdict, NotSeparable):
        _show_conflict(job, verdict)
    else:
        assert isinstance(verdict, Undecided)
        terminal.facts(_undecided_facts(verdict))


def _names(verdict: Verdict) -> str:
    subject = verdict.subject
    other = "the rest" if subject.negative is None else format_label(subject.negative)
    column = "" if subject.label is None else f"{subject.label}: "
    return f"{column}{format_label(subject.positive)} against {other}"


def _separable_facts(verdict: Separable) -> list[tuple[str, str]]:
    lo, hi = verdict.margin
    width = 100 * (hi - lo) / hi
    facts = [
        ("margin", f"the largest lies between {lo:.6g} and {hi:.6g}, {width:.2g} % apart"),
        ("found by", f"{verdict.found_by}, in {verdict.seconds:.1f} s"),
    ]
    if verdict.subject.bias is not None:
        facts.insert(
            1, ("distance", f"the nearest row lies {verdict.input_margin:.6g} from the plane")
        )
    return facts


def _undecided_facts(verdict: Undecided) -> list[tuple[str, str]]:
    lo, hi = verdict.margin
    return [
        ("margin", f"the largest lies between {lo:.6g} and {hi:.6g}; separable if it is above 0"),
        ("why", verdict.why),
        *(("tried" if i == 0 else "", line) for i, line in enumerate(verdict.tried)),
    ]


def _show_conflict(job: CertifyJob, verdict: NotSeparable) -> None:
    conflict = verdict.conflict
    # Zero times any weights is zero: no plane puts such a row on a side.
    if len(conflict) == 1:
        terminal.say(f"  {_place(job, conflict[0])} is 0 in every column, so it is on no side")
        return
    labels = job.labels_of(verdict.subject)
    sides = {labels[i] == verdict.subject.positive for i in conflict}
    # Rows on both sides with equal weights cancel only if they are the same.
    if len(sides) == 2 == len(conflict) and set(verdict.multipliers.values()) == {1}:
        terminal.say("  Two rows contradict each other: the same features, different labels")
    else:
        terminal.facts(
            [
                ("proof", f"{terminal.plural(len(conflict), 'row')} whose labels cannot all be "
                 "correct: with positive weights these rows cancel each other"),
                ("found by", f"{verdict.found_by}, in {verdict.seconds:.1f} s"),
            ]
        )  # fmt: skip
    _show_rows(job, verdict, "The rows of the proof, heaviest first", _heaviest_first(verdict))
    rest = f"without {'it' if len(verdict.suspects) == 1 else 'them'} the rest is separable"
    _show_rows(job, verdict, f"Labels to check first ({rest})", verdict.suspects)


def _heaviest_first(verdict: NotSeparable) -> list[int]:
    # By the row among equals, so that the same proof prints the same lines.
    return sorted(verdict.conflict, key=lambda i: (-verdict.multipliers[i], i))


def _show_rows(job: CertifyJob, verdict: NotSeparable, title: str, rows: list[int]) -> None:
    terminal.say()
    terminal.say("  " + title)
    labels = job.labels_of(verdict.subject)
    head = [_row_word(job), "label", ">weight", job.beside]
    total = sum(verdict.multipliers.values())
    lines = []
    for i in rows[:SHOWN]:
        weight = verdict.multipliers.get(i, 0)
        share = f"{100 * float(weight / total):.2g} %" if weight else ""
        lines.append([_number(job, i), format_label(labels[i]), share, job.row(i)])
    for line in terminal.table(head, lines, indent=4):
        terminal.say(line)
    if len(rows) > SHOWN:
        terminal.say(f"    and {len(rows) - SHOWN:,} more")


def _row_word(job: CertifyJob) -> str:
    return "line" if job.data.lines else "row"


def _number(job: CertifyJob, i: int) -> str:
    """The line of the file where that is known; else the row, the first one being 1."""
    lines = job.data.lines
    return str(lines[i] if lines else i + 1)


def _place(job: CertifyJob, i: int) -> str:
    return f"{_row_word(job)} {_number(job, i)}"


def _show_many(job: CertifyJob, verdicts: list[Verdict]) -> None:
    terminal.say()
    is_class = all(verdict.subject.negative is None for verdict in verdicts)
    head = [
        "class against the rest" if is_class else "label",
        "verdict",
        "margin, or labels to check first",
    ]
    for line in terminal.table(head, [_line(job, verdict) for verdict in verdicts]):
        terminal.say(line)


def _line(job: CertifyJob, verdict: Verdict) -> list[str]:
    subject = verdict.subject
    name = format_label(subject.positive) if subject.negative is None else _names(verdict)
    if isinstance(verdict, NotSeparable):
        first = ", ".join(_number(job, i) for i in verdict.suspects[:4])
        more = len(verdict.suspects) - 4
        said = f"{_row_word(job)}s {first}" + (f" and {more:,} more" if more > 0 else "")
        return [name, verdict.verdict, said]
    assert isinstance(verdict, Separable | Undecided)
    lo, hi = verdict.margin
    return [name, verdict.verdict, f"between {lo:.6g} and {hi:.6g}"]


def to_json(job: CertifyJob, verdicts: list[Verdict], output: str | None) -> Json:
    """Return the verdicts as JSON; rows count from 0."""
    subject = verdicts[0].subject
    return {
        "file": job.source,
        "rows": subject.n_rows,
        "columns": subject.n_features,
        "bias": subject.bias,
        "proof": output,
        "verdicts": [_verdict_to_json(verdict) for verdict in verdicts],
    }


def _verdict_to_json(verdict: Verdict) -> Json:
    label = verdict.subject.label
    found: Json = {
        **({} if label is None else {"label": label}),
        "positive": verdict.subject.positive,
        "negative": verdict.subject.negative,
        "verdict": verdict.verdict,
        "found_by": verdict.found_by,
        "seconds": round(verdict.seconds, 3),
    }
    if isinstance(verdict, NotSeparable):
        return {**found, "conflict": verdict.conflict, "suspects": verdict.suspects}
    assert isinstance(verdict, Separable | Undecided)
    found["margin"] = list(verdict.margin)
    if isinstance(verdict, Separable):
        return {**found, "input_margin": verdict.input_margin}
    return {**found, "tried": verdict.tried, "why": verdict.why}


def checked_to_json(proof: str, job: CertifyJob, proofs: list[Verdict]) -> Json:
    """Return what was verified as JSON."""
    return {
        "file": job.source,
        "proof": proof,
        "holds": True,
        "verdicts": [_verdict_to_json(verdict) for verdict in proofs],
    }


def show_checked(proof: str, job: CertifyJob, proofs: list[Verdict]) -> None:
    """Print what was verified."""
    terminal.say(
        terminal.escape_controls(f"{proof} holds for {job.data.name}, in exact arithmetic:")
    )
    for verdict in proofs:
        terminal.say(terminal.escape_controls(f"  {_names(verdict)}: {str(verdict)}"))
