"""
The perceptron step by step on OR
=================================

Rosenblatt's perceptron on the four rows of OR, as on a blackboard: every presentation is a line of
the table, every number an exact fraction.
"""

from hardlimit import LinearClassifier, rules, textbook

X = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
y = [-1, 1, 1, 1]

# %%
# A row gets a third number, -1, so that the threshold ``w0`` is learnt like a weight. ``t w.x`` is
# the margin. If it is 0 or less, the row is corrected: ``dw`` is added to the weights.

table = textbook.trace(X, y, "perceptron")
print(table.text())

# %%
# Novikoff's theorem: at most ``(radius / gamma)^2`` corrections, for any order. Here the weights
# ``(1, 1, -1)`` have the largest margin, and every row has the squared length 3.

rows = textbook.examples(X, y, bias_feature=-1).signed
best = (1, 1, -1)
margins = [sum(w * z for w, z in zip(best, row, strict=True)) for row in rows]
squared_radius, squared_gamma = 3, min(margins) ** 2 / 3
print("corrections:", table.outcome.corrections, " bound:", squared_radius / squared_gamma)

# %%
# Other rules on the same rows. They differ in the margin that they require and in the size of a
# correction.

for name in ("perceptron", "margin-perceptron", "dynamic-margin", "romma"):
    outcome = textbook.trace(X, y, name).outcome
    print(f"{name:18}", outcome.corrections, "corrections, w =", *map(str, outcome.w))

# %%
# The compiled learner makes the same steps. Its intercept is the negative of the threshold.

clf = LinearClassifier(rules.Perceptron(), order="cyclic", bias_feature=-1.0, readout="last")
clf.fit(X, y)
print("compiled:", clf.coef_[0], clf.intercept_, clf.stop_reason_)
