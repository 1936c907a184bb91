"""The header of a model file: choices, classes, counts and history, as plain JSON; and votes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hardlimit import budgets, guards, kernels, orders, rules, scaling, schedules
from hardlimit.classifiers.files.origin import origin_of
from hardlimit.classifiers.model.answers import Votes
from hardlimit.classifiers.model.choices import (
    Choices,
    Default,
    UnknownRule,
    resolve_choices,
)
from hardlimit.classifiers.model.decisions import MANY, ClassDecision
from hardlimit.classifiers.model.defaults_of_shards import default_readout
from hardlimit.classifiers.model.many_labels import restore_book
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.packed_weights import Packed
from hardlimit.classifiers.model.parts import Calibration, Counts
from hardlimit.classifiers.model.storable_labels import (
    labels_from_json,
    labels_to_json,
    read_decision,
)
from hardlimit.classifiers.model.text_answer import (
    PACKED,
    PACKED_NAMES,
    VOTES,
    finite,
    has_votes,
    intercept_of,
)
from hardlimit.classifiers.model.text_settings import TEXT_OPTIONS
from hardlimit.exceptions import HardlimitWarning, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import VERSION, caller_stacklevel
from hardlimit.foundation.parameters import to_builtin
from hardlimit.foundation.types import Array
from hardlimit.learner import EpochRecord, FitOutcome, Progressive
from hardlimit.model_file import ModelFile, refuse_contradictions
from hardlimit.text import limits, stop_words
from hardlimit.theory.cycling import Cycle

if TYPE_CHECKING:
    from hardlimit.evaluation.calibration import Slope

Tensors = dict[str, Any]  # numpy arrays, or bytes
_Model = TypeVar("_Model", bound=Model)

MOST = 1 << 53  # things that a file counts
# Characters of names in a header; the whole of it has at most 8 MiB.
MOST_NAMED = 1 << 21

ANYWHERE_ELSE = ("save with ", Setting("training_state", False))

__all__ = [
    "Tensors",
    "check_count",
    "check_finite",
    "has_votes",
    "read_header",
    "read_votes",
    "write_header",
]


def write_header(
    model: Model, kind: str, bias: Array | None, training_state: bool
) -> dict[str, Any]:
    """Return what a file says beside its tensors; ``bias`` has its weights, None of votes."""
    counted, outcome = model.counted, model.outcome
    header = {
        "kind": kind + model.classes.pick("", MANY, lambda _: MANY),
        "parameters": write_parameters(model.choices, model.classes.numbers, training_state),
        "intercept": _intercept(model, bias),
        "threshold": model.threshold,
        "counts": {"corrections": counted.corrections, "mistakes": counted.mistakes},
        # Of the weights of the fit; a stream, also of another read-out, has moved them since.
        "training_errors": {} if model.live else dict(model.training_errors),
        "stop_reason": outcome.stop_reason,
        "history": [[r.mistakes, r.corrections] for r in outcome.history],
        "metadata": dict(model.metadata),
        "written_by": f"hardlimit {VERSION}",
    }
    header |= model.classes.write()
    if outcome.cycle is not None:
        header["cycle"] = list(outcome.cycle)
    if outcome.weighted:
        header["weighted"] = True
    if outcome.progressive is not None:
        header["progressive"] = list(outcome.progressive)
    if model.feature_names is not None and _fits(model.feature_names):
        header["feature_names"] = list(model.feature_names)
    if model.slope is not None:
        # Of several labels under another name: earlier releases would make shares of a sum of it.
        header[model.classes.slope_name] = model.slope.a.hex()
    if model.estimator is not None:
        header["estimator"] = {**model.estimator, "live": model.live}
    return header


def _fits(names: Sequence[str]) -> bool:
    """Whether the names of the columns are short enough for a header."""
    length = sum(map(len, names)) + 4 * len(names)
    if length <= MOST_NAMED:
        return True
    warnings.warn(
        HardlimitWarning(
            f"the names of {plural(len(names), 'column')} are too long for the file, which is "
            "written without them: a loaded model does not compare them",
            who="save",
        ),
        stacklevel=caller_stacklevel(),
    )
    return False


def _intercept(model: Model, bias: Array | None) -> list[str]:
    if bias is None:  # the bias of votes is inside the examples that made them
        return [(0.0).hex()] * model.answer.n_outputs
    # Hexadecimal: every bit, the same text on every machine.
    return [(float(w) * model.choices.bias).hex() for w in bias]


def read_header(file: ModelFile, model_type: type[_Model], defaults: Mapping[str, str]) -> _Model:
    """Make a model of everything that the header holds; it has no answer yet.

    Seconds and shares of the epochs are in no file: they are NaN.
    """
    header = file.header
    with refuse_contradictions(file, "the header"):
        # A file is data of a stranger: everything in it is checked as a user's arguments are.
        given = read_parameters(header["parameters"], defaults)
        choices = resolve_choices(given, rule_known=False)
        names = labels_from_json(header["classes"])
        classes = restore_book(names, read_decision(file, len(names)))
        n_intercepts = len(intercept_of(header))
        if n_intercepts != classes.n_outputs:
            raise ValueError(
                f"{plural(n_intercepts, 'intercept')} of {plural(len(classes), 'class', 'classes')}"
            )
        model = model_type(choices, classes, _read_outcome(header))
        model.threshold = finite(float(header["threshold"]))
        counts = header["counts"]
        model.counts = Counts(check_count(counts["corrections"]), check_count(counts["mistakes"]))
        model.training_errors = dict(header["training_errors"])
        model.metadata = dict(header["metadata"])
        model.origin = origin_of(file)
        model.feature_names = _read_feature_names(header)
        model.estimator = _read_estimator(header)
        slope = _read_slope(header, classes)
        model.calibration = None if slope is None else Calibration(slope, 0)
        return model


def check_form(choices: Choices, *, kernel: bool = False, text: bool = False) -> None:
    """Refuse the choices of another kind of model than the file states."""
    # A codec trusts the kind in the header, and the choices must agree with it.
    if (choices.kernel is not None, choices.text is not None) != (kernel, text):
        raise ValueError("parameters of another kind of model")


def _read_outcome(header: Mapping[str, Any]) -> FitOutcome:
    history = [
        EpochRecord(epoch, check_count(mistakes), check_count(corrections), math.nan, math.nan)
        for epoch, (mistakes, corrections) in enumerate(header["history"], 1)
    ]
    cycle = _read_cycle(header.get("cycle"))
    weighted = bool(header.get("weighted", False))
    progressive = _read_progressive(header.get("progressive"))
    return FitOutcome(header["stop_reason"], history, cycle, weighted, progressive)


def _read_progressive(stored: list[int] | None) -> Progressive | None:
    if stored is None:
        return None
    judged, mistakes = map(check_count, stored)
    if not 0 < judged or mistakes > judged:
        raise ValueError(f"{plural(mistakes, 'mistake')} of {plural(judged, 'prediction')}")
    return Progressive(judged, mistakes)


def _read_cycle(stored: list[int] | None) -> Cycle | None:
    if stored is None:
        return None
    epochs, corrections = stored
    # JSON has truth values and floats, which would pass as numbers.
    if not (type(epochs) is int and type(corrections) is int):
        raise ValueError("a period is a number of epochs and one of corrections")
    return Cycle(check_count(epochs), check_count(corrections))


def _read_feature_names(header: Mapping[str, Any]) -> tuple[str, ...] | None:
    names = header.get("feature_names")
    if names is None:
        return None
    if type(names) is not list or not all(type(name) is str for name in names):
        raise ValueError("names of columns that are no texts")
    if len(names) != header.get("map_columns", header["columns"]):
        raise ValueError(f"{plural(len(names), 'name')} of {header['columns']} columns")
    return tuple(names)


def _read_estimator(header: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what estimator is around the model; who makes it checks it."""
    section = header.get("estimator")
    if section is not None and type(section) is not dict:
        raise ValueError("an estimator that is none")
    return section


