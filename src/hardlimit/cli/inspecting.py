"""Showing what is in a model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from hardlimit import describing
from hardlimit.cli import distancing, models, terminal

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.cli.models import Classifier
    from hardlimit.model_file import ModelFile


def run(
    path: str, *, top: int | None, verify: bool, as_json: bool, distances: str | None = None
) -> None:
    """Print what the model at ``path`` is; with ``verify`` every block is compared first.

    ``distances`` names a labelled file whose rows are measured.
    """
    from hardlimit import model_file

    models.require(path)
    file = model_file.open(path)
    if verify:
        file.verify()
    classifier = models.load(path)
    far = None if distances is None else distancing.measure(classifier, distances)
    if as_json:
        found = _plain(file, classifier, top, verify)
        models.say_json(found if far is None else found | {"distances": distancing.plain(*far)})
        return
    _show(path, file, classifier, top, verify)
    if far is not None:
        distancing.show(*far)


def _show(
    path: str, file: ModelFile, classifier: Classifier, top: int | None, verify: bool
) -> None:
    telling = cast("TextClassifier", classifier) if models.takes_texts(classifier) else None
    terminal.say(
        terminal.paint(path, "bold") + f": a classifier of {'texts' if telling else 'numbers'}"
    )
    terminal.say()
    terminal.facts(_facts(file, classifier, verify))
    if top == 0:
        return
    if models.votes(file.header):
        terminal.say()
        terminal.say(
            "  Every hypothesis of its training votes: there are no single weights to list."
        )
    elif telling is not None:
        terminal.heading("Most telling terms")
        found = describing.telling(telling, describing.TOP if top is None else top)
        _show_lists({label: [term for term, _ in terms] for label, terms in found.items()})
    elif models.kernel(file.header) is None:
        _show_weights(cast("LinearClassifier", classifier), top)


def _show_lists(lists: dict[Any, list[str]]) -> None:
    """Print a list a class, wrapped beside its label."""
    labels = max(terminal.display_width(models.format_label(label)) for label in lists)
    labels = min(labels, terminal.width() // 3)
    columns = terminal.width() - labels - 4
    for label, items in lists.items():
        name = terminal.pad(terminal.cut(models.format_label(label), labels), labels)
        for line in terminal.listed(items, columns):
            terminal.say(f"  {name}  {line}")
            name = " " * labels


def _show_weights(classifier: LinearClassifier, top: int | None) -> None:
    """Print weight and name of the columns, a class after the other."""
    found = describing.weights(classifier, top)
    columns = classifier.n_features_in_
    for (label, weights), intercept in zip(
        found.items(), classifier.intercept_.tolist(), strict=True
    ):
        cut = f", the largest {len(weights)} of {columns:,}" if len(weights) < columns else ""
        terminal.heading(f"Weights for '{models.format_label(label)}'{cut}")
        rows = [(f"{weight:+.6g}", name) for name, weight in weights]
        for line in terminal.table(
            (">weight", "column"), [*rows, (f"{intercept:+.6g}", "(intercept)")]
        ):
            terminal.say(line)


def _features(file: ModelFile) -> str:
    text = file.header.get("text")
    return describing.text_features(text) if text else describing.numbers(file.header["columns"])


def _kernel(file: ModelFile, classifier: Any) -> list[tuple[str, str]]:
    kernel = models.kernel(file.header)
    if kernel is None:
        return []
    return [("kernel", f"{kernel}, {terminal.plural(classifier.n_support_, 'support')}")]


def _sections(file: ModelFile) -> dict[str, int]:
    """Return the bytes of the answer and of the training state."""
    sizes = {"answer": 0, "state": 0}
    for name, tensor in file.tensors.items():
        section = "state" if name.startswith("state.") else "answer"
        sizes[section] += tensor.end - tensor.begin
    return sizes


def _facts(file: ModelFile, classifier: Classifier, verified: bool) -> list[tuple[str, str]]:
    sizes = _sections(file)
    state = (
        f"training state {terminal.format_bytes(sizes['state'])}"
        if sizes["state"]
        else ("no training state (it predicts, but cannot be trained further)")
    )
    counts = classifier.metadata.get(models.COUNTS)
    number = len(classifier.classes_)
    named = (
        describing.class_counts([(label, n) for label, n in counts])
        if counts
        else ", ".join(map(models.format_label, list(classifier.classes_)[:12]))
    )
    pairs = [
        ("classes", f"{number}: {named}"),
        ("features", _features(file)),
        *_kernel(file, classifier),
        ("learning", describing.learning(classifier)),
        *describing.choices(classifier),
        ("stopped", describing.stopped(classifier)),
    ]
    if classifier.n_training_errors_ is not None:
        pairs.append(("mistakes", f"{classifier.n_training_errors_:,} on the training rows"))
    if number == 2:
        threshold = float(file.header["threshold"])
        pairs.append(("decision", describing.decision(classifier.classes_.tolist(), threshold)))
    held_out = classifier.metadata.get(models.HELD_OUT)
    if held_out:
        share = f"{held_out['accuracy']:.4f} on {terminal.plural(held_out['rows'], 'held-out row')}"
        pairs.append(("accuracy", share))
    pairs += [
        ("reads", describing.layout(models.layout(classifier.metadata))),
        (
            "file",
            f"{terminal.format_bytes(file.size)}: answer "
            f"{terminal.format_bytes(sizes['answer'])}, {state}",
        ),
        ("digests", "every byte as it was written" if verified else "not compared (--verify does)"),
    ]
    return pairs


def _plain(
    file: ModelFile, classifier: Classifier, top: int | None, verified: bool
) -> dict[str, Any]:
    plain = {
        "model": file.path,
        "kind": file.kind,
        "bytes": file.size,
        "sections": _sections(file),
        "verified": verified,
        "classes": list(classifier.classes_),
        "features": _features(file),
        "learning": describing.learning(classifier),
        **describing.chosen(classifier),
        "epochs": classifier.n_iter_,
        "corrections": classifier.n_corrections_,
        "training_errors": classifier.n_training_errors_,
        "stop_reason": classifier.stop_reason_,
        "threshold": float(file.header["threshold"]),
        "metadata": classifier.metadata,
    }
    kernel = models.kernel(file.header)
    if kernel is not None:
        plain |= {"kernel": kernel, "supports": cast("Any", classifier).n_support_}
    if models.votes(file.header) or kernel is not None:
        plain["weights"] = None
    elif models.takes_texts(classifier):
        texts = cast("TextClassifier", classifier)
        plain["telling_terms"] = {
            models.format_label(label): [{"term": term, "weight": weight} for term, weight in terms]
            for label, terms in describing.telling(
                texts, describing.TOP if top is None else top
            ).items()
        }
    elif top != 0:
        plain["weights"] = {
            models.format_label(label): [
                {"column": name, "weight": weight} for name, weight in weights
            ]
            for label, weights in describing.weights(
                cast("LinearClassifier", classifier), top
            ).items()
        }
        plain["intercept"] = classifier.intercept_.tolist()
    return plain
