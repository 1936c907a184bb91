"""Descriptions of a classifier and its training, in words for people and as JSON."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hardlimit import naming
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.foundation.formatting import display_width, escape_controls, format_label, plural

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.model.decisions import Pairs
    from hardlimit.classifiers.text import TextClassifier

    Classifier = TextClassifier | LinearClassifier

_STOPPED = {
    "separated": "separated: the last weights classify every training row correctly "
    "(checked in a separate pass)",
    "margin_reached": "margin reached: the last weights give every training row the required "
    "margin (checked in a separate pass)",
    "max_iter": "all epochs were run",
    "interrupted": "interrupted by the user",
    "settled": "settled: a whole epoch corrected nothing, so nothing would ever change",
    "stalled": "stalled: the corrections of the wrong rows cancel each other",
    "small_step": "small step: a step was shorter than theta, which is no separation",
    "cycling": "cycling: the weights repeat",
    "given": "not trained: the weights were given",
    "stream": "continued from an earlier state, each row shown once an epoch",
}
# What the command line keeps in the metadata of a model file.
LAYOUT = "layout"
POSITIVE = "positive"
HELD_OUT = "held_out"
COUNTS = "counts"
SOURCES = "training_files"
NOTE = "note"

TOP = 10
FEW_COLUMNS = 20  # so many weights are shown without being asked for
_CLASSES_NAMED = 12
_LABEL_LENGTH = 60
_CANDIDATES = 30  # times as many terms are fetched, to find whole words among them


def layout_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the training file was read; empty for a model fitted in Python."""
    remembered = metadata.get(LAYOUT)
    return dict(remembered) if isinstance(remembered, dict) else {}


def stop_reason(classifier: Classifier) -> str:
    """Return why training ended, with a note where other weights answer than those at the end."""
    reason = classifier.stop_reason_
    said = _STOPPED.get(reason, reason).replace("epochs", f"{epoch_name(classifier)}s")
    # The errors are those of the read-out that answers, which need not be the last weights.
    wrong, readout = classifier.n_training_errors_, classifier.fitted.choices.readout
    if reason == "given" and classifier.n_corrections_:
        return "the weights were given; rows shown later have corrected them"
    if reason == "cycling":
        return said + _describe_cycle(classifier)
    if reason in ("settled", "stalled", "small_step"):
        return said + _count_wrong(reason, classifier.history_[-1].mistakes)
    if reason in ("separated", "margin_reached"):
        said += _explain_readout(classifier, readout, wrong)
    return said


def progressive_error(classifier: Classifier) -> float | None:
    """Return the share of wrong predictions of progressive validation, or None."""
    found = classifier.fitted.outcome.progressive
    return None if found is None else found.error


def progressive(classifier: Classifier) -> str | None:
    """Return the error of progressive validation; None of a model that learnt from memory."""
    found = classifier.fitted.outcome.progressive
    if found is None:
        return None
    return (
        f"{found.mistakes:,} of {plural(found.judged, 'prediction')} wrong ({found.error:.2%}), "
        "each before its row was learnt"
    )


def _explain_readout(classifier: Classifier, readout: str, wrong: int | None) -> str:
    """Return which weights answer, where the last and another read-out disagree on the rows."""
    if readout != "last" and wrong:
        return (
            f"; but the {readout} weights answer, as was asked for, and they err on "
            f"{plural(wrong, 'row')}: for the last weights train with --readout last"
        )
    # Counted of the average too only where that gave way.
    average = classifier.fitted.training_errors.get("averaged")
    if readout == "last" and wrong is not None and average:
        return f"; these answer, since the averaged weights err on {plural(average, 'row')}"
    return ""


