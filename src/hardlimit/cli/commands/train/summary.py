"""What ``hardlimit train`` prints of a trained model."""

from __future__ import annotations

from typing import Any

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import invocation, terminal
from hardlimit.cli.commands.train import comparison, continued, thresholds
from hardlimit.cli.commands.train.job import TrainingJob
from hardlimit.cli.figures import Reports
from hardlimit.cli.json_output import Json
from hardlimit.cli.label_reports import HELD_OUT, reports_of
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.predictions.answerers import Fitted


def _stop_reason(job: TrainingJob) -> str:
    if job.continued is None:
        return describing.stop_reason(job.classifier)
    epochs = plural(job.continued.epochs, "epoch")
    return f"after {epochs} over these rows, added to the earlier ones"


def _facts(job: TrainingJob) -> list[tuple[str, str]]:
    classifier, data = job.classifier, job.data
    rows, wrong = len(data), classifier.n_training_errors_
    facts = [
        ("rows", f"{rows:,} {data.kind.describe(data.counts)}"),
        ("features", describing.features(classifier)),
        ("learning", describing.learning(classifier) + data.kind.neurons),
        *describing.choices(classifier),
        ("stopped", _stop_reason(job)),
        *([] if job.continued is None else continued.facts(job.continued)),
    ]
    if wrong is not None:
        share = (
            f"{wrong:,} of {plural(rows, 'training row')} {data.kind.wrong} ({wrong / rows:.2%})"
        )
        facts.append(("errors", share))
    elif classifier.fitted.choices.readout == "voted" and job.continued is None:
        facts.append(("errors", "not counted: so many votes on the training rows cost too much"))
    progressive = describing.progressive(classifier)
    if progressive:
        facts.append(("progressive", progressive))
    margin = describing.margin(classifier)
    if margin:
        facts.append(("margin", margin))
    return [*facts, ("time", f"{job.seconds:.2f} s")]


def warn_of_little_use(job: TrainingJob) -> None:
    """Warn of a model that is hardly better than always giving the most frequent answer."""
    data, rows = job.data, "training"
    wrong = job.classifier.n_training_errors_
    if job.report is not None and job.held_out is not None:
        data, rows = job.held_out, "held-out"
        wrong = round((1 - job.report.accuracy) * len(data))
    majority = data.kind.majority(data.counts, data.labels)
    if wrong is None or majority is None:
        return
    constant = len(data) - majority[1]
    # Nine tenths: a model that saves less than every tenth error has hardly learnt anything.
    if 10 * wrong > 9 * constant:
        named = sorted(f"'{describing.short_label(label)}'" for label in majority[0])
        terminal.remark(
            f"{job.options.output}: {plural(wrong, f'{rows} row')} {data.kind.wrong}, and always "
            f"predicting {' and '.join(named) or 'no label'} would err on {constant:,}: "
            f"{data.kind.advice}; leave out the options that you are least sure of, or train longer"
        )


def show(job: TrainingJob) -> None:
    """Print what was learnt, what was measured, and what to do next."""
    output = job.options.output
    terminal.say(
        f"{terminal.paint(output, 'bold')}: trained on {terminal.escape_controls(job.data.name)}"
    )
    terminal.say()
    facts = _facts(job)
    state = "" if job.options.slim else ", with the training state (--slim leaves it out)"
    facts.append(("file", terminal.format_bytes(storage.size_of(output)) + state))
    terminal.facts(facts)
    if job.continued is not None:
        continued.show(job.continued, job.classifier.fitted.choices.rule)
    if job.compared is not None:
        comparison.show(job.compared)
    if job.report is not None:
        _reports(job).show(job.report, HELD_OUT, over_thresholds=job.threshold is not None)
    if job.threshold is not None:
        thresholds.show(job.threshold)
    _show_next(job)


def _show_next(job: TrainingJob) -> None:
    terminal.heading("Next")
    program, model = invocation.program(), invocation.quoted(job.options.output)
    if job.report is None:
        terminal.say(f"  {program} evaluate {model} OTHER-LABELLED-FILE")
    predict, explain = job.classifier.fitted.form.do(_NextCommands(job, program, model))
    terminal.say(f"  {predict}")
    if explain and job.classifier.fitted.choices.readout != "voted":
        terminal.say(f"  {explain}")
    terminal.say(f"  {program} inspect {model}")


class _NextCommands(ByForm[tuple[str, str]]):
    """Names what predicts and explains; nothing for what is not worth a line."""

    def __init__(self, job: TrainingJob, program: str, model: str) -> None:
        self._is_mail = describing.layout_of(job.classifier.metadata).get("mail")
        self._predict, self._explain = f"{program} predict {model}", f"{program} explain {model}"

    def numbers(self) -> tuple[str, str]:
        """Name the command on rows of a file."""
        return f"{self._predict} OTHER-FILE", ""

    def text_columns(self) -> tuple[str, str]:
        """Name those on a file, from which a row comes with all its texts."""
        return f"{self._predict} OTHER-FILE", f"{self._explain} OTHER-FILE --row 1"

    def one_text(self) -> tuple[str, str]:
        """Name those on a text, or on a mail."""
        if self._is_mail:
            return f"{self._predict} < message.eml", f"{self._explain} message.eml"
        return f'echo "a new text" | {self._predict}', f'{self._explain} "a new text"'


def _report_to_json(job: TrainingJob) -> Json | None:
    return None if job.report is None else _reports(job).to_json(job.report)


def _reports(job: TrainingJob) -> Reports[Any]:
    return reports_of(Fitted(job.classifier))


def to_json(job: TrainingJob) -> Json:
    """Return the summary as JSON."""
    classifier, output = job.classifier, job.options.output
    return {
        "model": output,
        "bytes": storage.size_of(output),
        "rows": len(job.data),
        job.data.kind.key: job.data.kind.to_json(job.data.counts),
        "features": describing.features(classifier),
        "epochs": classifier.n_iter_,
        "corrections": classifier.n_corrections_,
        "training_errors": classifier.n_training_errors_,
        "progressive_error": describing.progressive_error(classifier),
        "stop_reason": classifier.stop_reason_,
        "cycle": describing.cycle(classifier),
        "gamma": describing.gamma(classifier),
        **describing.choices_to_json(classifier),
        "seconds": round(job.seconds, 3),
        "continued": None if job.continued is None else continued.to_json(job.continued),
        "held_out": _report_to_json(job),
        "readouts": None if job.compared is None else comparison.to_json(job.compared),
        "threshold": None if job.threshold is None else thresholds.to_json(job.threshold),
    }
