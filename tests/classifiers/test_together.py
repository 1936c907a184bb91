"""What does not go together is refused: who, why, and the mend."""

import pytest

from hardlimit import LinearClassifier, guards, rules, schedules
from hardlimit.exceptions import InputError, KindError

X, Y = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1]

REFUSED = [
    ({"rule": "passive-aggressive", "order": "batch"}, "PassiveAggressive has no batch form"),
    ({"rule": "romma", "order": "batch"}, "ROMMA has no batch form"),
    ({"rule": "balanced-winnow", "order": "worst"}, "does not add multiples of the examples"),
    ({"rule": "arow", "order": "worst"}, "does not add multiples of the examples"),
    ({"rule": "passive-aggressive", "schedule": "1/step"}, "length of its steps itself"),
    ({"rule": "alma", "schedule": "0.5"}, "length of its steps itself"),
    ({"schedule": "line-search", "order": "batch"}, "its Hessian is 0"),
    ({"rule": "relaxation", "schedule": "line-search"}, "use order='batch'"),
    ({"schedule": "projection"}, "a mistake for ever"),
    ({"schedule": "1/steps"}, "wanted constant, NUMBER, 1/step"),
    ({"schedule": schedules.Power}, "got the class Power, wanted an object"),
    ({"schedule": [3]}, "wanted a number, a name, or an object"),
    ({"rule": "passive-aggressive", "guard": guards.Margin(1)}, "takes no margin from outside"),
    ({"rule": "romma", "guard": guards.LambdaTrick(1)}, "does more than add multiples"),
    ({"rule": "dynamic-margin", "guard": guards.LambdaTrick(1)}, r"asks for \|\|w\|\|"),
    ({"rule": "balanced-winnow", "readout": "voted", "keep": "voted"}, "use 'last', 'longest'"),
    ({"rule": "balanced-winnow", "keep": ("averaged",), "readout": "averaged"}, "2 sinh"),
    ({"rule": "scw1", "keep": ("voted", "last"), "readout": "voted"}, "no multiples of the"),
    ({"rule": "winnow-2", "keep": "voted", "readout": "voted"}, "no multiples of the"),
    ({"order": "batch", "keep": "longest", "readout": "longest"}, "lives for one presentation"),
    ({"order": "worst", "keep": ("pocket", "last"), "readout": "pocket"}, "lives for one"),
    ({"keep": "everything"}, "wanted one of last, averaged, longest"),
    ({"readout": "longest"}, r"is not kept; wanted keep=\('last', 'averaged', 'longest'\)"),
    ({"order": "sorted"}, "wanted one of batch, cyclic, random, shuffled, worst"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED, ids=lambda v: str(v)[:40])
def test_refusals_say_why(settings, message):
    with pytest.raises((InputError, KindError), match=message):
        LinearClassifier(**settings).fit(X, Y)


@pytest.mark.parametrize("name", rules.names())
@pytest.mark.parametrize("order", ["shuffled", "batch", "worst"])
def test_all_that_goes_is_kept(name, order):
    """keep="all" means what the rule and the order allow, and each of it answers."""
    clf = LinearClassifier(name, order=order, keep="all", max_iter=5, readout="last")
    try:
        clf.fit(X, Y)
    except InputError as error:
        assert "order" in str(error)  # noqa: PT017
        return
    for readout in clf.fitted.choices.kept:
        assert len(clf.with_readout(readout).predict(X)) == 3


def test_the_default_read_out_is_last_where_there_is_no_average():
    clf = LinearClassifier("balanced-winnow", max_iter=20).fit(X, Y)
    assert (clf.coef_ == clf.with_readout("last").coef_).all()
