"""What a classifier is and how it was trained, in words for people and as plain JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hardlimit.foundation.formatting import display_width, escape_controls, format_label, plural

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier

    Classifier = TextClassifier | LinearClassifier

_STOPPED = {
    "separated": "separated: the last weights answer every training row rightly "
    "(checked by a pass of its own)",
    "margin_reached": "margin reached: the last weights answer every training row with the margin "
    "asked for (checked by a pass of its own)",
    "max_iter": "all epochs were run",
    "interrupted": "you interrupted it",
    "settled": "settled: a whole round corrected nothing, so that nothing would ever change",
    "stalled": "stalled: the corrections of the wrong rows cancel each other",
    "cycling": "cycling: the weights come round",
    "stream": "it went on from an earlier state, each row presented once a round",
}
# What the command line keeps in the metadata of a model file.
LAYOUT = "layout"
POSITIVE = "positive"
HELD_OUT = "held_out"
COUNTS = "counts"

TOP = 10
FEW_COLUMNS = 20  # so many weights are shown without being asked for
_CLASSES_NAMED = 12
_LOOKED_AT = 30  # times as many terms are looked at to find whole words


def takes_texts(model: Classifier) -> bool:
    """Tell a classifier of texts from one of numbers."""
    return hasattr(type(model), "vectorizer_")


def layout_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the training file was read; empty for a model fitted in Python."""
    remembered = metadata.get(LAYOUT)
    return dict(remembered) if isinstance(remembered, dict) else {}


def stop_reason(classifier: Classifier) -> str:
    """Say why training ended, and where another read-out answers than the one that got there."""
    reason = classifier.stop_reason_
    said = _STOPPED.get(reason, reason).replace("epochs", f"{epoch_name(classifier)}s")
    wrong, readout = classifier.n_training_errors_, classifier.fitted.choices.readout
    if reason == "cycling":
        return said + _round_and_round(classifier)
    if reason in ("settled", "stalled"):
        return said + _left_wrong(reason, classifier.history_[-1].mistakes)
    if reason in ("separated", "margin_reached") and readout != "last" and wrong:
        rows = plural(wrong, "row")
        said += (
            f"; it is the {readout} weights that answer, and they still err on {rows}: for the "
            "last ones train with --readout last"
        )
    return said


def _round_and_round(classifier: Classifier) -> str:
    """Say how long the period is, what it proves, and what to do."""
    cycle = classifier.cycle_
    if cycle is None:
        return ""
    one = epoch_name(classifier)
    epochs = one if cycle.epochs == 1 else plural(cycle.epochs, one)
    corrections = plural(cycle.corrections, "correction")
    wrong = plural(classifier.history_[-1].mistakes, "mistake")
    return (
        f" every {epochs} ({corrections}), which proves that the rows are not separable ({wrong} "
        "in the last round); --readout averaged answers by the mean of the weights, and a kernel "
        "or further columns may separate them (KernelClassifier and maps, in Python)"
    )


def _left_wrong(reason: str, mistakes: int) -> str:
    wrong = plural(mistakes, "row is", "rows are")
    if reason == "stalled":
        return f"; {wrong} wrong or at a score of 0, for ever (--order shuffled moves on)"
    return f"; {wrong} still wrong" if mistakes else ""


def margin(classifier: Classifier) -> str:
    """Say what training learnt of the largest margin, and what the theorem makes of it.

    Empty where the weights are no sum of rows, so that nothing bounds it from above.
    """
    found = classifier.bounds_
    bracket = found.gamma
    if len(found.parts) > 1 or bracket.most is None:
        return ""
    if bracket.most == 0:
        return "none: the rows are not separable"
    if bracket.least is None:
        return f"gamma, the largest one, is at most {bracket.most:.4g}"
    said = f"gamma, the largest one, lies between {bracket.least:.4g} and {bracket.most:.4g}"
    promised = found.lines[0][0]
    if promised.value is None:
        return said
    return (
        f"{said}; Novikoff's theorem then promises at most {promised.value:,.0f} {promised.of}: "
        f"there were {promised.count:,}"
    )