def slope_of(file: ModelFile, decision: ClassDecision) -> Slope | None:
    """Return what makes probabilities of the scores of a model in its file; None without."""
    with refuse_contradictions(file, "the header"):
        return _read_slope(file.header, decision)


def _read_slope(header: Mapping[str, Any], decision: ClassDecision) -> Slope | None:
    name = decision.slope_name
    if name not in header:
        return None
    # start-up: most models have none
    from hardlimit.evaluation.calibration import LabelSlope, Slope

    a = finite(float.fromhex(header[name]))
    if a <= 0:
        raise ValueError(f"the slope {a} of the probabilities is not above 0")
    return decision.pick(Slope, LabelSlope, lambda _: LabelSlope)(a)


def write_packed(packed: Packed) -> Tensors:
    """Return the arrays of packed weights, named as the file names them."""
    return {PACKED + name: array for name, array in zip(PACKED_NAMES, packed, strict=True)}


def write_votes(votes: Votes) -> Tensors:
    """Return the arrays of votes, named as the file names them."""
    return {f"{VOTES}{name}": array for name, array in votes.arrays().items()}


def read_votes(file: ModelFile, shape: tuple[int, int], choices: Choices) -> Votes:
    """Return the votes of a file, of so many columns and outputs."""
    names = [name for name in file.names if name.startswith(VOTES)]
    votes = Votes.restored({name.removeprefix(VOTES): file.array(name) for name in names})
    if (votes.n_columns, votes.n_outputs) != shape:
        raise ValueError(
            f"votes of {plural(votes.n_columns, 'column')} and {plural(votes.n_outputs, 'output')}"
        )
    if choices.readout != "voted":
        raise ValueError(f"votes of the read-out {choices.readout!r}")
    return votes


