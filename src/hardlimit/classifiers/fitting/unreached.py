"""A warning where a fit ended before what was asked for."""

from __future__ import annotations

import warnings

from hardlimit.classifiers.model.choices import Choices
from hardlimit.exceptions import ConvergenceWarning, Parameter, Setting, Text
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.learner import Outcome

# Why what was asked for was not reached, and what to do.
UNREACHED: dict[str, tuple[str, Text]] = {
    "max_iter": (
        " in {epochs} ({mistakes} in the last)",
        ("the examples may not be separable, or need more epochs: raise ", Parameter("max_iter")),
    ),
    "settled": (
        ": settled after {epochs} with {mistakes}, since no example is left that could be "
        "corrected",
        "",
    ),
    "stalled": (
        ": stalled after {epochs} with {wrong} examples wrong, whose corrections cancel each other",
        (Setting("order", "shuffled"), " moves on"),
    ),
    "small_step": (
        ": stopped after {epochs} by a step shorter than theta ({mistakes} in the last)",
        "a smaller theta goes on",
    ),
    "cycling": (
        ": cycling after {epochs}, with period {period} ({corrections}), which proves that the "
        "examples are not separable ({mistakes} in the last)",
        ("use a kernel or a map, or ", Setting("readout", "averaged")),
    ),
}


def warn_unreached(choices: Choices, outcome: Outcome) -> None:
    """Warn where the user asked for an aim, and the fit ended before it was reached."""
    # The default aim gives way in silence: nobody asked for it.
    if not choices.until_asked or outcome.stop_reason in ("separated", "margin_reached"):
        return
    history = outcome.history
    period, corrections = outcome.cycle or (0, 0)
    wrong = history[-1].mistakes
    reason, fix = UNREACHED[outcome.stop_reason]
    why = reason.format(
        epochs=plural(len(history), "epoch"),
        wrong=wrong,
        mistakes=plural(wrong, "mistake"),
        period=period,
        corrections=plural(corrections, "correction"),
    )
    warnings.warn(
        ConvergenceWarning((Setting("until", choices.until), f" was not reached{why}"), fix=fix),
        stacklevel=caller_stacklevel(),
    )
