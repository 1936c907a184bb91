"""What is tried: parameters in which a candidate differs from the classifier that is tuned."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from hardlimit import rules
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.kernels.polynomial import Polynomial
from hardlimit.kernels.rbf import RBF
from hardlimit.tables.settings import SETTINGS
from hardlimit.text import TextVectorizer

Candidate = dict[str, Any]
Grid = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]

OF_FEATURES = frozenset(TextVectorizer().get_params()) | frozenset(SETTINGS)
MOST = 10_000  # candidates; more are a slip, and would not end


def list_candidates(grid: Grid) -> list[Candidate]:
    """List the candidates of a grid: a list as it stands, of a mapping all combinations.

    >>> list_candidates({"max_iter": [5, 10], "words": [(1, 1)]})
    [{'max_iter': 5, 'words': (1, 1)}, {'max_iter': 10, 'words': (1, 1)}]
    """
    if isinstance(grid, Mapping):
        found = _combine(grid)
    elif isinstance(grid, Sequence) and all(isinstance(one, Mapping) for one in grid):
        found = [dict(one) for one in grid]
    else:
        raise KindError(
            who="tune",
            parameter="grid",
            got=grid,
            wanted="values for each parameter, such as {'max_iter': [5, 10]}, or a list of "
            "parameters",
        )
    if not 0 < len(found) <= MOST:
        got = Given(plural(len(found), "candidate"))
        raise InputError(who="tune", parameter="grid", got=got, wanted=f"1 to {MOST:,}")
    return found


def _combine(grid: Mapping[str, Sequence[Any]]) -> list[Candidate]:
    count = 1
    for name, values in grid.items():
        if isinstance(values, str | bytes) or not isinstance(values, Sequence):
            wanted = "a list of values"
            raise KindError(who="tune", parameter=f"grid[{name!r}]", got=values, wanted=wanted)
        count *= len(values)
    if count > MOST:  # before they are made
        got = Given(plural(count, "candidate"))
        raise InputError(who="tune", parameter="grid", got=got, wanted=f"1 to {MOST:,}")
    combined = itertools.product(*grid.values())
    return [dict(zip(grid, values, strict=True)) for values in combined]


def of_texts(with_chars: bool) -> list[Candidate]:
    """Return the 24 candidates for texts: 4 choices of features by 6 of learning.

    with_chars : the default counts characters in these texts, so that none are the alternative

    >>> len(of_texts(True)), of_texts(True)[0]
    (24, {})
    """
    features: list[Candidate] = [
        {},
        {"chars": None if with_chars else (2, 5)},
        {"words": (1, 1)},
        {"min_df": 2},
    ]
    return [{**counted, **learnt} for counted in features for learnt in _of_learning(5)]


def of_tables(has_texts: bool) -> list[Candidate]:
    """Return the candidates for tables: 6 of learning, with texts by 4 of features.

    >>> len(of_tables(True)), len(of_tables(False))
    (24, 6)
    """
    features: list[Candidate] = [
        {},
        {"column_weights": (1.0, 1.0, 2.0)},
        {"column_weights": (1.0, 1.0, 8.0)},
        {"words": (1, 1)},
    ]
    chosen = features if has_texts else features[:1]
    return [{**counted, **learnt} for counted in chosen for learnt in _of_learning(10)]


def of_numbers() -> list[Candidate]:
    """Return the 24 candidates for numbers: 4 choices of columns by 6 of learning.

    >>> len(of_numbers()), of_numbers()[0]
    (24, {'until': None, 'max_iter': 20})
    """
    columns: list[Candidate] = [{}, {"scale": "standard"}, {"scale": "maxabs"}, {"scale": "rows"}]
    learning: list[Candidate] = [{"until": None, "max_iter": 20}]
    learning += [{"until": None, **learnt} for learnt in _of_learning(20)[1:]]
    return [{**seen, **learnt} for seen in columns for learnt in learning]


def of_kernels(rows: Csr) -> list[Candidate]:
    """Return the 12 candidates for a kernel: 4 kernels by 3 rules.

    The widths of the RBF kernels are around 1 / (columns x variance).

    >>> from hardlimit.examples.dense import read_numbers
    >>> found = of_kernels(read_numbers([[0.0, 2.0], [2.0, 0.0]]).as_sparse())
    >>> len(found), found[0], found[3]
    (12, {}, {'kernel': Polynomial(degree=2, c=1.0)})
    """
    values = rows.data
    n = rows.shape[0] * rows.shape[1]
    mean = math.fsum(values) / n if n else 0.0
    variance = math.fsum(values * values) / n - mean * mean if n else 0.0
    gamma = 1 / (rows.shape[1] * variance) if variance > 0 else 1.0
    wide, narrow = (float(f"{one:.2g}") for one in (gamma / 8, gamma))  # as they are typed
    spaces: list[Candidate] = [
        {},
        {"kernel": Polynomial(degree=2)},
        {"kernel": RBF(gamma=narrow)},
        {"kernel": RBF(gamma=wide)},
    ]
    others = [rules.get("passive-aggressive", C=1.0), rules.get("margin-perceptron", b=0.5)]
    learning: list[Candidate] = [{}, *({"rule": rule, "max_iter": 20} for rule in others)]
    return [{**space, **learnt} for space in spaces for learnt in learning]


def _of_learning(epochs: int) -> list[Candidate]:
    others = [rules.get("passive-aggressive", C=C) for C in (0.3, 0.1)]
    others += [rules.get("margin-perceptron", b=1.0), rules.get("arow", r=1.0)]
    return [{}, {"max_iter": 2 * epochs}, *({"rule": r, "max_iter": epochs} for r in others)]