def check_count(number: object) -> int:
    """Return a number of things; what cannot be one is refused.

    Beyond 2^53 counts would lose their last digits in averages, and beyond 2^63 their sign.
    """
    # JSON has truth values and floats, which would pass as numbers.
    if type(number) is not int or not 0 <= number <= MOST:
        raise ValueError(f"{number!r:.40} is not a number of things")
    return number


def check_finite(name: str, values: Array) -> Array:
    """Return numbers of a file; those that are not finite are refused."""
    if not np.isfinite(values).all():
        raise ValueError(f"{name} that are not finite")
    return values


_OMITTED: dict[str, Any] = {
    "skip": "auto",
    "probability": False,
    "text_columns": None,
    "shards": 1,
    "mixing": "uniform",
}


def write_parameters(
    choices: Choices, classes: Iterable[Any], training_state: bool
) -> dict[str, Any]:
    """Return the choices of the fit, whatever was set since; what is a default may be left out.

    Raises
    ------
    InputError
        A rule or a schedule whose class no file can name, with a training state that needs it.
    """
    params = _write_text_settings(choices.given) if choices.text else {**choices.given}
    # Left out where they are defaults: the same model gives the bytes of older releases.
    for name in ("schedule", "guard", "scale", "map"):
        params.pop(name, None)
    if "mixing" in params:
        params["mixing"] = choices.mixing
    for name, default in _OMITTED.items():
        if params.get(name) == default:
            params.pop(name, None)
    params |= {
        "rule": _rule_to_json(choices.rule, training_state),
        "order": orders.to_json(choices.order),
        "readout": choices.readout,
        "until": None if choices.until is None else str(choices.until),
    }
    # A later release may know more read-outs, which this model never kept.
    params["keep"] = list(choices.kept) if params["keep"] == "all" else params["keep"]
    if choices.schedule is not None:
        params["schedule"] = _schedule_to_json(choices.schedule, training_state)
    if choices.given.get("guard") is not None:
        # Asked of what was given: an empty tuple is written as it was, None is not.
        params["guard"] = [guards.GUARDS.to_json(one) for one in choices.guards]
    params |= _spaces_to_json(choices)
    if isinstance(choices.class_weight, Mapping):
        params["class_weight"] = _class_weight_to_json(choices.class_weight, classes)
    return {name: to_builtin(value) for name, value in params.items()}


