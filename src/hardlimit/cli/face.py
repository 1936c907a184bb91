"""Errors and warnings of the library as the command line says them: in options, not in parameters.

The library's errors carry fields (:mod:`hardlimit.exceptions`); this face spells them. One table
maps parameters to options; rules, guards, orders and schedules are found in their registers. No
sentence is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import hardlimit
from hardlimit.cli.options import option_named
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

if TYPE_CHECKING:
    from hardlimit.rules import RuleDescription

# Of an option that ends in "=", the value follows at once.
OPTIONS = {
    "against": "--against",
    "by": "--by",
    "guards": "--guards",
    "margin": "--margin",
    "step": "--step",
    "alpha": "--alpha-bound",
    "analyzer": "--features analyzer=",
    "averaging": "--averaging",
    "bias_feature": "--bias-feature",
    "block_weights": "--features blocks=",
    "category_columns": "--category",
    "chars": "--features chars=",
    "checkpoint": "--checkpoint",
    "class_weight": "--class-weight",
    "classes": "--classes",
    "column_weights": "--column-weights",
    "columns": "--columns",
    "combine": "--combine",
    "delimiter": "--delimiter",
    "drop": "--drop",
    "drop_columns": "--drop",
    "dtype": "--dtype",
    "encoding": "--encoding",
    "format": "--format",
    "gap": "--gap",
    "hash_bits": "--features hash=",
    "hash_categories": "--hash-categories",
    "idf": "--features idf=",
    "initial_weights": "--start",
    "keep": "--keep",
    "kernel": "--kernel",
    "label": "--label",
    "label_from": "--label-from",
    "labels_separator": "--labels-separator",
    "mail": "--mail",
    "max_df": "--features max-df=",
    "max_features": "--features max-features=",
    "map": "--map",
    "max_iter": "--epochs",
    "max_line": "--max-line",
    "min_df": "--features min-df=",
    "missing": "--missing",
    "missing_values": "--missing-value",
    "multiclass": "--multiclass",
    "norm": "--features norm=",
    "number_columns": "--number",
    "order": "--order",
    "positive": "--positive",
    "quoting": "--quoting",
    "random_state": "--seed",
    "readout": "--readout",
    "rule": "--rule",
    "scale": "--scale",
    "schedule": "--schedule",
    "seconds": "--seconds",
    "spreadsheet": "--spreadsheet",
    "stop_words": "--features stop-words=",
    "strip_accents": "--features accents=",
    "text": "--text",
    "text_columns": "--text",
    "tf": "--features tf=",
    "theta": "--theta",
    "threshold": "--threshold",
    "threshold_": "--threshold",
    "until": "--until",
    "vocabulary": "--features vocabulary=",
    "w": "--start",
    "words": "--features words=",
}
# What the table of conflicts calls a parameter as the option does.
_NAMED_ALIKE = (
    "cache", "cluster", "every", "exit_status", "explain", "features", "holdout", "ledger", "live",
    "max_accuracy", "max_f1", "max_false_positive", "mixing", "output_format", "seed", "settings",
    "shards", "slim", "start", "stream", "terms", "top", "train_from",
)  # fmt: skip
OPTIONS |= {name: option_named(name) for name in _NAMED_ALIKE}
OPTIONS |= {"output": "-o", "settings": "--set", "texts": "--text"}
OPTIONS |= {"alpha_bound": "--alpha-bound", "lambda_trick": "--lambda"}
OPTIONS |= {"box_constraint": "--box-constraint"}
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
    "text columns": "several columns of texts",
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
# The bias, and none, by the command that is called.
_BIAS = {
    "": ("--features bias=", "--features bias=none"),
    "--features": ("bias=", "bias=none"),
    "certify": ("--bias-feature", "--through-origin"),
    "trace": ("--bias-feature", "--bias-feature none"),
}
# What the command line calls the rows and labels that a method takes.
_DATA = {"X": "the rows", "y": "the labels", "labels": "the labels", "texts": "the texts"}
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
    "map-out-of-memory": "",
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
    '--set C=-1: wanted a number > 0'
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
        if side and said.topic and not said.wanted and (option := self._option(said)):
            return f"{self._given(said, option)} does not go with {side}"
        rule = _rule_of(said.who)
        option = self._option(said)
        # Such an option names the rule already, or belongs to it without doubt.
        if rule is not None and not option.startswith(("--rule ", "--set ")):
            named = rule.name if option else f"--rule {rule.name}"
            return ": ".join(part for part in (self._given(said, option), named) if part)
        return self._given(said, option)

    def _given(self, said: Explained, option: str) -> str:
        """Return what was given as it is typed."""
        # A flag has no value to show beside it: --slim, not --slim False.
        if said.has_got and (flag := self._flag(said.parameter, said.got)):
            return flag
        if not option:
            return _DATA.get(said.parameter, said.parameter)
        if said.has_got and _is_typed(said.got):
            return self._set_to(option, said.got)
        return option.rstrip("=")

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
            return option.rstrip("=") or reference.name
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
        return option + ("" if option.endswith("=") else " ") + _typed(value)

    def _suggestion(self, suggestion: Suggestion) -> str:
        option = _option_of_class(suggestion.path)
        if not option:
            return super().reference(suggestion)
        values = suggestion.parameters
        # The parameters of a rule have no options of their own but --set.
        if option.startswith("--rule "):
            return option + "".join(f" --set {key}={_typed(one)}" for key, one in values.items())
        # A guard's option takes its one parameter as its value.
        if suggestion.path.startswith("guards."):
            return " ".join([option, *map(_typed, values.values())])
        more = (self._set_to(self._options.get(key, f"{key}="), one) for key, one in values.items())
        return " ".join([option, *more])

    def _option(self, said: Explained) -> str:
        """Return the option that an error is about; empty where it is about none."""
        rule = _rule_of(said.who)
        if rule is not None:
            if said.parameter in {name for name, *_ in rule.parameters}:
                return f"--set {said.parameter}="
        # A rule's parameter that is none of its own falls through to the table of options.
        elif said.who and (option := _option_of_class(said.who)):
            return option
        # An object that a parameter was set to has an option of its own: a guard, a schedule.
        if said.parameter in _KINDS and not _is_typed(said.got):
            path = f"{_KINDS[said.parameter]}.{type(said.got).__name__}"
            if option := _option_of_class(path):
                return option
        return self._options.get(said.parameter, "")


_KINDS = {"guard": "guards", "order": "orders", "schedule": "schedules"}


def _rule_of(path: str) -> RuleDescription | None:
    """Return the rule that a path, a name or the register's words are about.

    >>> _rule_of("rules.PAUM").name, _rule_of("paum").name, _rule_of("guards.Margin")
    ('paum', 'paum', None)
    >>> _rule_of("rule 'paum'").name
    'paum'
    """
    kind, _, name = path.removeprefix("rule '").removesuffix("'").rpartition(".")
    if not name or kind not in ("", "rules"):
        return None
    rules: list[RuleDescription] = hardlimit.rules.describe()
    return next((rule for rule in rules if name in (rule.cls.__name__, rule.name)), None)


def _option_of_class(path: str) -> str:
    """Return the option that asks for a rule, a guard, a schedule or an order.

    >>> _option_of_class("rules.MarginPerceptron"), _option_of_class("schedules.LineSearch")
    ('--rule margin-perceptron', '--schedule line-search')
    """
    from hardlimit.cli.choice_options import GUARDS  # for errors only: --help starts without it

    rule = _rule_of(path)
    if rule is not None:
        return f"--rule {rule.name}"
    kind, _, name = path.rpartition(".")
    for guard, cls in hardlimit.guards.GUARDS.members.items() if kind in ("", "guards") else ():
        if name in (cls.__name__, guard):
            return GUARDS[guard].name
    for kinds, option, classes, typed in (
        (
            "schedules",
            "--schedule",
            hardlimit.schedules.SCHEDULES.members,
            hardlimit.schedules.names(),
        ),
        ("orders", "--order", hardlimit.orders.ORDERS.members, hardlimit.orders.ORDERS.members),
    ):
        for registered, cls in classes.items() if kind in ("", kinds) else ():
            if name in (cls.__name__, registered):
                return f"{option} {registered}" if registered in typed else option
    return ""


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
