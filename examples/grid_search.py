"""
GridSearchCV over rules
=======================

The classifiers work in scikit-learn's pipelines and searches. A rule is a parameter like any other.
The names of the rule's own parameters begin with ``rule__``, as in ``rule__C``.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hardlimit import LinearClassifier, rules

X, y = load_breast_cancer(return_X_y=True)

# %%
# The columns of this set differ in size by a factor of ten thousand: standardise them first.

pipeline = make_pipeline(StandardScaler(), LinearClassifier(until=None, max_iter=20))

# %%
# Three families of rules, each with its own parameter.

grid = [
    {"linearclassifier__rule": [rules.Perceptron(), rules.ROMMA()]},
    {
        "linearclassifier__rule": [rules.MarginPerceptron()],
        "linearclassifier__rule__b": [10, 100],
    },
    {
        "linearclassifier__rule": [rules.PassiveAggressive(), rules.PassiveAggressive2()],
        "linearclassifier__rule__C": [0.001, 0.01, 0.1],
    },
    {"linearclassifier__rule": [rules.AROW()], "linearclassifier__rule__r": [1, 10]},
]
search = GridSearchCV(pipeline, grid, cv=5).fit(X, y)

# %%
# The best setting of each rule. The differences are small.

best = {}
for score, settings in zip(
    search.cv_results_["mean_test_score"], search.cv_results_["params"], strict=True
):
    rule = settings["linearclassifier__rule"]
    inner = {k.rpartition("__")[2]: v for k, v in settings.items() if "rule__" in k}
    rule = rule.set_params(**inner)
    best[type(rule)] = max(best.get(type(rule), (0, "")), (score, repr(rule)))
for score, rule in sorted(best.values(), reverse=True):
    print(f"{score:.1%}  {rule}")
