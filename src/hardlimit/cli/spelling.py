"""The one spelling of every choice: ``NAME``, or ``NAME:VALUES``.

::

    passive-aggressive          the choice with its defaults
    passive-aggressive:C=0.3    a parameter by its name
    inverse:10,5                parameters in their order
    optimal-step:w=1,1,-1       several values, of a parameter that takes a list
    passive-aggressive:C=0.1,1  in ``tune``: several values of any parameter, each of which is tried

Names, parameters and their order come from the registers, ranges from the classes: a new member of
a register can be typed without a line here. Numbers may be fractions; ``none`` is None.
"""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any, NoReturn

import click

from hardlimit import naming, schedules
from hardlimit.cli.errors import usage_error
from hardlimit.cli.registers import list_parameters
from hardlimit.exceptions import HardlimitError, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.register import Register
from hardlimit.foundation.suggesting import suggest


def parse_choice(text: str, register: Register[Any], option: str, exact: bool = False) -> Any:
    """Return the object that a text means.

    exact : fractions stay fractions, where the object takes them.

    >>> from hardlimit.kernels import KERNELS
    >>> parse_choice("rbf:0.5", KERNELS, "--kernel"), parse_choice("linear", KERNELS, "--kernel")
    (RBF(gamma=0.5), Linear())
    >>> parse_choice("polynomial:c=2", KERNELS, "--kernel")
    Polynomial(degree=2, c=2)
    """
    typed = _Typed(text, register, option)
    values = {key: typed.read_one(key) for key in typed.words}
    return _make(typed.name, values, register, exact)


def parse_choices(text: str, register: Register[Any], option: str) -> list[Any]:
    """Return the objects that a text means in a search: of several values all combinations.

    >>> from hardlimit.rules import RULES
    >>> parse_choices("paum:tau_plus=1,2,tau_minus=0", RULES, "--rule")
    [PAUM(tau_plus=1, tau_minus=0), PAUM(tau_plus=2, tau_minus=0)]
    """
    typed = _Typed(text, register, option)
    tried = itertools.product(*(typed.read_all(key) for key in typed.words))
    named = (dict(zip(typed.words, values, strict=True)) for values in tried)
    return [_make(typed.name, values, register, False) for values in named]


def spell_choice(choice: Any, register: Register[Any]) -> str:
    """Return a choice as it is typed, without what is the default.

    >>> from hardlimit import rules
    >>> spell_choice(rules.PassiveAggressive(C=0.3), rules.RULES)
    'passive-aggressive:C=0.3'
    >>> spell_choice(rules.PassiveAggressive(), rules.RULES)
    'passive-aggressive'
    """
    name = register.name_of(choice)
    usual = register.get(name).get_params()
    given = {key: one for key, one in choice.get_params().items() if usual.get(key) != one}
    return naming.spell(name, given)


class _Typed:
    """A choice as words: its name, and the words of each parameter."""

    def __init__(self, text: str, register: Register[Any], option: str) -> None:
        self._text, self._option = text, option
        self.name, _, listed = text.partition(":")
        try:
            self._lists = list_parameters(register.find(self.name))
        except InputError as error:
            fix = _spell_formula(text, register) or error.fix
            said = usage_error(error.replaced(parameter=option.strip("-"), fix=fix)).message
            raise click.BadOptionUsage(option, said) from None
        self.words: dict[str, list[str]] = {}
        key = ""  # a value without a name that follows a named one is a further value of that
        for place, part in enumerate(listed.split(",") if listed else ()):
            named, equals, value = part.partition("=")
            key = self._named(named.strip()) if equals else key
            word = (value if equals else part).strip()
            if not word:
                self._refuse("a value is empty")
            self.words.setdefault(key or self._in_order(place), []).append(word)

    def read_one(self, key: str) -> Any:
        """Return the value of a parameter."""
        values = self.read_all(key)
        if len(values) > 1:
            self._refuse(
                f"got {plural(len(values), 'value')} of {key}, wanted one: name each value, as "
                "KEY=VALUE, and try several with 'hardlimit tune'"
            )
        return values[0]

    def read_all(self, key: str) -> list[Any]:
        """Return the values of a parameter that are to be tried."""
        values = [_read_value(word) for word in self.words[key]]
        return [tuple(values)] if self._lists[key] else values

    def _named(self, key: str) -> str:
        """Return the name of a parameter, and refuse one that there is not, or twice."""
        if key in self.words:
            self._refuse(f"{key} is given twice")
        if key not in self._lists:
            wanted = f"wanted {', '.join(self._lists)}" if self._lists else "it takes no values"
            meant = suggest(key, self._lists)
            self._refuse(f"no parameter {key!r}, {wanted}" + (f"; {meant}" if meant else ""))
        return key

    def _in_order(self, place: int) -> str:
        """Return the parameter of a value that stands without a name."""
        names = list(self._lists)
        if place < len(names):
            return names[place]
        if names and self._lists[names[-1]]:
            return names[-1]
        order = f"{self.name}:{','.join(map(str.upper, names))}" if names else self.name
        return self._refuse(f"too many values, wanted {order}")

    def _refuse(self, said: str) -> NoReturn:
        raise click.BadOptionUsage(self._option, f"{self._option} {self._text}: {said}")


def _spell_formula(text: str, register: Register[Any]) -> str:
    """Return what may have been meant by a formula, which Python takes for a schedule."""
    if register is not schedules.SCHEDULES:
        return ""
    try:
        return f"did you mean {spell_choice(schedules.resolve(text), register)!r}?"
    except HardlimitError:
        return ""


def _make(name: str, values: dict[str, Any], register: Register[Any], exact: bool) -> Any:
    rounded = {key: _rounded(value) for key, value in values.items()}
    try:
        made = register.get(name, **rounded)
        # Of those that would be refused only once there are rows.
        getattr(made, "check_parameters", lambda: None)()
    except HardlimitError as error:
        # With its package: two registers may have a class of one name, as kernels and maps do.
        package = register.find(name).__module__.split(".")[1]
        who = f"{package}.{register.find(name).__name__}"
        raise usage_error(error.replaced(who=who)) from None
    try:
        return made.set_params(**values) if exact else made
    except InputError:
        return made  # it takes no fractions


def _read_value(word: str) -> Any:
    """Read a value: a number, a fraction, true, false, none, or a word.

    >>> [_read_value(word) for word in ("1", "0.5", "inf", "1/3", "true", "full", "none")]
    [1, 0.5, inf, Fraction(1, 3), True, 'full', None]
    """
    if word.lower() == "none":
        return None
    # JSON first: it knows true and keeps 1 an int; float knows inf and .5.
    for read in (json.loads, float, Fraction):
        try:
            return read(word)
        except (ValueError, ZeroDivisionError):
            continue
    return word


def _rounded(value: object) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_rounded, value))
    return float(value) if isinstance(value, Fraction) else value
