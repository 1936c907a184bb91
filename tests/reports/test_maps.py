"""A report on a model with a feature map: its weights are of products, its rows of the file."""

import pytest

from hardlimit import KernelClassifier, LinearClassifier, maps, reports

X = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
Y = ["no", "yes", "yes", "no"]
WRONG = ["yes", "yes", "yes", "no"]  # one row that is judged wrong, and explained


@pytest.mark.parametrize("chosen", ["cross", maps.Polynomial(2)], ids=str)
def test_weights_have_the_names_of_the_products(chosen):
    clf = LinearClassifier(map=chosen).fit(X, Y)
    page = reports.report(clf, X, WRONG, examples=3, columns=["a", "b"])
    assert "a*b" in page


def test_a_kernel_has_a_report_too():
    assert "<html" in reports.report(KernelClassifier("rbf").fit(X, Y), X, WRONG, examples=3)