def _describe_cycle(classifier: Classifier) -> str:
    """Return how long the period is, what it proves, and what to do."""
    cycle = classifier.cycle_
    if cycle is None:
        return ""
    one = epoch_name(classifier)
    epochs = one if cycle.epochs == 1 else plural(cycle.epochs, one)
    corrections = plural(cycle.corrections, "correction")
    wrong = plural(classifier.history_[-1].mistakes, "mistake")
    return (
        f" every {epochs} ({corrections}), which proves that the rows are not separable ({wrong} "
        "in the last epoch); --readout averaged answers by the mean of the weights, and a kernel "
        "or further columns may separate them (--map polynomial:2, --kernel rbf:1)"
    )


def _count_wrong(reason: str, mistakes: int) -> str:
    wrong = plural(mistakes, "row is", "rows are")
    # Their corrections cancel, and no number of epochs changes that.
    if reason == "stalled":
        return f"; {wrong} wrong or at a score of 0, and will stay so (--order shuffled moves on)"
    return f"; {wrong} still wrong" if mistakes else ""


def margin(classifier: Classifier) -> str:
    """Return what training found out about the largest margin, and the bound that follows.

    Empty where the weights are no sum of rows, so that nothing bounds it from above.
    """
    found = classifier.bounds_
    bracket = found.gamma
    # Several neurons have a margin each, and no one number says them all.
    if len(found.parts) > 1 or bracket.most is None:
        return ""
    if bracket.most == 0:
        return "none: the rows are not separable"
    if bracket.least is None:
        return f"the largest margin (gamma) is at most {bracket.most:.4g}"
    said = f"the largest margin (gamma) lies between {bracket.least:.4g} and {bracket.most:.4g}"
    promised = found.lines[0][0]
    if promised.value is None:
        return said
    return (
        f"{said}; by Novikoff's theorem there are at most {promised.value:,.0f} {promised.of}: "
        f"there were {promised.count:,}"
    )


def gamma(classifier: Classifier) -> dict[str, float | None] | None:
    """Return the bounds of the largest margin as JSON."""
    found = classifier.bounds_
    if len(found.parts) > 1:
        return None
    return {"least": found.gamma.least, "most": found.gamma.most}


def cycle(classifier: Classifier) -> dict[str, int] | None:
    """Return the period of a run that repeats, as JSON."""
    found = classifier.cycle_
    return None if found is None else found._asdict()


def short_label(label: object) -> str:
    """Return a label for a sentence, cut where it is long.

    >>> short_label("spam"), short_label("a" * 1000)
    ('spam', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...')
    """
    name = format_label(label)
    return name if len(name) <= _LABEL_LENGTH else name[: _LABEL_LENGTH - 3] + "..."


def class_counts(counts: Iterable[tuple[Any, int]]) -> str:
    """List the classes with their numbers, the most frequent first.

    >>> class_counts([("spam", 747), ("ham", 4827)])
    'ham (4,827), spam (747)'
    """
    ordered = sorted(counts, key=lambda pair: -pair[1])
    named = ", ".join(f"{short_label(label)} ({n:,})" for label, n in ordered[:_CLASSES_NAMED])
    left = len(ordered) - _CLASSES_NAMED
    return f"{named}, and {left} more down to {ordered[-1][1]:,}" if left > 0 else named


def features(classifier: Classifier) -> str:
    """Return what a classifier counts in a text, or how many numbers a row has."""
    return classifier.fitted.form.do(_Features(classifier))


class _Features(ByForm[str]):
    """Says what a model learns from."""

    def __init__(self, classifier: Any) -> None:
        self._classifier = classifier

    def one_text(self) -> str:
        """Return what is counted in a text or a table."""
        return text_features(self._classifier.vectorizer_.header())

    def numbers(self) -> str:
        """Return how long a row is, and what is made of it."""
        found, said = self._classifier, numbers(self._classifier.n_features_in_)
        own_map = found.fitted.map
        if own_map is not None:
            said += f"; {plural(own_map.n_columns_, 'column')} of {naming.map_name(own_map)}"
        if found.fitted.choices.kernel is not None:
            kernel = naming.kernel_name(found.kernel)
            said += f"; {plural(found.n_support_, 'support')} of the kernel {kernel}"
        return said


