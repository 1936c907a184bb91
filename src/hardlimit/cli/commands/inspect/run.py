"""The work of ``hardlimit inspect``: what is in a model file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from hardlimit import classifiers, describing, model_file, naming
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import json_output, label_columns, models, terminal
from hardlimit.cli.commands.inspect.distances import Measured
from hardlimit.cli.json_output import Json
from hardlimit.cli.label_kinds import kind_of_model
from hardlimit.cli.progress import Progress
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import format_label

if TYPE_CHECKING:
    from hardlimit.classifiers.kernel import KernelClassifier
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.cli.commands.inspect.command import InspectOptions
    from hardlimit.cli.models import Classifier
    from hardlimit.model_file import ModelFile

Facts = list[tuple[str, str]]


def run(options: InspectOptions) -> None:
    """Print what a model is, and how far the rows of a file lie from its boundary."""
    models.require(options.model)
    # Until the end: what is printed is computed while it is printed.
    with Progress() as line:
        file = model_file.open(options.model)
        if options.verify:
            # Before loading: damage is to be named as such, and not by what it breaks later.
            file.verify()
        line.stage(f"loading {options.model}")
        classifier = models.load(options.model)
        # Measured before anything is printed: an error in FILE leaves no half of a result behind.
        measured = None
        if options.distances is not None:
            measured = Measured(classifier, options.distances)
        if not options.as_json:
            _show(file, classifier, options)
            if measured is not None:
                measured.show()
            return
        found = _to_json(file, classifier, options)
    if measured is not None:
        found["distances"] = measured.to_json()
    json_output.print_json(found)


def _show(file: ModelFile, classifier: Classifier, options: InspectOptions) -> None:
    form = classifier.fitted.form
    terminal.say(terminal.paint(options.model, "bold") + f": a classifier of {form.examples}")
    terminal.say()
    terminal.facts(_facts(file, classifier, options.verify))
    if options.top == 0:
        return
    if classifiers.votes(file.header):
        terminal.say()
        terminal.say("  All weights of its training vote: there are no single weights to list.")
    # A kernel model has weights of rows, none of columns.
    elif _kernel(file.header) is None:
        form.do(_WeightsShown(classifier, options))


class _WeightsShown(ByForm[None]):
    """Prints what weighs most."""

    def __init__(self, classifier: Classifier, options: InspectOptions) -> None:
        self._classifier, self._options = classifier, options

    def numbers(self) -> None:
        """Print the weights of columns."""
        _show_weights(cast("LinearClassifier", self._classifier), self._options.top)

    def one_text(self) -> None:
        """Print the terms of each class."""
        terminal.heading(
            f"Most telling terms of each {kind_of_model(self._classifier.fitted.classes).each}"
        )
        progress.report("looking for the most telling terms")
        terms = _telling_terms(self._classifier, self._options)
        _show_lists({label: [term for term, _ in pairs] for label, pairs in terms.items()})


class _WeightsToJson(ByForm[Json]):
    """Returns what weighs most as JSON."""

    def __init__(self, classifier: Classifier, options: InspectOptions) -> None:
        self._classifier, self._options = classifier, options

    def numbers(self) -> Json:
        """Return the weights of columns."""
        if self._options.top == 0:
            return {}
        classifier = cast("LinearClassifier", self._classifier)
        weights = describing.weights(classifier, self._options.top)
        named = {
            format_label(label): [{"column": name, "weight": weight} for name, weight in pairs]
            for label, pairs in weights.items()
        }
        return {"weights": named, "intercept": classifier.intercept_.tolist()}

    def one_text(self) -> Json:
        """Return the terms of each class."""
        found = {
            format_label(label): [{"term": term, "weight": weight} for term, weight in terms]
            for label, terms in _telling_terms(self._classifier, self._options).items()
        }
        return {"telling_terms": found}


def _telling_terms(
    classifier: Classifier, options: InspectOptions
) -> dict[Any, list[tuple[str, float]]]:
    top = describing.TOP if options.top is None else options.top
    return describing.telling_terms(cast("TextClassifier", classifier), top)


def _show_lists(lists: dict[Any, list[str]]) -> None:
    """Print a list a class, wrapped beside its label."""
    labels = max(terminal.display_width(format_label(label)) for label in lists)
    # A long label must leave room for its terms.
    labels = min(labels, terminal.width() // 3)
    columns = terminal.width() - labels - 4
    for label, items in lists.items():
        name = terminal.pad(terminal.cut(format_label(label), labels), labels)
        for line in terminal.listed(items, columns):
            terminal.say(f"  {name}  {line}")
            # The label stands on the first line only.
            name = " " * labels


def _show_weights(classifier: LinearClassifier, top: int | None) -> None:
    """Print weight and name of the columns, a class after the other."""
    found = describing.weights(classifier, top)
    columns = classifier.coef_.shape[1]
    for (label, weights), intercept in zip(
        found.items(), classifier.intercept_.tolist(), strict=True
    ):
        cut = f", the largest {len(weights)} of {columns:,}" if len(weights) < columns else ""
        terminal.heading(f"Weights for '{format_label(label)}'{cut}")
        rows = [(f"{weight:+.6g}", name) for name, weight in weights]
        for line in terminal.table(
            (">weight", "column"), [*rows, (f"{intercept:+.6g}", "(intercept)")]
        ):
            terminal.say(line)


def _features(file: ModelFile) -> str:
    text = file.header.get("text")
    if text:
        return describing.text_features(text)
    return describing.numbers(file.header.get("map_columns", file.header["columns"]))


def _kernel(header: Mapping[str, Any]) -> str | None:
    """Return the kernel of a model, as its parameters would be written; None of a linear one."""
    # The header comes from a file, which may lack them.
    parameters = header.get("parameters")
    if not isinstance(parameters, dict) or "kernel" not in parameters:
        return None
    return naming.kernel_name(parameters["kernel"])


def _kernel_fact(file: ModelFile, classifier: Classifier) -> Facts:
    kernel, own_map = _kernel(file.header), classifier.fitted.map
    if own_map is not None:
        return [
            ("map", f"{naming.map_name(own_map)}, {terminal.plural(own_map.n_columns_, 'column')}")
        ]
    if kernel is None:
        return []
    supports = cast("KernelClassifier", classifier).n_support_
    return [("kernel", f"{kernel}, {terminal.plural(supports, 'support')}")]


def _estimator_fact(classifier: Classifier) -> Facts:
    name = _estimator(classifier)
    if name is None:
        return []
    return [("estimator", f"{name}, with scikit-learn: hardlimit.load(path)")]


def _estimator(classifier: Classifier) -> str | None:
    """Return the class of the estimator that was saved; None of a classifier."""
    section = classifier.fitted.estimator
    # Only loading the estimator itself checks what its section says.
    return None if section is None else terminal.escape_controls(str(section.get("class")))


def _sections(file: ModelFile) -> dict[str, int]:
    """Return the bytes of the answer and of the training state."""
    sizes = {"answer": 0, "state": 0}
    for name, tensor in file.tensors.items():
        # By the prefix that the format gives to the tensors of the state.
        section = "state" if name.startswith("state.") else "answer"
        sizes[section] += tensor.end - tensor.begin
    return sizes


def _facts(file: ModelFile, classifier: Classifier, verified: bool) -> Facts:
    sizes = _sections(file)
    state = (
        f"training state {terminal.format_bytes(sizes['state'])}"
        if sizes["state"]
        else "no training state (it predicts, but cannot be trained further)"
    )
    counts = classifier.metadata.get(describing.COUNTS)
    number = len(classifier.classes_)
    named = (
        describing.class_counts([(label, n) for label, n in counts])
        if counts
        else ", ".join(map(format_label, list(classifier.classes_)[:12]))
    )
    kind = kind_of_model(classifier.fitted.classes)
    pairs = [
        *_estimator_fact(classifier),
        (kind.key, f"{number}: {named}"),
        ("features", _features(file)),
        *_kernel_fact(file, classifier),
        ("learning", describing.learning(classifier)),
        *describing.choices(classifier),
        ("stopped", describing.stop_reason(classifier)),
    ]
    if classifier.n_training_errors_ is not None:
        pairs.append(("errors", f"{classifier.n_training_errors_:,} on the training rows"))
    progressive = describing.progressive(classifier)
    if progressive:
        pairs.append(("progressive", progressive))
    pairs += _decisions(file, classifier)
    pairs += _measured(classifier)
    pairs += _provenance(file, classifier)
    pairs += [
        ("input", _layout(classifier)),
        (
            "file",
            f"{terminal.format_bytes(file.size)}: answer "
            f"{terminal.format_bytes(sizes['answer'])}, {state}",
        ),
        (
            "digests",
            "correct: every byte is as written" if verified else "not checked (see --verify)",
        ),
    ]
    return pairs


def _decisions(file: ModelFile, classifier: Classifier) -> Facts:
    """Return which of two classes is predicted when, or the values of each label."""
    shown = describing.label_decisions(classifier)
    if shown or len(classifier.classes_) != 2:
        return [("" if at else "decisions", one) for at, one in enumerate(shown)]
    threshold = float(file.header["threshold"])
    return [("decision", describing.decision(classifier.classes_.tolist(), threshold))]


def _layout(classifier: Classifier) -> str:
    remembered = describing.layout_of(classifier.metadata)
    form = classifier.fitted.form
    columns = form.columns
    labels = classifier.metadata.get(label_columns.NAMES)
    if remembered and labels:
        drop = [name for name in remembered.get("drop", ()) if name not in labels]
        said = describing.layout({**remembered, "label": labels[0], "drop": drop})
        named = ", ".join(map(repr, labels))
        return said.replace(f"label in column {labels[0]!r}", f"labels in columns {named}", 1)
    if remembered and columns:
        said = describing.layout({**remembered, "text": columns[0]})
        shown = columns[: form.columns_named]
        named = ", ".join(map(repr, shown))
        named += f" and {len(columns) - len(shown)} more" if len(columns) > len(shown) else ""
        return said.replace(f"text in column {columns[0]!r}", f"{form.cells} in columns {named}", 1)
    return describing.layout(remembered)


def _measured(classifier: Classifier) -> Facts:
    """Return what is known of probabilities, and of rows that were held out."""
    pairs = []
    slope = classifier.fitted.slope
    if slope is not None:
        formula = f"1 / (1 + exp(-{slope.a:.4g} score))"
        if classifier.fitted.classes.competing:
            formula = f"exp({slope.a:.4g} score), divided by the sum over the classes"
        pairs.append(("probability", f"{formula}; fitted out of sample"))
    held_out = classifier.metadata.get(describing.HELD_OUT)
    if held_out:
        share = f"{held_out['accuracy']:.4f} on {terminal.plural(held_out['rows'], 'held-out row')}"
        pairs.append((kind_of_model(classifier.fitted.classes).exact, share))
    return pairs


def _provenance(file: ModelFile, classifier: Classifier) -> Facts:
    """Return where the model comes from, as far as it says so."""
    pairs = []
    if "written_by" in file.header:
        pairs.append(("written by", str(file.header["written_by"])))
    sources = classifier.metadata.get(describing.SOURCES)
    if sources:
        last, more = sources["last"][-1], sources["n"] - 1
        size = terminal.format_bytes(last["bytes"])
        several = f" in {terminal.plural(last['files'], 'file')}" if "files" in last else ""
        text = f"sha256 {last['sha256']} ({size}{several})"
        earlier = f", and {terminal.plural(more, 'earlier file')}" if more else ""
        pairs.append(("trained on", text + earlier))
    note = classifier.metadata.get(describing.NOTE)
    if note:
        pairs.append(("note", terminal.escape_controls(str(note))))
    return pairs


def _to_json(file: ModelFile, classifier: Classifier, options: InspectOptions) -> Json:
    found: Json = {
        "model": file.path,
        "kind": file.kind,
        "estimator": _estimator(classifier),
        "bytes": file.size,
        "sections": _sections(file),
        "verified": options.verify,
        "written_by": file.header.get("written_by"),
        "training_files": classifier.metadata.get(describing.SOURCES),
        "note": classifier.metadata.get(describing.NOTE),
        "classes": list(classifier.classes_),
        "features": _features(file),
        "learning": describing.learning(classifier),
        **describing.choices_to_json(classifier),
        "slope": None if classifier.fitted.slope is None else classifier.fitted.slope.a,
        "epochs": classifier.n_iter_,
        "corrections": classifier.n_corrections_,
        "training_errors": classifier.n_training_errors_,
        "progressive_error": describing.progressive_error(classifier),
        "stop_reason": classifier.stop_reason_,
        "threshold": float(file.header["threshold"]),
        "metadata": classifier.metadata,
    }
    kernel = _kernel(file.header)
    if kernel is not None:
        found |= {"kernel": kernel, "supports": cast("KernelClassifier", classifier).n_support_}
    if classifiers.votes(file.header) or kernel is not None:
        found["weights"] = None
    else:
        heaviest: Json = classifier.fitted.form.do(_WeightsToJson(classifier, options))
        found |= heaviest
    return found