def gamma(classifier: Classifier) -> dict[str, float | None] | None:
    """The same bracket as plain JSON."""
    found = classifier.bounds_
    if len(found.parts) > 1:
        return None
    return {"least": found.gamma.least, "most": found.gamma.most}


def cycle(classifier: Classifier) -> dict[str, int] | None:
    """The period of a run that goes round, as plain JSON."""
    found = classifier.cycle_
    return None if found is None else found._asdict()


def class_counts(counts: Iterable[tuple[Any, int]]) -> str:
    """List the classes with their numbers, the most frequent first.

    >>> class_counts([("spam", 747), ("ham", 4827)])
    'ham (4,827), spam (747)'
    """
    ordered = sorted(counts, key=lambda pair: -pair[1])
    named = ", ".join(f"{format_label(label)} ({n:,})" for label, n in ordered[:_CLASSES_NAMED])
    left = len(ordered) - _CLASSES_NAMED
    return f"{named}, and {left} more down to {ordered[-1][1]:,}" if left > 0 else named


def features(classifier: Classifier) -> str:
    """Say what a classifier in memory counts in a text."""
    found: Any = classifier
    if takes_texts(classifier):
        return text_features(found.vectorizer_.header())
    return numbers(found.n_features_in_)


def numbers(columns: int) -> str:
    """Say how long a row of numbers is."""
    return f"{plural(columns, 'number')} a row"


def text_features(header: Mapping[str, Any]) -> str:
    """Say what is counted in a text, from the header of its vectorizer."""
    parts = []
    for name, (low, high) in (("words", header["words"]), ("characters", header["chars"])):
        if high:
            parts.append(f"{name} {low}-{high}" if low != high else f"{name} {low}")
    weighting = [
        f"{header['tf']} counts",
        f"{header['idf']} idf" if header["idf"] else "no idf",
        "unit length" if header["norm"] else "no norm",
    ]
    bits = header["hash_bits"]
    columns = header["n_columns"]
    kept = f"hashed to {1 << bits:,} columns" if bits else plural(columns, "term")
    return f"{' and '.join(parts)}: {kept}; {', '.join(weighting)}"


def format_value(value: Any) -> str:
    """Name the value of a parameter: numbers without a needless point.

    >>> format_value(1.0), format_value("inf"), format_value(True), format_value(None)
    ('1', 'inf', 'True', 'none')
    """
    if value is None:
        return "none"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if is_number else str(value)


def name_rule(rule: Any) -> str:
    """Name a rule with its parameters.

    >>> name_rule("margin-perceptron")
    'margin-perceptron (b=1)'
    """
    from hardlimit import rules

    if isinstance(rule, str):
        if rule not in rules.names():  # another's rule, of which the file knows the name only
            return rule
        rule = rules.get(rule)
    if not rules.is_registered(rule):
        return repr(rule)
    plain = rules.to_json(rule)
    values = ", ".join(f"{key}={format_value(value)}" for key, value in plain["parameters"].items())
    return f"{plain['name']} ({values})" if values else str(plain["name"])


def learning(classifier: Classifier) -> str:
    """Say by which rule, how long and how often was learnt."""
    rule = name_rule(classifier.rule)
    scheme = f", {classifier.multiclass}" if len(classifier.classes_) > 2 else ""
    rounds = plural(classifier.n_iter_, epoch_name(classifier))
    return f"{rule}{scheme}; {rounds}, {plural(classifier.n_corrections_, 'correction')}"


def epoch_name(classifier: Classifier) -> str:
    """Name a round: a batch corrects once in it."""
    from hardlimit import orders

    return "iteration" if orders.resolve(classifier.order).loop == "batch" else "epoch"


def choices(classifier: Classifier) -> list[tuple[str, str]]:
    """Say in which order, how far and under which guards was learnt, and what answers."""
    choices = classifier.fitted.choices
    schedule, readout, averaging = choices.schedule, choices.readout, choices.averaging
    named = readout if readout != "averaged" or averaging == "post" else f"averaged ({averaging})"
    pairs = [
        ("order", name_choice(choices.order)),
        ("schedule", name_choice(schedule) if schedule is not None else ""),
        ("guards", ", ".join(map(name_choice, choices.guards))),
        ("scale", scale_name(classifier)),
        ("read-out", named),
    ]
    return [(name, text) for name, text in pairs if text]


