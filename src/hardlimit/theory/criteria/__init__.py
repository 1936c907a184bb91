"""The criterion functions of the perceptron family, one a file: what the rules descend.

Learning ``z w > 0`` for all signed rows ``z = y (x, s)`` is solving linear *inequalities* (a common
slip calls them equalities). A criterion turns them into one number that is least where they hold,
and sees only the rows of its *members*: those with ``z w <= required``, equality included, in
the value, the gradient and the Hessian alike.

=========================== ====================================== ==================== ==========
criterion                   value, a sum over the members          gradient             members
=========================== ====================================== ==================== ==========
``Misclassified``           ``1``                                  0                    z w <= 0
``PerceptronCriterion``     ``-z w``                               ``-z``               z w <= 0
``SquaredCriterion``        ``(z w)^2``                            ``2 (z w) z``        z w <= 0
``RelaxationCriterion(b)``  ``(z w - b)^2 / (2 ||z||^2)``          ``(z w - b) z /      z w <= b
                                                                   ||z||^2``
=========================== ====================================== ==================== ==========

Each answers ``value(Z, w)``, ``gradient(Z, w)``, ``hessian(Z, w, direction)`` (the Hessian times a
direction, never the matrix), ``members(Z, w)`` and ``line_search(Z, w)``. ``Z`` is a list of
rows, of ints or Fractions (exactly) or floats, computed as written; or a dense array or a CSR
matrix, computed by numpy. Cost: O(non-zeros) a question.

Descending is subtracting the gradient: ``w <- w - eta gradient``, which *adds* the violators. A
common slip subtracts them, because the rows are written without their sign.

Duda, Hart and Stork, Pattern Classification, 2nd ed. (2001), sections 5.5 and 5.6.

Examples
--------
The modified OR, its threshold a feature of value -1, at the weights (1, 1, 1):

>>> from hardlimit import criteria
>>> Z = criteria.signed_rows([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1], bias_feature=-1)
>>> Z
[(1, 1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1)]
>>> for name in criteria.names():
...     print(f"{name:22}", criteria.get(name).value(Z, [1, 1, 1]))
misclassified          2
perceptron-criterion   2
relaxation-criterion   4/3
squared-criterion      2
"""

from __future__ import annotations

from hardlimit.foundation.register import Register
from hardlimit.theory.criteria._criterion import Criterion
from hardlimit.theory.criteria._signed_rows import signed_rows

__all__ = ["Criterion", "get", "names", "signed_rows"]

CRITERIA: Register[Criterion] = Register("criterion", Criterion)
CRITERIA.discover(globals())


def names() -> list[str]:
    """Names of all criteria, sorted."""
    return CRITERIA.names()


def get(name: str, **parameters: object) -> Criterion:
    """Make the criterion of that name.

    >>> from hardlimit import criteria
    >>> criteria.get("relaxation-criterion", b=2)
    RelaxationCriterion(b=2)
    """
    return CRITERIA.get(name, **parameters)