def _write_text_settings(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters without those of texts that have their defaults."""
    # By type too: 1 is one text and 1.0 all of them.
    written = {
        name: value
        for name, value in params.items()
        if name not in TEXT_OPTIONS
        or type(value) is not type(TEXT_OPTIONS[name])
        or value != TEXT_OPTIONS[name]
    }
    if not isinstance(written.get("stop_words", ""), str):
        written["stop_words"] = stop_words.resolve(written["stop_words"])
    if "vocabulary" in written:
        written["vocabulary"] = _write_vocabulary(limits.in_order(written["vocabulary"]))
    return written


def _write_vocabulary(terms: list[str]) -> list[str]:
    length = sum(map(len, terms)) + 4 * len(terms)
    if length > MOST_NAMED:
        raise InputError(
            f"its terms have {plural(length, 'character')} with their quotes, and a model file "
            f"holds at most {MOST_NAMED:,}",
            who="save",
            parameter="vocabulary",
            fix=("give fewer terms, or limit them by ", Setting("min_df", 2)),
        )
    return terms


def _spaces_to_json(choices: Choices) -> dict[str, Any]:
    """What the rows become before they are learnt from, as far as anything was chosen."""
    found: dict[str, Any] = {}
    if choices.scale is not None:
        found["scale"] = scaling.SCALINGS.to_json(choices.scale)
    if choices.map is not None:
        from hardlimit import maps  # start-up: few models have one

        found["map"] = maps.to_json(choices.map)
    if choices.kernel is not None:
        # All parameters: they decide what the file predicts, whatever a default becomes.
        found["kernel"] = kernels.KERNELS.to_full_json(choices.kernel)
    if choices.budget is not None:
        found["budget"] = budgets.BUDGETS.to_json(choices.budget)
    return found


def read_parameters(stored: Mapping[str, Any], defaults: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of a classifier.

    defaults : values that the classifier has by itself, and that nobody asked for.
    """
    params = {
        name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
    }
    if "words" in params:
        # Of version 2 and before; the classifier's own default has changed since.
        params.setdefault("block_weights", None)
    for name in ("averaging", "keep"):  # looked up later, in the middle of other things
        if name not in params:
            raise KeyError(name)
    if stored.get("budget") is not None:
        params["budget"] = budgets.resolve(stored["budget"])
        defaults = _read_average_on_budget(params, defaults)
    resolved = dict(defaults) | _read_mixture(params, defaults)
    for name, default in defaults.items():
        # Nobody can tell any more whether it was typed; a loaded model must not warn or refuse.
        if params[name] == resolved[name]:
            params[name] = Default(default)
    rule = stored["rule"]
    # A rule that this process does not know stays a name: the weights predict without it.
    known = rule["name"] in rules.names() and rule["parameters"] is not None
    params["rule"] = rules.from_json(rule) if known else rule["name"]
    if isinstance(stored.get("map"), dict):
        from hardlimit import maps  # start-up: few models have one

        params["map"] = maps.resolve(stored["map"])
    if isinstance(stored.get("kernel"), dict):
        params["kernel"] = kernels.resolve(stored["kernel"])
    if isinstance(stored["class_weight"], list):
        names, weights = stored["class_weight"]
        labels = labels_from_json(names) if names else []
        params["class_weight"] = dict(zip(labels, weights, strict=True))
    return params


def _read_mixture(params: dict[str, Any], defaults: Mapping[str, str]) -> dict[str, str]:
    """Return what the default read-out was written as, of a model that learnt in shards.

    Files without a mixing are of ``uniform``.
    """
    if params.get("shards", 1) == 1:
        return {}
    mixing = params.setdefault("mixing", "uniform")
    return {"readout": default_readout(mixing, str(defaults["readout"]))}


def _rule_to_json(rule: rules.Rule, training_state: bool) -> dict[str, Any]:
    """A rule as JSON; the class of a rule of one's own is not in the file, its name is."""
    if isinstance(rule, UnknownRule):
        rule = rule.known()
    if rules.is_registered(rule):
        return rules.to_json(rule)
    if training_state:
        raise InputError(
            "it is not registered, so that a training state could not be continued after loading",
            who="save",
            parameter="rule",
            got=rule,
            fix=("register it with hardlimit.rules.register(...), or ", *ANYWHERE_ELSE),
        )
    return {"name": rules.name_of(rule), "parameters": None}


def _schedule_to_json(schedule: schedules.Schedule, training_state: bool) -> Any:
    if schedules.SCHEDULES.holds(schedule):
        return schedules.SCHEDULES.to_json(schedule)
    if training_state:
        raise InputError(
            "it is not one of hardlimit.schedules, so that a training state could not be continued "
            "after loading",
            who="save",
            parameter="schedule",
            got=schedule,
            fix=ANYWHERE_ELSE,
        )
    return None


def _class_weight_to_json(
    weights: Mapping[Any, float], classes: Iterable[Any]
) -> list[list[list[str]] | list[float]]:
    """Labels and weights; a label that equals a class is written as that class is."""
    # 1 and 1.0 are equal to Python, and a file keeps them apart.
    spelled = {label: label for label in classes}
    names = [spelled.get(label, to_builtin(label)) for label in weights]
    return [labels_to_json(names), [float(weight) for weight in weights.values()]]


def _read_average_on_budget(
    params: dict[str, Any], defaults: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the defaults of a model on a budget, whose default read-out was written as `last`.

    So an average was asked for. Files from before it was refused beside a budget that removes
    supports predict as they did; what they learn next predicts by its last hypothesis.
    """
    if params["budget"].forgets:
        kept = params["keep"] if isinstance(params["keep"], tuple) else (params["keep"],)
        params["keep"] = tuple(name for name in kept if name != "averaged") or ("last",)
        return defaults
    return {name: default for name, default in defaults.items() if name != "readout"}