def numbers(columns: int) -> str:
    """Return how long a row of numbers is."""
    return f"{plural(columns, 'number')} a row"


def text_features(header: Mapping[str, Any]) -> str:
    """Return what is counted in a text or a table, from the header of its vectorizer."""
    from hardlimit.text.descriptions import describe_features  # start-up: answers do without

    return describe_features(header)


def learning(classifier: Classifier) -> str:
    """Return the rule, the epochs and the corrections of the training."""
    rule = naming.name_rule(classifier.rule)
    scheme = f", {classifier.multiclass}" if classifier.fitted.classes.competing else ""
    rounds = plural(classifier.n_iter_, epoch_name(classifier))
    return f"{rule}{scheme}; {rounds}, {plural(classifier.n_corrections_, 'correction')}"


def epoch_name(classifier: Classifier) -> str:
    """Return what an epoch is called: one of a batch corrects once."""
    # Late: `hardlimit predict` asks this module for the layout only, and must start quickly.
    from hardlimit import orders

    return "iteration" if orders.resolve(classifier.order).loop == "batch" else "epoch"


def choices(classifier: Classifier) -> list[tuple[str, str]]:
    """Return order, schedule, guards and scale of the training, and the weights that answer."""
    choices = classifier.fitted.choices
    schedule, readout, averaging = choices.schedule, choices.readout, choices.averaging
    otherwise = f":{averaging}" if readout == "averaged" and averaging != "post" else ""
    pairs = [
        ("order", naming.name_choice(choices.order)),
        ("shards", naming.name_mixing(choices.shards, choices.mixing)),
        ("schedule", naming.name_choice(schedule) if schedule is not None else ""),
        ("guards", ", ".join(map(naming.name_choice, choices.guards))),
        ("scale", scale_name(classifier)),
        ("read-out", readout + otherwise),
    ]
    return [(name, text) for name, text in pairs if text]


def scale_name(classifier: Classifier) -> str:
    """Return the name of the scaling; empty where there is none."""
    # Late, as in `epoch_name`.
    from hardlimit import scaling

    name = scaling.name_of(classifier.fitted.choices.scale)
    return "" if name == "none" else name


def choices_to_json(classifier: Classifier) -> dict[str, Any]:
    """Return order, schedule, guards and read-out as JSON."""
    # Late, as in `epoch_name`.
    from hardlimit import guards, orders, schedules

    choices = classifier.fitted.choices
    schedule = choices.schedule
    known = schedules.SCHEDULES.holds(schedule)
    readout = choices.readout
    return {
        "order": orders.ORDERS.to_json(choices.order),
        "shards": choices.shards,
        "mixing": choices.mixing if choices.shards > 1 else None,
        "schedule": schedules.SCHEDULES.to_json(schedule) if known else schedule and repr(schedule),
        "guards": [guards.GUARDS.to_json(one) for one in choices.guards],
        "readout": readout,
        "averaging": classifier.averaging if readout == "averaged" else None,
        "scale": scale_name(classifier) or None,
    }


def label_decisions(classifier: Classifier) -> list[str]:
    """Return what each neuron of several labels says above a score of 0, and what otherwise."""
    names, threshold = (
        list(map(format_label, classifier.fitted.classes.numbers)),
        classifier.fitted.threshold,
    )
    sets = [f"each label when its score exceeds {threshold:.4g}"]

    def columns(pairs: Pairs) -> list[str]:
        decisions = (decision(values, threshold) for values in pairs)
        return [f"{name}: {one}" for name, one in zip(names, decisions, strict=True)]

    return classifier.fitted.classes.pick([], sets, columns)


def decision(classes: Iterable[Any], threshold: float) -> str:
    """Return when which of two classes is predicted."""
    first, second = map(format_label, classes)
    return f"{second} when the score exceeds {threshold:.4g}, else {first}"


