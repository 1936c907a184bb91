"""
The kernel perceptron on XOR and circles
========================================

No line separates XOR, and none separates a ring from what lies inside it. In the dual form the
perceptron keeps the examples that it was corrected on, the supports, and sees them through a
kernel: an inner product of a space that is never entered.
"""

from sklearn.datasets import make_circles

from hardlimit import KernelClassifier, LinearClassifier, kernels

# %%
# XOR. The polynomial kernel of degree 2 contains the product ``x1 x2``, which settles it.

X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], ["no", "yes", "yes", "no"]
line = LinearClassifier("perceptron", until=None, max_iter=100).fit(X, y)
curve = KernelClassifier(kernels.Polynomial(degree=2), order="cyclic", readout="last").fit(X, y)
print("a line: ", *line.predict(X), f"({line.score(X, y):.0%} right)")
print("a curve:", *curve.predict(X), f"({curve.stop_reason_})")
print("corrections of rows", *curve.support_, "with their signs:", *curve.dual_coef_[0])

# %%
# Circles, with noise, so that the two rings touch. The RBF kernel looks at distances only;
# ``gamma`` says how near is near. A required margin needs more supports.

X, y = make_circles(800, noise=0.15, factor=0.5, random_state=0)
learn, ask = slice(0, 400), slice(400, 800)
for kernel in (kernels.Linear(), kernels.Polynomial(degree=2), kernels.RBF(gamma=2.0)):
    for rule in ("perceptron", "margin-perceptron"):
        clf = KernelClassifier(kernel, rule, until=None, max_iter=20).fit(X[learn], y[learn])
        right, supports = clf.score(X[ask], y[ask]), len(clf.support_)
        print(f"{kernel!s:29} {rule:18} {right:.1%} right, {supports} supports")

# %%
# What the ring looks like to the last one: its answers on a grid.

for row in range(12, -13, -3):
    grid = [[column / 10, row / 10] for column in range(-14, 15)]
    print("".join(".#"[label] for label in clf.predict(grid)))

# %%
# Any function of two matrices that gives their inner products will do: here the ring is a line in
# the squared distance from the middle.


def by_radius(a, b):
    """Inner product of (1, squared length)."""
    return 1 + (a * a).sum(axis=1)[:, None] * (b * b).sum(axis=1)[None, :]


own = KernelClassifier(by_radius, until=None, max_iter=20).fit(X[learn], y[learn])
print(f"a kernel of one's own: {own.score(X[ask], y[ask]):.1%} right")
