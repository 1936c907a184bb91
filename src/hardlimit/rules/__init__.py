"""The learning rules, one a file, and the conventions that all of them share.

An example is a row ``x`` with a target ``y`` in {-1, +1}. A rule is asked two questions:

``required``
    the margin below which an example is a violator: a number, or a method;
``tau``
    how far to move, asked for violators only: ``w <- w + tau * y * x``.

A method names the scalars it wants as its parameters, and the engine keeps just those:

=========== ====================================================================================
``margin``  ``y * <w, x>``, the bias included
``sqnorm``  ``<x, x>``, the bias included; a row of length 0 never corrects a rule that asks
``step``    corrections of ``w``, this one included: 1, 2, ...
``wsq``     ``<w, w>``
``weight``  the example's weight; the rule decides what it means
``y``       the target, -1 or +1
``n_i``     how often this example was corrected before
``alpha_i`` the sum of its ``tau``
=========== ====================================================================================

Rules that keep a covariance ``S`` answer a pair ``(tau, beta)`` and may ask for ``variance``,
``<x, S x>``, the bias included (:class:`AROW`, :class:`SecondOrderPerceptron`, :class:`SCW1`,
:class:`SCW2`); of coupled classes it is the sum for the two that move, each with its own ``S``.
Rules that multiply answer a factor (:class:`Winnow1`, :class:`Winnow2`).

Conventions
-----------
- A margin of exactly 0 is a mistake in training: ``sign(0)`` is neither class. At prediction a tie
  goes to the first class.
- The bias is one more feature of constant value, inside ``margin`` and inside ``sqnorm``, so that a
  rule that promises a margin reaches it. A common slip leaves it out of the norm.
- Weights start at zero; where they are multiplied, at one.
- ``step`` counts corrections, not examples: a common slip indexes ``eta`` by the example.
- Many classes: ``coupled`` moves the right class and its best rival together, with
  ``margin = <w_y - w_r, x>`` and ``sqnorm = 2 <x, x>``; ``ovr`` is one neuron a class.

Examples
--------
>>> from hardlimit import rules
>>> [name for name in rules.names() if name.startswith("passive")]
['passive-aggressive', 'passive-aggressive-2']
>>> rules.get("passive-aggressive", C=0.5)
PassiveAggressive(C=0.5)
"""

from __future__ import annotations

from hardlimit.rules._kinds import (
    AdditiveRule,
    CovarianceRule,
    LinkedRule,
    MultiplicativeRule,
    ShrinkingRule,
)
from hardlimit.rules._protocol import Bound, Geometry, Rule, Split
from hardlimit.rules._registry import (
    RULES as RULES,
)
from hardlimit.rules._registry import (
    RuleDescription,
    RuleLike,
    describe,
    from_bytes,
    from_json,
    get,
    is_registered,
    name_of,
    names,
    register,
    resolve,
    to_bytes,
    to_json,
)

__all__ = [
    "AdditiveRule",
    "Bound",
    "CovarianceRule",
    "Geometry",
    "LinkedRule",
    "MultiplicativeRule",
    "Rule",
    "RuleDescription",
    "RuleLike",
    "ShrinkingRule",
    "Split",
    "describe",
    "from_bytes",
    "from_json",
    "get",
    "is_registered",
    "name_of",
    "names",
    "register",
    "resolve",
    "to_bytes",
    "to_json",
]

RULES.discover(globals())
