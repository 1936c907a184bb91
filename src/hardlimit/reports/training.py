"""How the model was trained, why training stopped, and what the file holds."""

from __future__ import annotations

from typing import Any

from hardlimit import describing
from hardlimit.foundation.formatting import format_bytes, plural
from hardlimit.reports._charts import Axis, Bars, Line, chart
from hardlimit.reports._markup import Markup, joined, shown, tag
from hardlimit.reports._study import Study
from hardlimit.reports._tables import facts, percent

PLACE = 30
TITLE = "How it was trained, and why it stopped"
BARS = 60  # as many epochs are drawn as bars, more as a line


def content(study: Study) -> Markup:
    """Rule, order, epochs, corrections, stop; mistakes an epoch; the file."""
    return joined([facts(_facts(study)), _history(study)])


def _facts(study: Study) -> list[tuple[str, Any]]:
    model = study.model
    pairs: list[tuple[str, Any]] = [
        ("classes", _classes(study)),
        ("features", _features(model)),
        *_kernel(study),
        ("learning", describing.learning(model)),
        *describing.choices(model),
        ("stopped", describing.stopped(model)),
    ]
    if model.n_training_errors_ is not None:
        pairs.append(("mistakes at the end", f"{model.n_training_errors_:,} on the training rows"))
    if len(study.classes) == 2 and not study.many:
        pairs.append(("decision", describing.decision(study.classes, study.threshold)))
    held_out = model.metadata.get(describing.HELD_OUT)
    if held_out:
        rows = plural(held_out["rows"], "row")
        pairs.append(("held out then", f"{percent(held_out['accuracy'])} right of {rows}"))
    if study.file is not None:
        digest = tag("code", study.file.digest)
        pairs += [("model file", format_bytes(study.file.size)), ("its SHA-256", digest)]
    return pairs


def _features(model: Any) -> str:
    if describing.takes_texts(model):  # a file may have been saved without its vectorizer
        return describing.text_features(model.fitted.features())
    return describing.features(model)


def _classes(study: Study) -> Markup:
    names = study.classes
    named = [[", " if at else "", shown(label)] for at, label in enumerate(names[:12])]
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return joined([f"{len(names):,}: ", named, more])


def _kernel(study: Study) -> list[tuple[str, str]]:
    kernel = getattr(study.model, "kernel", None)
    if kernel is None:
        return []
    from hardlimit import kernels

    name = kernel if isinstance(kernel, str) else repr(kernels.resolve(kernel))
    return [("kernel", f"{name}, {plural(study.model.n_support_, 'support')}")]


def _history(study: Study) -> Markup | None:
    """Mistakes an epoch, as bars or a line."""
    history = study.model.history_
    if len(history) < 2:
        return None
    mistakes = [float(record.mistakes) for record in history]
    epochs = len(mistakes)
    name = describing.round_of(study.model)
    up = Axis.over("mistakes", 0, max(mistakes))
    said = f"{mistakes[0]:,.0f} in the first {name}, {mistakes[-1]:,.0f} in the last of {epochs:,}"
    if epochs <= BARS:
        ticks = tuple(range(1, epochs + 1, max(1, -(-epochs // 12))))
        across = Axis(name, 0.5, epochs + 0.5, ticks)
        edges = [k + 0.5 for k in range(epochs + 1)]
        return chart(f"Mistakes in each {name}", said, across, up, [Bars(edges, mistakes)])
    across = Axis.over(name, 0, epochs)
    points = [(float(at), value) for at, value in enumerate(mistakes, 1)]
    return chart(f"Mistakes in each {name}", said, across, up, [Line(points)])
