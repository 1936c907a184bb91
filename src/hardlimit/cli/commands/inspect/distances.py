"""Distances of the rows of a file from the boundary of a model: ``inspect --distances``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hardlimit import evaluation
from hardlimit.classifiers.model.forms import decode
from hardlimit.cli import rows_to_answer, terminal
from hardlimit.cli.json_output import Json
from hardlimit.cli.labelled_rows import Labelled
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions.answerers import Fitted
from hardlimit.theory import distances
from hardlimit.theory.distances import Distances

if TYPE_CHECKING:
    from hardlimit.cli.models import Classifier

NEAREST = 10
BINS = 12
_BAR = 40


class Measured:
    """Rows that were measured; of several labels a row from the boundary of each."""

    def __init__(self, classifier: Classifier, source: str) -> None:
        answerer = Fitted(classifier)
        self.data = rows_to_answer.read(answerer, [source], {})
        measuring = _Measuring(classifier, self.data)
        self._shown = answerer.labels.pick(
            measuring.one_label, measuring.label_sets, lambda _: measuring.label_columns
        )()

    def show(self) -> None:
        """Print the distributions of the margins and the nearest rows."""
        for label, found in self._shown.items():
            _show(found, self.data, "" if label is None else f" by {format_label(label)}")

    def to_json(self) -> Json:
        """Return everything as JSON."""
        each = {label: _to_json(found) for label, found in self._shown.items()}
        name = {"file": self.data.name}
        if None in each:
            return {**name, **each[None]}
        return {**name, "labels": {format_label(label): one for label, one in each.items()}}


class _Measuring:
    """Measures rows; None stands for the one boundary of one label a row."""

    def __init__(self, classifier: Classifier, data: Labelled) -> None:
        self._classifier, self._data = classifier, data
        self._known: list[Any] = classifier.classes_.tolist()

    def one_label(self) -> Mapping[Any, Distances]:
        """Measure from the boundary of the classes."""
        labels = evaluation.match_labels(self._data.labels, self._known)
        return {None: distances.of(self._classifier, self._data.examples, labels)}

    def label_sets(self) -> Mapping[Any, Distances]:
        """Measure from the boundary of each label that the model knows."""
        data, known = self._data, set(self._known)
        named = [tuple(evaluation.match_labels(one, self._known)) for one in data.labels]
        return self._measure([tuple(label for label in one if label in known) for one in named])

    def label_columns(self) -> Mapping[Any, Distances]:
        """Measure from the boundary of each column."""
        return self._measure(self._data.targets)

    def _measure(self, labels: Any) -> Mapping[Any, Distances]:
        return distances.of_labels(self._classifier, self._data.examples, labels)


def _show(found: Distances, data: Labelled, by: str) -> None:
    terminal.heading(f"Distances of {terminal.plural(len(data), 'row')} of {data.name}{by}")
    if found.offset is not None:
        terminal.say(f"  The hyperplane lies {abs(found.offset):.4g} from the origin.")
    margins = found.distribution.tolist()
    wrong = sum(margin <= 0 for margin in margins)
    terminal.say(
        f"  Margins from {margins[0]:.4g} to {margins[-1]:.4g}; "
        f"{terminal.plural(wrong, 'row')} on the wrong side or on the boundary."
    )
    terminal.say()
    counts, edges = found.histogram(BINS)
    most = max(counts.tolist())
    # Rounded up, so that a single row is still seen as a bar.
    rows = [
        (f"{low:+.4g}", f"{high:+.4g}", f"{n:,}", "#" * -(-_BAR * n // most))
        for low, high, n in zip(edges.tolist(), edges.tolist()[1:], counts.tolist(), strict=False)
    ]
    for line in terminal.table((">from", ">to", ">rows", ""), rows):
        terminal.say(line)
    terminal.heading(f"Nearest the boundary{by}")
    near = [
        (f"{found.values[i]:+.4g}", _name_label(data, i), _name_row(data, i))
        for i in found.nearest(NEAREST).tolist()
    ]
    for line in terminal.table((">distance", "label", "row"), near):
        terminal.say(line)


def _name_label(data: Labelled, i: int) -> str:
    label = data.kind.named(data.labels[i])
    return ", ".join(map(format_label, label)) if isinstance(label, tuple) else format_label(label)


def _name_row(data: Labelled, i: int) -> str:
    """Return the text of a row, or the line of its numbers."""
    if isinstance(data.examples, list) and isinstance(data.examples[i], str | bytes):
        whole = decode(data.examples[i])
        return terminal.cut(terminal.escape_controls(" ".join(whole.split())), 60)
    return f"line {data.lines[i]:,}" if data.lines else f"row {i + 1:,}"


def _to_json(found: Distances) -> Json:
    counts, edges = found.histogram(BINS)
    return {
        **found.to_json(),
        "share_wrong": found.share_below(0),
        "histogram": {"counts": counts.tolist(), "edges": edges.tolist()},
        "nearest": found.nearest(NEAREST).tolist(),
    }
