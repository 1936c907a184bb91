"""The whole job on the documentation of Python's standard library, told step by step."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hardlimit import describing
from hardlimit.cli import contributions, figures, models, terminal
from hardlimit.cli.progress import Progress
from hardlimit.cli.reading import Labelled
from hardlimit.cli.scoring import Fitted

if TYPE_CHECKING:
    from hardlimit import TextClassifier
    from hardlimit.demo_corpus import Passage

HELD_OUT = 0.2
_TERMS = 8
_EPOCHS = 10


def run(output: str | None, *, as_json: bool) -> None:
    """Read, train, measure, explain; with ``output`` the model is kept."""
    from hardlimit import TextClassifier, demo_corpus

    began = time.perf_counter()
    with Progress(_EPOCHS) as progress:
        progress.stage("reading the sources of the standard library")
        corpus = demo_corpus.read()
        data = Labelled("demo", [p.text for p in corpus], [p.label for p in corpus])
        training, held_out = figures.split(data, HELD_OUT)
        read = time.perf_counter()
        progress.stage("reading texts into features")
        # words only: letters would win a point or two, but nobody can read them
        classifier = TextClassifier(chars=None, max_iter=_EPOCHS)
        classifier.fit(training.examples, training.labels, callback=progress)
        trained = time.perf_counter()
        progress.stage("measuring")
        report = figures.measure(Fitted(classifier), held_out, None)
        if output is not None:
            classifier.save(output)
    if as_json:
        models.say_json(
            {"texts": len(corpus), "classes": dict(data.counts), "held_out": figures.plain(report)}
        )
        return
    _show_data(corpus, data, read - began)
    _show_training(classifier, training, trained - read)
    _show_result(classifier, report)
    _show_one(classifier, held_out)
    _show_next(output)


def _show_data(corpus: list[Passage], data: Labelled, seconds: float) -> None:
    terminal.say(terminal.paint("Which part of the standard library is a docstring from?", "bold"))
    for line in terminal.wrapped(
        f"{len(corpus):,} docstrings of functions and classes, read from the Python on this "
        f"machine in {seconds:.1f} s; {len(data.counts)} classes: the families of modules that "
        "they come from. Three of them:"
    ):
        terminal.say(line)
    terminal.say()
    step = len(corpus) // 3
    rows = [(p.label, " ".join(p.text.split())) for p in corpus[step // 2 :: step][:3]]
    for line in terminal.table(("class", "text"), rows):
        terminal.say(line)


def _show_training(classifier: TextClassifier, training: Labelled, seconds: float) -> None:
    terminal.heading(f"Trained on four fifths, {len(training):,} texts, in {seconds:.1f} s")
    wrong = terminal.plural(classifier.n_training_errors_, "training text")
    terminal.facts(
        [
            ("features", describing.features(classifier)),
            ("learning", describing.learning(classifier)),
            ("mistakes", f"{wrong} still answered wrongly"),
        ]
    )


def _show_result(classifier: TextClassifier, report: figures.Report) -> None:
    found = report.figures
    low, high = found.interval
    terminal.heading(f"Measured on the fifth that it never saw, {found.n:,} texts")
    terminal.facts(
        [
            ("accuracy", f"{found.accuracy:.4f}   95 % sure to lie in {low:.4f} to {high:.4f}"),
            ("baseline", f"{found.baseline:.4f}   always saying '{found.majority}'"),
            ("macro-F1", f"{found.macro_f1:.4f}   mean F1 of the classes, each counted alike"),
        ]
    )
    terminal.say()
    taken = 19 + max(len(label) for label in classifier.classes_)
    columns = terminal.width() - taken
    terms = {
        models.format_label(label): describing.fitting((term for term, _ in terms), columns)
        for label, terms in describing.telling(classifier, _TERMS).items()
    }
    rows = [
        (str(one.label), f"{one.support:,}", f"{one.f1:.2f}", terms.get(str(one.label), ""))
        for one in sorted(found.classes, key=lambda one: -one.f1)
    ]
    for line in terminal.table(("class", ">texts", ">F1", "most telling terms"), rows):
        terminal.say(line)


def _show_one(classifier: TextClassifier, held_out: Labelled) -> None:
    """Explain the first held-out text of a readable length."""
    pairs = list(zip(held_out.examples, held_out.labels, strict=True))
    text, label = next((pair for pair in pairs if 80 < len(pair[0]) < 200), pairs[0])
    terminal.heading("One answer explained (this text was held out)")
    for line in terminal.wrapped(" ".join(text.split()), indent=4):
        terminal.say(line)
    terminal.say()
    explanation = classifier.explain(text, top=_TERMS)
    contributions.show(explanation)
    right = explanation.label == label
    terminal.say(f"  {'Right' if right else 'Wrong'}: it comes from '{label}'.")


def _show_next(output: str | None) -> None:
    terminal.heading("The same with a file of your own")
    program = models.program()
    if output is not None:
        terminal.say(f"  {program} inspect {models.quoted(output)}")
    for line in (
        f"{program} train FILE --text COLUMN --label COLUMN -o my.hardlimit",
        f'echo "a new text" | {program} predict my.hardlimit',
        f'{program} explain my.hardlimit "a new text"',
    ):
        terminal.say(f"  {line}")
