"""Figures of a model of several labels a row: measured, printed, and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hardlimit.cli import figures, terminal
from hardlimit.cli.figures import Reports
from hardlimit.cli.json_output import Json
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions.label_measuring import LabelReport

if TYPE_CHECKING:
    from hardlimit.evaluation.label_ranking import LabelRanking
    from hardlimit.predictions.answerers import Answerer
    from hardlimit.predictions.measuring import Confident

HELD_OUT = "Measured on held-out rows"


class SeveralLabelReports(Reports[LabelReport]):
    """Figures of models of several labels a row, of which none is the positive one."""

    each = ("label", "labels")

    def show(
        self,
        report: LabelReport,
        title: str | None = None,
        *,
        over_thresholds: bool = True,
        all_classes: bool = False,
        model: str = "",
    ) -> None:
        """Print the figures: of whole rows, of all labels together, of their order, of each."""
        found = report.figures
        if title:
            terminal.heading(title)
        low, high = found.interval
        facts = [
            ("rows", f"{found.n:,}, of which {found.exact:,} have all labels right"),
            (
                "exact match",
                f"{found.exact_match:.4f}   subset accuracy; 95 % confidence interval {low:.4f} to "
                f"{high:.4f}",
            ),
            (
                "micro-F1",
                f"{found.micro_f1:.4f}   over all labels together: precision "
                f"{found.micro_precision:.4f}, recall {found.micro_recall:.4f}",
            ),
            ("macro-F1", f"{found.macro_f1:.4f}   mean F1 of the labels, each with equal weight"),
            (
                "Hamming loss",
                f"{found.hamming_loss:.4f}   share of single yes-or-no answers that err",
            ),
        ]
        if report.ranking is not None:
            facts += _ranking_facts(report.ranking)
        terminal.facts(facts)
        terminal.say()
        self.show_classes(found.labels, all_classes, predicted=True)
        if report.likely is not None:
            _show_likely(report)
        if report.confident is not None:
            _show_confident(report.confident)
        if report.unseen:
            figures.remark_unseen(report.unseen)
        if report.unknown:
            figures.remark_unknown(report.unknown, "the intercepts alone answer")

    def to_json(self, report: LabelReport) -> Json:
        """Return a report as JSON."""
        each = zip(report.figures.labels, report.figures.accuracies, strict=True)
        found: Json = {
            "rows": report.figures.n,
            "accuracy": {format_label(one.label): accuracy for one, accuracy in each},
            "subset_accuracy": report.figures.exact_match,
            **report.figures.to_json(),
            "ranking": None if report.ranking is None else asdict(report.ranking),
            "without_known_features": report.unknown,
            "unseen_labels": report.unseen,
        }
        if report.likely is not None:
            likely = report.likely.to_json()
            likely.pop("labels")
            found["likely"] = {"min_probability": report.least, **likely}
        if report.confident is not None:
            found["confident"] = figures.confident_to_json(report.confident, "answers")
        return found


def _ranking_facts(found: LabelRanking) -> list[tuple[str, str]]:
    return [
        ("one-error", f"{found.one_error:.4f}   share of rows whose best label is none of theirs"),
        ("coverage", f"{found.coverage:.4g}   labels down the list until all of a row are found"),
        ("ranking loss", f"{found.ranking_loss:.4f}   share of pairs of labels in wrong order"),
        ("precision", f"{found.average_precision:.4f}   average precision of the order of labels"),
    ]


def _show_likely(report: LabelReport) -> None:
    found = report.likely
    assert found is not None
    terminal.heading(f"Labels of a probability of at least {report.least:g}")
    terminal.facts(
        [
            ("micro-F1", f"{found.micro_f1:.4f}"),
            ("precision", f"{found.micro_precision:.4f}   of the labels that are named"),
            ("recall", f"{found.micro_recall:.4f}   of the labels of the rows"),
            ("exact match", f"{found.exact_match:.4f}"),
        ]
    )


def _show_confident(found: Confident) -> None:
    share = f" ({found.n / found.of:.2%})" if found.of else ""
    right = f" ({found.right / found.n:.4f})" if found.n else ""
    terminal.heading(f"Single answers of a probability of at least {found.least:g}")
    terminal.facts(
        [
            ("coverage", f"{found.n:,} of {terminal.plural(found.of, 'answer')}{share}"),
            ("accuracy", f"{found.right:,} of them correct{right}"),
        ]
    )


SEVERAL_LABELS = SeveralLabelReports()


def reports_of(answerer: Answerer) -> Reports[Any]:
    """Return the reports on a model, by whether its rows have several labels."""
    chosen: Reports[Any] = answerer.labels.pick(
        figures.ONE_LABEL, SEVERAL_LABELS, lambda _: SEVERAL_LABELS
    )
    return chosen
