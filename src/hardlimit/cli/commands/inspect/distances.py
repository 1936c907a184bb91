"""Distances of the rows of a file from the boundary of a model: ``inspect --distances``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit import evaluation
from hardlimit.cli import judged_rows, terminal
from hardlimit.cli.json_output import Json
from hardlimit.cli.labelled_rows import Labelled
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions.judges import Fitted
from hardlimit.theory import distances

if TYPE_CHECKING:
    from hardlimit.cli.models import Classifier

NEAREST = 10
BINS = 12
_BAR = 40


def measure(classifier: Classifier, source: str) -> tuple[distances.Distances, Labelled]:
    """Read a labelled file as the training file was, and measure its rows."""
    data = judged_rows.read(Fitted(classifier), [source], {})
    labels = evaluation.match_labels(data.labels, classifier.classes_.tolist())
    return distances.of(classifier, data.examples, labels), data


def show(found: distances.Distances, data: Labelled) -> None:
    """Print the distribution of the margins and the nearest rows."""
    terminal.heading(f"Distances of {terminal.plural(len(data), 'row')} of {data.name}")
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
    terminal.heading("Nearest the boundary")
    near = [
        (f"{found.values[i]:+.4g}", format_label(data.labels[i]), _name_row(data, i))
        for i in found.nearest(NEAREST).tolist()
    ]
    for line in terminal.table((">distance", "label", "row"), near):
        terminal.say(line)


def _name_row(data: Labelled, i: int) -> str:
    """Return the text of a row, or the line of its numbers."""
    if isinstance(data.examples, list) and isinstance(data.examples[i], str | bytes):
        text = data.examples[i]
        whole = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        return terminal.cut(terminal.escape_controls(" ".join(whole.split())), 60)
    return f"line {data.lines[i]:,}" if data.lines else f"row {i + 1:,}"


def to_json(found: distances.Distances, data: Labelled) -> Json:
    """Return everything as JSON."""
    counts, edges = found.histogram(BINS)
    return {
        "file": data.name,
        **found.to_json(),
        "share_wrong": found.share_below(0),
        "histogram": {"counts": counts.tolist(), "edges": edges.tolist()},
        "nearest": found.nearest(NEAREST).tolist(),
    }
