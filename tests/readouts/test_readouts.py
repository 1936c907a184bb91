"""Read-outs as objects: names, what they need of a run, and what follows from it."""

import pytest

from hardlimit import _native, readouts, rules
from hardlimit.exceptions import InputError, KindError
from hardlimit.readouts import Mixture

PLACES = ("last", "averaged", "longest", "pocket", "pocket-ratchet", "voted", "random")


def test_names_stand_in_the_order_of_lists():
    assert tuple(name for name in readouts.names() if name in PLACES) == PLACES
    assert readouts.STREAMED == ("last", "averaged")


@pytest.mark.parametrize("name", readouts.names())
def test_a_read_out_is_found_by_its_name(name):
    readout = readouts.resolve(name)
    assert readouts.resolve(readout) is readout
    assert readouts.REGISTER.name_of(readout) == name
    assert (type(readout).__doc__ or "").splitlines()[0].endswith(".")
    if not readout.streamed:
        with pytest.raises(NotImplementedError):
            readout.mixture("post", 1)


def test_places_differ():
    places = [cls.place for cls in readouts.REGISTER.members.values()]
    assert sorted(places) == sorted(set(places))


def test_what_compares_lives_has_a_compiled_twin():
    state = _native.Online(
        _native.compiled_rule("perceptron", {}), "single", 2, 1, False
    )  # names that it does not know are refused
    for name in set(readouts.names()) - set(readouts.STREAMED):
        state.watch([name], 0)
    with pytest.raises((ValueError, KeyError)):
        state.watch(["no-such-read-out"], 0)


@pytest.mark.parametrize(
    ("averaging", "expected"),
    [("post", Mixture(1, 1, 4)), ("pre", Mixture(0, 1, 4)), ("ciml", Mixture(1, 1, 5))],
)
def test_mixtures(averaging, expected):
    assert readouts.mixture("averaged", averaging, 4) == expected
    assert readouts.mixture("averaged", averaging, 0) == Mixture(1, 0, 1)
    assert readouts.mixture("last", averaging, 4) == Mixture(1, 0, 1)


def test_refusals_follow_from_what_a_read_out_needs():
    needs = {name: readouts.resolve(name) for name in readouts.names()}
    for name, readout in needs.items():
        linked = readouts.reason_against(name, rules.BalancedWinnow(), "online")
        assert bool(linked) == readout.sums_weights
        second = readouts.reason_against(name, rules.AROW(), "online")
        assert bool(second) == readout.replays_corrections
        assert bool(readouts.reason_against(name, "perceptron", "batch")) == (not readout.streamed)
        assert not readouts.reason_against(name, "perceptron", "online")


@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ((5, "last", "post"), "keep"),
        (("last", "best", "post"), "keep and readout"),
        (("last", "longest", "post"), "readout"),
        (("last", "last", "mean"), "averaging"),
    ],
)
def test_what_is_not_there_is_refused(given, parameter):
    with pytest.raises(InputError) as refused:
        readouts.check(*given)
    assert refused.value.parameter == parameter


def test_what_is_no_read_out_is_refused():
    with pytest.raises(KindError, match="readout"):
        readouts.resolve(3)
    with pytest.raises(KindError, match="an object"):
        readouts.resolve(readouts.Voted)