def scale_name(classifier: Classifier) -> str:
    """Name what numbers are divided by; empty where they are as they were."""
    from hardlimit import scaling

    name = scaling.name_of(classifier.fitted.choices.scale)
    return "" if name == "none" else name


def choices_to_json(classifier: Classifier) -> dict[str, Any]:
    """Return order, schedule, guards and read-out as plain JSON."""
    from hardlimit import guards, orders, schedules

    choices = classifier.fitted.choices
    schedule = choices.schedule
    known = schedules.SCHEDULES.holds(schedule)
    readout = choices.readout
    return {
        "order": orders.ORDERS.to_json(choices.order),
        "schedule": schedules.SCHEDULES.to_json(schedule) if known else schedule and repr(schedule),
        "guards": [guards.GUARDS.to_json(one) for one in choices.guards],
        "readout": readout,
        "averaging": classifier.averaging if readout == "averaged" else None,
        "scale": scale_name(classifier) or None,
    }


def name_choice(choice: Any) -> str:
    """Name an order, a schedule or a guard with its parameters.

    >>> from hardlimit import guards, orders, schedules
    >>> name_choice(guards.AlphaBound(3)), name_choice(orders.Batch())
    ('alpha-bound (alpha=3)', 'batch')
    >>> name_choice(schedules.resolve("1/step"))
    '1/step'
    """
    from hardlimit.foundation.register import Choice, registered_name

    if not isinstance(choice, Choice):  # one of the user's own
        return repr(choice)
    if choice in (usual := _as_written()):
        return usual[choice]
    given = {name: value for name, value in choice.get_params().items() if value is not None}
    values = ", ".join(f"{name}={format_value(value)}" for name, value in given.items())
    return (
        f"{registered_name(type(choice))} ({values})" if values else registered_name(type(choice))
    )


def _as_written() -> dict[Any, str]:
    from hardlimit import schedules

    return {schedules.resolve(text): text for text in ("1/step", "1/sqrt(step)")}


def decision(classes: Iterable[Any], threshold: float) -> str:
    """Say when which of two classes is answered."""
    first, second = map(format_label, classes)
    return f"{second} when the score exceeds {threshold:.4g}, else {first}"


def layout(remembered: Mapping[str, Any]) -> str:
    """Say how the training file was read.

    >>> layout({"format": "csv", "text": "message", "label": "folder", "header": True})
    "csv, text in column 'message', label in column 'folder'"
    """
    if not remembered:
        return "nothing remembered: files are looked at afresh"
    parts = [str(remembered.get("format", "any format"))]
    for role in ("text", "label"):
        if role in remembered:
            parts.append(f"{role} in column {remembered[role]!r}")
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
    for label, terms in classifier.telling_terms(top=top * _LOOKED_AT).items():
        whole = [pair for pair in terms if not pair[0].startswith("[")]
        found[label] = (whole or terms)[:top]
    return found


def weights(classifier: LinearClassifier, top: int | None) -> dict[Any, list[tuple[str, float]]]:
    """Return the weights of the columns of numbers, by class; of two classes those of the second.

    All in the order of the columns where they are few, else (or with ``top``) the largest first.
    """
    remembered = layout_of(classifier.metadata)
    first = 0 if remembered.get("zero_based", True) else 1
    names = remembered.get("columns")
    labels = classifier.classes_.tolist()
    found = {}
    for label, row in zip(
        labels[1:] if len(labels) == 2 else labels, classifier.coef_, strict=True
    ):
        places = range(len(row))
        if top is not None or len(row) > FEW_COLUMNS:
            places = abs(row).argsort(kind="stable")[::-1][: TOP if top is None else top].tolist()
        found[label] = [(names[i] if names else str(i + first), float(row[i])) for i in places]
    return found


def join_fitting(terms: Iterable[str], columns: int) -> str:
    """Join as many terms as fit."""
    line = ""
    for term in map(escape_controls, terms):
        longer = f"{line}, {term}" if line else term
        if line and display_width(longer) > columns:
            break
        line = longer
    return line
