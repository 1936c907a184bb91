"""Showing what is in a model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.cli import describing, models, terminal

if TYPE_CHECKING:
    from hardlimit import TextClassifier
    from hardlimit.model_file import ModelFile


def run(path: str, *, top: int, verify: bool, as_json: bool) -> None:
    """Print what the model at ``path`` is; with ``verify`` every block is compared first."""
    from hardlimit import model_file

    file = model_file.open(path)
    if verify:
        file.verify()
    classifier = models.load(path)
    if as_json:
        models.say_json(_plain(file, classifier, top, verify))
        return
    terminal.say(terminal.paint(path, "bold") + ": a text classifier")
    terminal.say()
    terminal.facts(_facts(file, classifier, verify))
    if top:
        terminal.heading("Most telling terms")
        show_telling(classifier, top)


def show_telling(classifier: TextClassifier, top: int) -> None:
    """Print the terms with the largest weights, a class a line."""
    labels = max(terminal.cells(models.shown(label)) for label in classifier.classes_)
    columns = max(30, terminal.width() - labels - 4)
    for line in terminal.table(("", ""), describing.telling(classifier, top, columns)):
        terminal.say(line)


def _sections(file: ModelFile) -> dict[str, int]:
    """Return the bytes of the answer and of the training state."""
    sizes = {"answer": 0, "state": 0}
    for name, tensor in file.tensors.items():
        section = "state" if name.startswith("state.") else "answer"
        sizes[section] += tensor.end - tensor.begin
    return sizes


def _facts(file: ModelFile, classifier: TextClassifier, verified: bool) -> list[tuple[str, str]]:
    sizes = _sections(file)
    state = (
        f"training state {terminal.size(sizes['state'])}"
        if sizes["state"]
        else ("no training state (it predicts, but cannot be trained further)")
    )
    counts = classifier.metadata.get(models.COUNTS)
    number = len(classifier.classes_)
    named = (
        describing.class_counts([(label, n) for label, n in counts])
        if counts
        else ", ".join(map(models.shown, list(classifier.classes_)[:12]))
    )
    pairs = [
        ("classes", f"{number}: {named}"),
        ("features", describing.features(classifier)),
        ("learning", describing.learning(classifier)),
        ("stopped", describing.stopped(classifier.stop_reason_)),
    ]
    if classifier.n_training_errors_ is not None:
        pairs.append(("mistakes", f"{classifier.n_training_errors_:,} on the training texts"))
    if number == 2:
        pairs.append(("decision", describing.decision(classifier)))
    held_out = classifier.metadata.get(models.HELD_OUT)
    if held_out:
        share = (
            f"{held_out['accuracy']:.4f} on {terminal.count(held_out['texts'], 'held-out text')}"
        )
        pairs.append(("accuracy", share))
    pairs += [
        ("reads", describing.layout(models.layout(classifier))),
        ("file", f"{terminal.size(file.size)}: answer {terminal.size(sizes['answer'])}, {state}"),
        ("digests", "every byte as it was written" if verified else "not compared (--verify does)"),
    ]
    return pairs


def _plain(file: ModelFile, classifier: TextClassifier, top: int, verified: bool) -> dict[str, Any]:
    return {
        "model": file.path,
        "kind": file.kind,
        "bytes": file.size,
        "sections": _sections(file),
        "verified": verified,
        "classes": list(classifier.classes_),
        "rule": str(classifier.rule),
        "epochs": classifier.n_iter_,
        "corrections": classifier.n_corrections_,
        "training_errors": classifier.n_training_errors_,
        "stop_reason": classifier.stop_reason_,
        "threshold": classifier.threshold_,
        "metadata": classifier.metadata,
        "telling_terms": {
            models.shown(label): [{"term": term, "weight": weight} for term, weight in terms]
            for label, terms in classifier.telling_terms(top=top).items()
        }
        if top
        else {},
    }
