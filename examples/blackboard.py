"""
The OR table of the blackboard
==============================

Rosenblatt's perceptron on the four rows of OR, as one would chalk it: every presentation is a line
of the table, every number a fraction. Half a page, and the whole of the algorithm.
"""

from hardlimit import LinearClassifier, rules, textbook

X = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
y = [-1, 1, 1, 1]

# %%
# A row gets a third number, -1, so that the threshold ``w0`` is learnt like a weight. ``t w.x`` is
# the margin: where it is 0 or less, the row is corrected, and ``dw`` is what is added.

table = textbook.trace(X, y, "perceptron")
print(table.text())

# %%
# Novikoff's theorem says at most ``(radius / gamma)^2`` corrections, whatever the order. Here the
# largest margin is that of ``(1, 1, -1)``, and every row has the squared length 3.

rows = textbook.examples(X, y, bias_feature=-1).signed
best = (1, 1, -1)
margins = [sum(w * z for w, z in zip(best, row, strict=True)) for row in rows]
squared_radius, squared_gamma = 3, min(margins) ** 2 / 3
print("corrections:", table.outcome.corrections, " bound:", squared_radius / squared_gamma)

# %%
# The other rules of the blackboard, on the same rows: only what they require and how far they move
# differs.

for name in ("perceptron", "margin-perceptron", "dynamic-margin", "romma"):
    outcome = textbook.trace(X, y, name).outcome
    print(f"{name:18}", outcome.corrections, "corrections, w =", *map(str, outcome.w))

# %%
# The compiled learner does the same steps; its bias is the threshold with the other sign.

clf = LinearClassifier(rules.Perceptron(), order="cyclic", bias_feature=-1.0, readout="last")
clf.fit(X, y)
print("compiled:", clf.coef_[0], clf.intercept_, clf.stop_reason_)
