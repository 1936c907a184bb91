"""
The kernel perceptron on XOR and circles
========================================

No line separates XOR, and no line separates a ring from the points inside it. In the dual form the
perceptron stores the examples that it corrected, the supports, and compares new examples with them
by a kernel: an inner product in a space of more dimensions.
"""

from sklearn.datasets import make_circles

from hardlimit import KernelClassifier, LinearClassifier, kernels

# %%
# XOR. The polynomial kernel of degree 2 contains the product ``x1 x2``, which separates them.

X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], ["no", "yes", "yes", "no"]
line = LinearClassifier("perceptron", until=None, max_iter=100).fit(X, y)
curve = KernelClassifier(kernels.Polynomial(degree=2), order="cyclic", readout="last").fit(X, y)
print("a line: ", *line.predict(X), f"({line.score(X, y):.0%} correct)")
print("a curve:", *curve.predict(X), f"({curve.stop_reason_})")
print("corrections of rows", *curve.support_, "with their signs:", *curve.dual_coef_[0])

# %%
# Circles with noise, so that the two rings overlap. The RBF kernel depends on distances only; a
# larger ``gamma`` makes it more local. A required margin needs more supports.

X, y = make_circles(800, noise=0.15, factor=0.5, random_state=0)
train, test = slice(0, 400), slice(400, 800)
for kernel in (kernels.Linear(), kernels.Polynomial(degree=2), kernels.RBF(gamma=2.0)):
    for rule in ("perceptron", "margin-perceptron"):
        clf = KernelClassifier(kernel, rule, until=None, max_iter=20).fit(X[train], y[train])
        accuracy, supports = clf.score(X[test], y[test]), len(clf.support_)
        print(f"{kernel!s:29} {rule:18} {accuracy:.1%} correct, {supports} supports")

# %%
# The predictions of the last model on a grid.

for row in range(12, -13, -3):
    grid = [[column / 10, row / 10] for column in range(-14, 15)]
    print("".join(".#"[label] for label in clf.predict(grid)))

# %%
# A kernel may be any function of two matrices that returns inner products. Here the ring is an
# interval of the squared distance from the centre.


def by_radius(a, b):
    """Inner product of (1, squared length)."""
    return 1 + (a * a).sum(axis=1)[:, None] * (b * b).sum(axis=1)[None, :]


own = KernelClassifier(by_radius, until=None, max_iter=20).fit(X[train], y[train])
print(f"your own kernel: {own.score(X[test], y[test]):.1%} correct")
