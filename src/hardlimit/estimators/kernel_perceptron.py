"""The kernel perceptron, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from hardlimit import kernels
from hardlimit.classifiers.kernel import KernelClassifier
from hardlimit.classifiers.model.choices import Default
from hardlimit.estimators._base import SampleWeighted, delegated
from hardlimit.estimators._linear import resolve_aim
from hardlimit.estimators.calibration import Classifier


@dataclass(kw_only=True, repr=False, eq=False)
class KernelPerceptronClassifier(SampleWeighted):
    """The perceptron, or any rule that adds, in the space of a kernel.

    ::

        score(x) = sum_i alpha_i y_i K(x_i, x)      over the examples that were corrected

    Parameters
    ----------
    kernel : str, kernel or function
        Of :mod:`hardlimit.kernels`; its parameters are ``kernel__degree`` and so on. The default is
        Freund and Schapire's, ``(1 + <x, y>)^2``.
    rule : str or rule
        Of :mod:`hardlimit.rules`; its parameters are ``rule__C`` and so on.
    budget : None or budget
        Of :mod:`hardlimit.budgets`: bounds the number of supports.
    class_weight : None, "balanced" or dict
        What a weight means is the rule's affair.
    readout : None or str
        ``"averaged"``, ``"last"``, ``"longest"``, ``"pocket"``, ``"voted"`` or ``"random"``. None
        is ``"averaged"``, on a budget ``"last"``: an average holds on to all it is made of.
    others
        As in :class:`~hardlimit.PerceptronClassifier`.

    Attributes
    ----------
    support_, dual_coef_
        Rows of X that count, and their coefficients (n_outputs, n_support).

    Examples
    --------
    >>> from hardlimit import KernelPerceptronClassifier, kernels
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> clf = KernelPerceptronClassifier(kernel=kernels.Polynomial(degree=2)).fit(X, y)
    >>> clf.predict(X)
    array([0, 1, 1, 0])
    """

    kernel: Any = "polynomial"
    rule: Any = "perceptron"
    budget: Any = None
    order: Any = "shuffled"
    readout: str | None = None
    until: str | None = "separated"
    tol: float = 0.0
    fit_intercept: bool = False
    schedule: Any = None
    guard: Any = None
    class_weight: Any = None

    _Model: ClassVar[type[Classifier]] = KernelClassifier
    support_ = delegated("support_", KernelClassifier)
    dual_coef_ = delegated("dual_coef_", KernelClassifier)

    def _make_rule(self) -> Any:
        return self.rule

    def _settings(self) -> dict[str, Any]:
        settings = super()._settings() | {"readout": self._resolve_readout()}
        return resolve_aim(self, self.until, settings)

    def _resolve_readout(self) -> str:
        """An average holds on to all it is made of, which a budget would have to let go."""
        if self.readout is None:
            return Default("averaged") if self.budget is None else "last"
        return self.readout

    def _inside(self, name: str) -> Any:
        if name == "kernel" and isinstance(self.kernel, str):
            return kernels.resolve(self.kernel)
        return super()._inside(name)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # With a given Gram matrix cross-validation has to cut columns as well as rows.
        tags.input_tags.pairwise = bool(getattr(self._inside("kernel"), "given", False))
        return tags
