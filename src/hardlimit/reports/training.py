"""How the model was trained, why training stopped, and what the file holds."""

from __future__ import annotations

from typing import Any

from hardlimit import describing, naming
from hardlimit.foundation.formatting import format_bytes, plural
from hardlimit.reports._charts import Axis, Bars, ChartLine, render_chart
from hardlimit.reports._markup import Markup, join, render_label, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import format_percent, render_facts

PLACE = 30
TITLE = "Training, and why it stopped"
BACKGROUND = True
BARS = 60  # as many epochs are drawn as bars, more as a line


def content(study: Study) -> Markup:
    """Render rule, order, epochs and stop, the mistakes of each epoch, and the file."""
    return join([render_facts(_list_facts(study)), _draw_history(study)])


def _list_facts(study: Study) -> list[tuple[str, Any]]:
    model = study.model
    pairs: list[tuple[str, Any]] = [
        ("classes", _render_classes(study)),
        ("features", study.features_in_words),
        *_describe_kernel(study),
        ("learning", describing.learning(model)),
        *describing.choices(model),
        ("stopped", describing.stop_reason(model)),
    ]
    if model.n_training_errors_ is not None:
        pairs.append(("training errors", f"{model.n_training_errors_:,} of the training rows"))
    if len(study.classes) == 2 and not study.has_label_sets:
        pairs.append(("decision", study.decision))
    held_out = model.metadata.get(describing.HELD_OUT)
    if held_out:
        rows = plural(held_out["rows"], "row")
        pairs.append(("held out then", f"{format_percent(held_out['accuracy'])} of {rows} correct"))
    if study.file is not None:
        digest = tag("code", study.file.digest)
        pairs += [("model file", format_bytes(study.file.size)), ("its SHA-256", digest)]
    return pairs


def _render_classes(study: Study) -> Markup:
    names = study.classes
    named = [[", " if at else "", render_label(label)] for at, label in enumerate(names[:12])]
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return join([f"{len(names):,}: ", named, more])


def _describe_kernel(study: Study) -> list[tuple[str, str]]:
    kernel = getattr(study.model, "kernel", None)
    if kernel is None:
        return []
    name = naming.kernel_name(kernel)
    return [("kernel", f"{name}, {plural(study.model.n_support_, 'support')}")]


def _draw_history(study: Study) -> Markup | None:
    """Draw the mistakes of each epoch, as bars or a line."""
    history = study.model.history_
    # a single epoch has no course to be drawn
    if len(history) < 2:
        return None
    mistakes = [float(record.mistakes) for record in history]
    epochs = len(mistakes)
    name = describing.epoch_name(study.model)
    up = Axis.over("mistakes", 0, max(mistakes))
    summary = (
        f"{mistakes[0]:,.0f} in the first {name}, {mistakes[-1]:,.0f} in the last of {epochs:,}"
    )
    if epochs <= BARS:
        # at most about a dozen numbers find room
        ticks = tuple(range(1, epochs + 1, max(1, -(-epochs // 12))))
        across = Axis(name, 0.5, epochs + 0.5, ticks)
        edges = [k + 0.5 for k in range(epochs + 1)]
        return render_chart(
            f"Mistakes in each {name}", summary, across, up, [Bars(edges, mistakes)]
        )
    across = Axis.over(name, 0, epochs)
    points = [(float(at), value) for at, value in enumerate(mistakes, 1)]
    return render_chart(f"Mistakes in each {name}", summary, across, up, [ChartLine(points)])