def layout(remembered: Mapping[str, Any]) -> str:
    """Return how the training file was read.

    >>> layout({"format": "csv", "text": "message", "label": "folder", "header": True})
    "csv, text in column 'message', label in column 'folder'"
    """
    if not remembered:
        return "nothing stored: the format of each file is detected anew"
    parts = [str(remembered.get("format", "format detected from each file"))]
    if remembered.get("mail"):
        parts.append("raw mail")
    for role in ("text", "label"):
        if role in remembered:
            parts.append(f"{role} in column {remembered[role]!r}")
    if "labels_separator" in remembered:
        parts.append(f"labels parted by {remembered['labels_separator']!r}")
    if remembered.get("drop"):
        parts.append(f"without column {', '.join(map(repr, remembered['drop']))}")
    if remembered.get("header") is False:
        parts.append("no header")
    if "encoding" in remembered:
        parts.append(str(remembered["encoding"]))
    return ", ".join(parts)


def telling_terms(classifier: TextClassifier, top: int) -> dict[Any, list[tuple[str, float]]]:
    """Return the most telling terms of each class with weights: whole words, where there are any.

    Fragments of words (their names stand in brackets) say the same over and over.
    """
    if not top:
        return {}
    found = {}
    for label, terms in classifier.telling_terms(top=top * _CANDIDATES).items():
        # Terms in brackets are fragments; no word of a text begins so.
        begins = ("[", *(f"{column}: [" for column in classifier.fitted.form.columns))
        whole = [pair for pair in terms if not pair[0].startswith(begins)]
        found[label] = (whole or terms)[:top]
    return found


def columns_of_file(remembered: Mapping[str, Any], n_features: int) -> list[str]:
    """Return how the file of a training calls the columns that were learnt from.

    Without names a column is its number in the file, which counts the label and what was dropped.

    >>> columns_of_file({"label": 1, "place": 1, "drop": ["0"]}, 3)
    ['2', '3', '4']
    >>> columns_of_file({"zero_based": False}, 2)  # svmlight mostly counts from 1
    ['1', '2']
    """
    if remembered.get("columns"):
        return [str(name) for name in remembered["columns"]]
    first = 0 if remembered.get("zero_based", True) else 1
    others: set[int] = set()
    if "place" in remembered:  # a table, whose label is one of its columns
        dropped = [str(name) for name in remembered.get("drop", ())]
        others = {remembered["place"], *(int(name) for name in dropped if name.isdecimal())}
    places = (place for place in itertools.count(first) if place not in others)
    return [str(place) for place in itertools.islice(places, n_features)]


def weights(classifier: LinearClassifier, top: int | None) -> dict[Any, list[tuple[str, float]]]:
    """Return the weights of the columns of numbers, by class; of two classes those of the second.

    All in the order of the columns where they are few, else (or with ``top``) the largest first.
    """
    remembered = layout_of(classifier.metadata)
    own_map = classifier.map_
    if own_map is not None:
        names = own_map.formulas(remembered.get("columns"))
    else:
        names = columns_of_file(remembered, classifier.n_features_in_)
    labels = classifier.fitted.classes.output_labels
    found = {}
    for label, row in zip(labels, classifier.coef_, strict=True):
        places = range(len(row))
        if top is not None or len(row) > FEW_COLUMNS:
            places = abs(row).argsort(kind="stable")[::-1][: TOP if top is None else top].tolist()
        found[label] = [(names[i], float(row[i])) for i in places]
    return found


def join_fitting(terms: Iterable[str], columns: int) -> str:
    """Join as many terms as fit."""
    line = ""
    for term in map(escape_controls, terms):
        longer = f"{line}, {term}" if line else term
        # The first term is shown even where it does not fit: an empty cell says nothing.
        if line and display_width(longer) > columns:
            break
        line = longer
    return line
