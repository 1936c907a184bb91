"""Names of members without importing them are the names of the members."""

import subprocess
import sys

from hardlimit import budgets, guards, kernels, readouts, scaling
from hardlimit.foundation.discovery import file_names


def test_files_are_called_as_what_they_hold():
    assert set(file_names("hardlimit.readouts")) == set(readouts.names())
    assert set(file_names("hardlimit.guards")) == set(guards.names())
    assert set(file_names("hardlimit.budgets")) == set(budgets.names())
    assert set(file_names("hardlimit.kernels")) == set(kernels.names())
    assert {"none", *file_names("hardlimit.scaling")} == set(scaling.names())


def run(code: str) -> list[str]:
    """Return what a new process prints."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()


LOADED = "print(*sorted(m[16:] for m in sys.modules if re.match('hardlimit.rules.[a-z]', m)))"


def test_files_are_imported_when_their_members_are_asked_for():
    printed = run(
        "import re, sys\n"
        "from hardlimit import LinearClassifier\n"
        f"{LOADED}\n"
        "clf = LinearClassifier('paum').fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])\n"
        f"{LOADED}\n"
        "from hardlimit import rules\n"
        "print(rules.Perceptron().tau(), rules.names()[0], list(rules.RULES.members)[0])\n"
        "print(rules.is_registered(clf.check_parameters().rule))\n"
    )
    assert printed == ["", "paum", "1 adatron adatron", "True"]


def test_a_class_from_its_own_file_is_known_before_the_others_are_asked_for():
    printed = run(
        "from hardlimit.rules.alma import ALMA\n"
        "from hardlimit.rules import RULES\n"
        "from hardlimit.foundation.register import compiled_name\n"
        "print(compiled_name(ALMA()), RULES.holds(ALMA()), RULES.name_of(ALMA()))\n"
    )
    assert printed == ["alma True alma"]


def test_all_public_names_are_there_for_a_star_and_a_list():
    printed = run(
        "from hardlimit.rules import *\n"
        "print(Winnow2().__class__.__name__)\n"
        "import hardlimit.kernels\n"
        "print('RBF' in dir(hardlimit.kernels))\n"
    )
    assert printed == ["Winnow2", "True"]


def test_a_name_that_is_no_file_of_a_member_is_refused():
    names = ["_kinds", "__init__", "no.such", "../rules", "", "a\0b", 3, None]
    printed = run(
        "from hardlimit import rules\n"
        f"for name in {names!r}:\n"
        "    try: rules.get(name)\n"
        "    except ValueError as error: print(type(error).__name__)\n"
        "try: rules.Nothing\n"
        "except AttributeError as error: print(error)\n"
    )
    refusal = "module 'hardlimit.rules' has no attribute 'Nothing'"
    assert printed == ["InputError"] * len(names) + [refusal]
