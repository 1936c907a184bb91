"""Errors and warnings of the library as the command line says them: in options, not in parameters.

The library's errors carry fields (:mod:`hardlimit.exceptions`); this face spells them. One table
maps parameters to options; rules, guards, orders and schedules are found in their registers. No
sentence is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hardlimit.cli.option_words import option_named
from hardlimit.cli.registers import REGISTERS, list_parameters
from hardlimit.exceptions import (
    Explained,
    Given,
    Parameter,
    PythonFace,
    Reference,
    Setting,
    Suggestion,
    Text,
    abbreviate,
)

# Of an option that ends in "=" or ":", the value follows at once.
OPTIONS = {
    "analyzer": "--features analyzer=",
    "averaging": "--readout averaged:",
    "block_weights": "--features blocks=",
    "chars": "--features chars=",
    "combine": "--order batch:combine=",
    "drop_columns": "--drop",
    "hash_bits": "--features hash=",
    "idf": "--features idf=",
    "initial_weights": "--start",
    "max_df": "--features max-df=",
    "max_features": "--features max-features=",
    "max_iter": "--epochs",
    "min_df": "--features min-df=",
    "norm": "--features norm=",
    "output": "-o",
    "random_state": "--seed",
    "stop_words": "--features stop-words=",
    "strip_accents": "--features accents=",
    "text_columns": "--text",
    "texts": "--text",
    "tf": "--features tf=",
    "theta": "--order batch:theta=",
    "threshold_": "--threshold",
    "vocabulary": "--features vocabulary=",
    "w": "--start",
    "weights": "--column-weights",
    "words": "--features words=",
}
# What is called as the option is.
_NAMED_ALIKE = (
    "against", "bias_feature", "budget", "by", "cache", "category_columns", "checkpoint",
    "class_weight", "classes", "cluster", "column_weights", "columns", "delimiter", "drop",
    "dtype", "encoding", "every", "exit_status", "explain", "features", "format", "gap", "guard",
    "guards", "hash_categories", "holdout", "keep", "kernel", "label", "label_from",
    "labels_separator", "ledger", "live", "mail", "map", "margin", "max_accuracy", "max_f1",
    "max_false_positive", "max_line", "missing", "missing_values", "mixing", "multiclass",
    "number_columns", "order", "output_format", "positive", "quoting", "readout", "rule", "scale",
    "schedule", "seconds", "seed", "shards", "slim", "spreadsheet", "start", "step", "stream",
    "terms", "text", "threshold", "top", "train_from", "until",
)  # fmt: skip
OPTIONS |= {name: option_named(name) for name in _NAMED_ALIKE}
# What a parameter does not go with, by whom the library names.
_SIDES = {
    "checkpoint": "--checkpoint",
    "cluster": "--cluster",
    "columns of labels": "several columns of labels",
    "distributed.train": "--cluster",
    "fit_stream": "--stream",
    "kernel": "--kernel",
    "numbers": "a file of numbers",
    "one label": "one label a row",
    "partial_fit": "--train-from",
    "several": "several labels",
    "shards": "--shards",
    "slim": "--slim",
    "table": "a mixed table",
    "texts": "a file of texts",
    "train_from": "--train-from",
}
# Within --features, the name of the option stands before the sentence.
FEATURES = {
    "analyzer": "analyzer=",
    "block_weights": "blocks=",
    "chars": "chars=",
    "hash_bits": "hash=",
    "idf": "idf=",
    "max_df": "max-df=",
    "max_features": "max-features=",
    "min_df": "min-df=",
    "norm": "norm=",
    "stop_words": "stop-words=",
    "strip_accents": "accents=",
    "tf": "tf=",
    "vocabulary": "vocabulary=",
    "words": "words=",
}
_FLAGS = {
    ("training_state", False): "--slim",
    ("header", True): "--header",
    ("header", False): "--no-header",
    ("quoting", False): "--no-quoting",
    ("exact", True): "--exact",
    ("fold_labels", True): "--fold-labels",
    ("new_class", True): "--new-class",
    ("overwrite", True): "--overwrite",
    ("probability", True): "--probability",
    ("probability", False): "no --probability",
    ("exact", False): "--float",
    ("number", float): "--float",
}
# The bias, and none, by the command that is called; of a request, an option that was typed.
_BIAS = {
    "request": ("--bias-feature", "--bias-feature none"),
    "": ("--features bias=", "--features bias=none"),
    "--features": ("bias=", "bias=none"),
    "certify": ("--bias-feature", "--through-origin"),
    "trace": ("--bias-feature", "--bias-feature none"),
}
# What the command line calls the rows and labels that a method takes.
_DATA = {
    "X": "the rows",
    "y": "the labels",
    "Y": "the labels",
    "labels": "the labels",
    "texts": "the texts",
}
# Words of our own, where what helps in Python does not help here.
_NEW_ROWS = "--train-from: this model cannot be continued: "
_TOPICS: dict[str, Text] = {
    "guards-of-known-examples": (
        _NEW_ROWS + "its noise guards know each training row again, and new rows are new to them; "
        "train anew on all rows"
    ),
    "one-pass": (
        "the rows of standard input or of a pipe come once, and are needed twice: idf, a "
        "vocabulary, --class-weight balanced and --scale are counted or measured before any row is "
        "learnt; name a file, or leave those out"
    ),
    "order-of-streams": (_NEW_ROWS + "its order needs all rows at once; train anew on all rows"),
    "rule-of-known-examples": (
        _NEW_ROWS + "its rule asks what became of each row before, and new rows are new to it; "
        "train anew on all rows"
    ),
    "search-in-stream": (_NEW_ROWS + "its schedule needs all rows at once; train anew on all rows"),
    "no-training-state": (
        "this model was trained with --slim, so it can only predict: train one without --slim"
    ),
}
_NAME_CLASSES = "name all classes with --classes, or shuffle the rows"
_FIXES: dict[str, Text] = {
    "probability-in-stream": "hold rows out for them, such as --holdout 0.05",
    "continuous": "name the column of the classes with --label, or make classes of the numbers",
    "late-class": _NAME_CLASSES,
    "late-label": "name all labels with --classes",
    "long-fractions": "use --float, or fewer steps",
    "needs-bias": "use a bias",
    "no-fractions": "use --float",
    "one-class": "",
    "one-class-first": _NAME_CLASSES,
    "other-rows": "the file was changed meanwhile: leave it alone until the run has ended",
    "votes-too-slow": ("use ", Setting("readout", "averaged"), ", or fewer rows"),
}


# Of a stream of rows, what Python says of `fit` is said of all rows at once.
_WHOLE = "leave out --stream"
_FIXES_OF_STREAMS: dict[str, Text] = {
    "guards-of-known-examples": (
        _WHOLE,
        ", use ",
        Suggestion("guards.Margin"),
        ", or use no such guard",
    ),
    "optimal-in-stream": f"{_WHOLE}, or use another schedule",
    "order-of-streams": (_WHOLE, ", or use ", Setting("order", "stream")),
    "rule-of-known-examples": f"{_WHOLE}, or use another rule",
    "search-in-stream": f"{_WHOLE}, or use another schedule",
}


class CommandFace(PythonFace):
    """Spells parameters, settings and suggestions as options.

    >>> from hardlimit.exceptions import InputError
    >>> error = InputError(who="PassiveAggressive", parameter="C", got=-1, wanted="a number > 0")
    >>> CommandFace().sentence(error)
    '--rule passive-aggressive:C=-1: wanted a number > 0'
    """

    def __init__(self, command: str = "", options: Mapping[str, str] = OPTIONS) -> None:
        bias, no_bias = _BIAS.get(command, _BIAS[""])
        self._options = {**options, "bias_feature": bias}
        self._flags = {**_FLAGS, ("fit_intercept", False): no_bias}

    def sentence(self, said: Explained) -> str:
        """Return ``where: option value: wanted ...: reason; fix``, on one line."""
        # Wholly in words of our own: the library's speak of methods that have no option.
        if said.topic in _TOPICS and said.who != "fit_stream":  # it shares topics with partial_fit
            return self.text(_TOPICS[said.topic])
        # One error a line, as the tools that read logs expect.
        return " ".join(super().sentence(self.mended(said)).split("\n"))

    def mended(self, said: Explained) -> Explained:
        """Return the error with the fix that helps on the command line."""
        fixes = {**_FIXES, **_FIXES_OF_STREAMS} if said.who == "fit_stream" else _FIXES
        return said.replaced(fix=fixes[said.topic]) if said.topic in fixes else said

    def subject(self, said: Explained) -> str:
        """Return the option with its value where that can be typed, and the rule it is about.

        Of an option that does not go with another one, also that.
        """
        side = _SIDES.get(said.who)
        if side and said.topic and not said.wanted:
            # A flag is no option that takes a value, and is named all the same.
            if option := self._option(said) or self._flag(said.parameter, True):
                return f"{self._given(said, option)} does not go with {side}"
        option = self._option(said)
        about = _find_choice(said.who)
        # The option of a choice names it already: --rule paum:tau_plus=.
        if about is None or option.startswith(f"{about.typed}:"):
            return self._given(said, option)
        named = about.name if option else about.typed
        return ": ".join(part for part in (self._given(said, option), named) if part)

    def _given(self, said: Explained, option: str) -> str:
        """Return what was given as it is typed."""
        # A flag has no value to show beside it: --slim, not --slim False.
        if said.has_got and (flag := self._flag(said.parameter, said.got)):
            return flag
        if not option:
            return _DATA.get(said.parameter, said.parameter)
        if said.has_got and _is_typed(said.got):
            return self._set_to(option, said.got)
        return option.rstrip("=:")

    def body(self, said: Explained) -> str:
        """Say what was wanted, and why; what was given stands in the subject where it can."""
        clauses = []
        if said.has_got and not self._shows_value(said):
            clauses.append(f"got {self.value(said.got)}")
        if wanted := self.text(said.wanted):
            clauses.append(f"wanted {wanted}")
        return ": ".join(part for part in (", ".join(clauses), self.text(said.reason)) if part)

    def _shows_value(self, said: Explained) -> bool:
        """Tell whether the subject shows already what was given."""
        if self._flag(said.parameter, said.got):
            return True
        return bool(self._option(said)) and (_is_typed(said.got) or said.parameter in _KINDS)

    def value(self, value: object) -> str:
        """Return a value as it is typed or shown; None is ``none``."""
        return "none" if value is None else abbreviate(value)

    def reference(self, reference: Reference) -> str:
        """Return an option, with its value where there is one."""
        if isinstance(reference, Suggestion):
            return self._suggestion(reference)
        option = self._options.get(reference.name, "")
        if isinstance(reference, Parameter):
            return option.rstrip("=:") or reference.name
        return self._setting(option, reference)

    def _setting(self, option: str, setting: Setting) -> str:
        flag = self._flag(setting.name, setting.value)
        if flag:
            return flag
        if isinstance(setting.value, Suggestion):
            return self._suggestion(setting.value)
        return self._set_to(option or f"{setting.name}=", setting.value)

    def _flag(self, name: str, value: object) -> str:
        """Return the flag that sets a parameter to a value; empty where an option takes it."""
        # A loop and no look-up: values may be unhashable, and 1 == True would find a wrong flag.
        for (parameter, setting), flag in self._flags.items():
            if parameter == name and setting is value:
                return flag
        return ""

    def _set_to(self, option: str, value: object) -> str:
        return option + ("" if option.endswith(("=", ":")) else " ") + _typed(value)

    def _suggestion(self, suggestion: Suggestion) -> str:
        about = _find_choice(suggestion.path)
        if about is None:
            return super().reference(suggestion)
        values = ",".join(f"{key}={_typed(one)}" for key, one in suggestion.parameters.items())
        return f"{about.typed}:{values}" if values else about.typed

    def _option(self, said: Explained) -> str:
        """Return the option that an error is about; empty where it is about none."""
        about = _find_choice(said.who)
        if about is not None and said.parameter in list_parameters(about.cls):
            return f"{about.typed}:{said.parameter}="
        # An object that a parameter was set to is typed by its name: a guard, a schedule.
        if said.parameter in _KINDS and not _is_typed(said.got):
            given = f"{_KINDS[said.parameter]}.{type(said.got).__name__}"
            if (found := _find_choice(given)) is not None:
                return found.typed
        return self._options.get(said.parameter, "")


_KINDS = {"guard": "guards", "order": "orders", "schedule": "schedules"}


class _Choice(NamedTuple):
    """A member of a register as it is typed."""

    name: str
    typed: str  # "--rule paum"
    cls: type


def _find_choice(path: str) -> _Choice | None:
    """Return the choice that a path, a name or the register's words are about.

    >>> _find_choice("rules.PAUM").typed, _find_choice("paum").typed
    ('--rule paum', '--rule paum')
    >>> _find_choice("rule 'paum'").typed, _find_choice("schedules.LineSearch").typed
    ('--rule paum', '--schedule line-search')
    """
    kind, _, name = path.removeprefix("rule '").removesuffix("'").rpartition(".")
    for option, place in REGISTERS.items() if name else ():
        if kind in ("", place.package):
            for registered, cls in place.load().members.items():
                if name in (cls.__name__, registered):
                    return _Choice(registered, f"--{option} {registered}", cls)
    return None


def _is_typed(value: object) -> bool:
    """Tell a value that is typed as one word from others, also from words about a value."""
    if isinstance(value, Given):
        return False
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(one, int | float) for one in value)
    return value is None or isinstance(value, str | int | float)


def _typed(value: object) -> str:
    """Return a value as it is typed after an option.

    >>> _typed((1, 2)), _typed((0.8, 0.6)), _typed(None), _typed(("last", "voted")), _typed(0.5)
    ('1-2', '0.8:0.6', 'none', 'last,voted', '0.5')
    """
    if value is None:
        return "none"
    # Two whole numbers are a range, such as words=1-2; other numbers are weights, such as
    # blocks=0.8:0.6; words are a list, such as --keep last,voted.
    if isinstance(value, tuple | list):
        kinds = set(map(type, value))
        return ("-" if kinds == {int} else ":" if float in kinds else ",").join(map(_typed, value))
    if isinstance(value, str):
        return value
    return abbreviate(value)
