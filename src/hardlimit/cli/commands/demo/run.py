"""The work of ``hardlimit demo``: read, train, measure and explain, shown step by step."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hardlimit import demo_corpus, describing
from hardlimit.classifiers.text import TextClassifier
from hardlimit.cli import contributions, figures, invocation, json_output, terminal
from hardlimit.cli.labelled_rows import Labelled
from hardlimit.cli.progress import Progress
from hardlimit.examples.texts import Texts
from hardlimit.foundation.formatting import format_label, plural
from hardlimit.predictions.answerers import Fitted
from hardlimit.predictions.measuring import Report

if TYPE_CHECKING:
    from hardlimit.cli.commands.demo.command import DemoOptions
    from hardlimit.demo_corpus import Passage

HELD_OUT = 0.2
_TERMS = 8
_EPOCHS = 10


def run(options: DemoOptions) -> None:
    """Train on four fifths of the corpus, measure on the rest, explain one answer."""
    # Reading and learning are timed apart: each is shown with its own part.
    began = time.perf_counter()
    with Progress(_EPOCHS) as progress:
        progress.stage("reading the sources of the standard library")
        corpus = demo_corpus.read()
        data = Labelled("demo", Texts([p.text for p in corpus]), [p.label for p in corpus])
        training, held_out = figures.split(data, HELD_OUT)
        read = time.perf_counter()
        progress.stage("reading texts into features")
        # words only: with fragments of words the accuracy is a point or two higher, but no one can
        # read the terms
        classifier = TextClassifier(chars=None, max_iter=_EPOCHS)
        classifier.fit(training.examples, training.labels, callback=progress)
        trained = time.perf_counter()
        progress.stage("measuring")
        report = figures.ONE_LABEL.measure(Fitted(classifier), held_out, None)
        if options.output is not None:
            classifier.save(options.output)
    if options.as_json:
        held_out_figures = figures.ONE_LABEL.to_json(report)
        json_output.print_json(
            {"texts": len(corpus), "classes": dict(data.counts), "held_out": held_out_figures}
        )
        return
    _show_data(corpus, data, read - began)
    _show_training(classifier, training, trained - read)
    _show_result(classifier, report)
    _show_one(classifier, held_out)
    _show_next(options.output)


def _show_data(corpus: list[Passage], data: Labelled, seconds: float) -> None:
    terminal.say(terminal.paint("Which part of the standard library is a docstring from?", "bold"))
    for line in terminal.wrapped(
        f"{plural(len(corpus), 'docstring')} of functions and classes, read from the Python on "
        f"this machine in {seconds:.1f} s; {plural(len(data.counts), 'class', 'classes')}: the "
        "families of modules that they come from. Three of them:"
    ):
        terminal.say(line)
    terminal.say()
    # Evenly spread over the corpus, which is grouped by class, so that the three differ.
    step = len(corpus) // 3
    rows = [(p.label, " ".join(p.text.split())) for p in corpus[step // 2 :: step][:3]]
    for line in terminal.table(("class", "text"), rows):
        terminal.say(line)


def _show_training(classifier: TextClassifier, training: Labelled, seconds: float) -> None:
    terminal.heading(f"Trained on four fifths, {plural(len(training), 'text')}, in {seconds:.1f} s")
    wrong = terminal.plural(classifier.n_training_errors_ or 0, "training text")
    terminal.facts(
        [
            ("features", describing.features(classifier)),
            ("learning", describing.learning(classifier)),
            ("errors", f"{wrong} predicted wrongly"),
        ]
    )


def _show_result(classifier: TextClassifier, report: Report) -> None:
    found = report.figures
    terminal.heading(f"Measured on the other fifth, {plural(found.n, 'text')}")
    terminal.facts(
        [
            ("accuracy", f"{found.accuracy:.4f}   {figures.confidence_interval(found)}"),
            ("baseline", f"{found.baseline:.4f}   always predicting '{found.majority}'"),
            ("macro-F1", f"{found.macro_f1:.4f}   mean F1 of the classes, each with equal weight"),
        ]
    )
    terminal.say()
    taken = 19 + max(len(label) for label in classifier.classes_)
    columns = terminal.width() - taken
    terms = {
        format_label(label): describing.join_fitting((term for term, _ in terms), columns)
        for label, terms in describing.telling_terms(classifier, _TERMS).items()
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
    # Long enough to be interesting, short enough for a few lines of a terminal.
    text, label = next((pair for pair in pairs if 80 < len(pair[0]) < 200), pairs[0])
    terminal.heading("One prediction explained (a held-out text)")
    for line in terminal.wrapped(" ".join(text.split()), indent=4):
        terminal.say(line)
    terminal.say()
    explanation = classifier.explain(text, top=_TERMS)
    contributions.show(explanation)
    correct = explanation.label == label
    terminal.say(f"  {'Correct' if correct else 'Wrong'}: it comes from '{label}'.")


def _show_next(output: str | None) -> None:
    terminal.heading("The same with a file of your own")
    program = invocation.program()
    if output is not None:
        terminal.say(f"  {program} inspect {invocation.quoted(output)}")
    for line in (
        f"{program} train FILE --text COLUMN --label COLUMN -o my.hardlimit",
        f'echo "a new text" | {program} predict my.hardlimit',
        f'{program} explain my.hardlimit "a new text"',
    ):
        terminal.say(f"  {line}")
