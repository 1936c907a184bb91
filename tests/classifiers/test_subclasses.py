"""Classes of users that are built on the classifiers."""

import pytest

import hardlimit as hl

TEXTS, ROWS = ["a prize", "at noon"], [[0.0, 1.0], [1.0, 0.0]]


class Shorter(hl.LinearClassifier):
    """Takes one parameter of the usual ones, and one of its own."""

    def __init__(self, rule="romma", extra=1):
        super().__init__(rule=rule)
        self.extra = extra


class Bare(hl.LinearClassifier):
    """Takes none."""

    def __init__(self):
        super().__init__("romma")


class BareTexts(hl.TextClassifier):
    """Takes none, and learns from texts."""

    def __init__(self):
        super().__init__(words=(1, 1))


class BareKernel(hl.KernelClassifier):
    """Takes none, and has a kernel."""

    def __init__(self):
        super().__init__("polynomial")


@pytest.mark.parametrize("kind", [Shorter, Bare, BareTexts, BareKernel])
def test_a_subclass_may_take_fewer_parameters(kind):
    rows = TEXTS if issubclass(kind, hl.TextClassifier) else ROWS
    model = kind().fit(rows, ["yes", "no"])
    assert list(model.predict(rows)) == ["yes", "no"]
    assert type(model.partial_fit(rows, ["yes", "no"])) is kind
