"""Explanations, moved weights and differences: all of them add up."""

import math

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.exceptions import InputError, KindError
from hardlimit.live.difference import compare, compare_live

from ..rounding import SINGLE, near
from .messages import LABELS, TEXTS

# Of sums of up to 12 terms, each with products and a weight that was moved five times, twice.
ROUNDINGS = 60


@pytest.fixture(scope="module")
def shifted(tmp_path_factory):
    """Two classes with a threshold that is not 0."""
    path = tmp_path_factory.mktemp("shifted") / "model"
    made = hl.TextClassifier(words=(1, 1), chars=None).fit(TEXTS, LABELS)
    made.fitted.threshold = 0.375
    made.save(path)
    assert hl.open_live(path, None).threshold == 0.375
    return str(path)


def total(why):
    return sum(one.base + one.corrections for one in why.terms)


def size(why):
    """The sum of the sizes of all that is added."""
    return sum(abs(one.base) + abs(one.corrections) for one in why.terms)


@pytest.mark.parametrize("kind", ["two", "many", "shifted"])
def test_terms_add_up_to_the_margin_and_pushes_to_the_corrections(kind, request):
    path = request.getfixturevalue(kind)
    live, base = hl.open_live(path, None), hl.open_live(path, None)
    for number, label in enumerate(["ham", "spam", "ham", "new", "spam"]):
        live.correct(
            TEXTS[(3 * number) % 8] + " zebra",
            label,
            by=f"a{number}",
            margin=1 + number,
            new_class=True,
        )
    live.undo(2)
    for text in [*TEXTS, "zebra", "win at noon zebra", "nothing of this"]:
        why, standing = live.why(text, 1000), live.standing(text)
        assert (why.label, why.margin) == (standing.label, standing.margin)
        assert total(why) == near(why.margin, ROUNDINGS, size=size(why))
        scores = dict(zip(live.classes, live.scores([text])[0], strict=True))
        rivals = sorted(scores, key=lambda k: -scores[k])
        assert {why.label, why.rival} == set(rivals[:2]) or (scores[why.rival] == scores[rivals[1]])
        sizes = [abs(one.base + one.corrections) for one in why.terms]
        assert sizes == sorted(sizes, reverse=True)
        pushed = sum(one.corrections for one in why.terms)
        most = sum(abs(one.push) for one in why.corrections)
        moved = sum(one.push for one in why.corrections)
        assert moved == near(pushed, ROUNDINGS, size=most)
        assert len(why.corrections) == why.n_corrections
        assert 2 not in [one.id for one in why.corrections]
        log = {entry.id: entry for entry in live.log()}
        for one in why.corrections:
            entry = log[one.id]
            assert (one.author, one.time, one.label) == (entry.author, entry.time, entry.label)
        pushes = [abs(one.push) for one in why.corrections]
        assert pushes == sorted(pushes, reverse=True)
        short = live.why(text, 2)
        assert short.terms == why.terms[:2] and short.corrections == why.corrections[:2]
        assert short.n_corrections == why.n_corrections
        spans = sum(one.contribution for one in live.spans(text))
        rest = sum(one.base + one.corrections for one in why.terms if one.term == "(intercept)")
        assert spans + rest == near(why.margin, ROUNDINGS, size=size(why))
    assert base.why(TEXTS[0]).corrections == () and base.why(TEXTS[0]).n_corrections == 0
    assert len(base.why(" ".join(TEXTS)).terms) == 10


@pytest.mark.parametrize("kind", ["two", "many"])
def test_moved_weights_are_those_that_the_scores_moved_by(kind, request):
    path = request.getfixturevalue(kind)
    live, base = hl.open_live(path, None), hl.open_live(path, None)
    classes = base.classes
    for number in range(4):
        live.correct(TEXTS[number] + " zebra", classes[(number + 1) % len(classes)], new_class=True)
    moved = live.moved_weights()
    names = {one.term for one in moved}
    assert "(intercept)" in names and any("zebra" in one for one in names)
    assert all(one.before != one.after for one in moved)
    assert all(one.before == 0 for one in moved if "zebra" in one.term)
    found = compare_live(live, 3)
    assert found.n_moved == len(moved) and len(found.moved) == 3
    wanted = math.sqrt(sum((one.after - one.before) ** 2 for one in moved))
    assert found.distance == near(wanted, 2 * len(moved))  # in another order
    changes = sorted((abs(one.after - one.before) for one in moved), reverse=True)
    assert [abs(one.after - one.before) for one in found.moved] == changes[:3]
    assert found.added == found.removed == ()
    live.correct("a quite new thing", "new", new_class=True)
    assert compare_live(live).added == ("new",)


def test_a_baked_file_differs_by_what_was_moved(two, many, tmp_path):
    for path, name in ((two, "b2"), (many, "bm")):
        live = hl.open_live(path, None)
        live.correct("win a prize now", live.classes[0])
        live.bake(tmp_path / name)
        found, told = compare(path, tmp_path / name, 1000), compare_live(live, 1000)
        assert found.n_moved == told.n_moved and found.added == found.removed == ()
        # A weight of the file is rounded to single precision.
        length = math.sqrt(sum(one.after**2 for one in told.moved))
        assert found.distance == near(told.distance, 2, size=length, unit=SINGLE)
        assert {one[:2] for one in found.moved} == {one[:2] for one in told.moved}
        for a, b in zip(found.moved, told.moved, strict=True):
            most = abs(b.before) + abs(b.after)
            assert a.after - a.before == near(b.after - b.before, 2, size=most, unit=SINGLE)
        assert compare(path, path) == ((), (), 0, 0.0, ())
        back = compare(tmp_path / name, path, 2)
        assert [(one.before, one.after) for one in back.moved] == [
            (one.after, one.before) for one in found.moved[:2]
        ]


def test_models_of_other_classes_and_of_numbers_are_compared(two, many, tmp_path):
    found = compare(two, many, 10_000)
    assert found.added == ("news", "shop", "work") and found.removed == ()
    assert {one.label for one in found.moved} == {"ham", "spam"}
    assert compare(many, two).removed == ("news", "shop", "work")
    X, y = np.array([[1.0, 0, 2], [0, 1, 0.5], [2, 1, 0], [0, 3, 1]]), [0, 1, 0, 1]
    first = hl.LinearClassifier().fit(X, y)
    second = hl.LinearClassifier().fit(X[:, ::-1].copy(), y)
    for name, model in (("a", first), ("b", second)):
        model.save(tmp_path / name)
    found = compare(tmp_path / "a", tmp_path / "b", 100)
    weights = {f"column {k}": (first.coef_[0][k], second.coef_[0][k]) for k in range(3)}
    weights["(intercept)"] = (first.intercept_[0], second.intercept_[0])
    assert {one.term: (one.before, one.after) for one in found.moved} == {
        term: pair for term, pair in weights.items() if pair[0] != pair[1]
    }
    assert {one.label for one in found.moved} == {1}
    voted = hl.LinearClassifier(readout="voted", keep=("voted",)).fit(X, y)
    voted.save(tmp_path / "voted")
    with pytest.raises(InputError, match="votes"):
        compare(tmp_path / "a", tmp_path / "voted")
    wide = hl.LinearClassifier().fit(np.vstack([X, X + 1]), [0, 1, 2, 0, 1, 2, 0, 1])
    wide.save(tmp_path / "wide")
    assert compare(tmp_path / "a", tmp_path / "wide").added == (2,)
    assert {one.label for one in compare(tmp_path / "wide", tmp_path / "a", 99).moved} <= {0, 1}


def test_rows_of_numbers_are_explained(tmp_path):
    X, y = [[1.0, 0.0, 2.0], [0.0, 1.0, 0.5], [2.0, 1.0, 0.0], [0.0, 3.0, 1.0]], [0, 1, 0, 1]
    hl.LinearClassifier().fit(X, y).save(tmp_path / "rows")
    live = hl.open_live(tmp_path / "rows", ledger=None)
    live.correct(X[0], 1)
    for row in X:
        why = live.why(row, 10)
        assert total(why) == near(why.margin, ROUNDINGS, size=size(why))
        assert {one.term for one in why.terms} <= {
            "column 0", "column 1", "column 2", "(intercept)"
        }  # fmt: skip
    with pytest.raises(KindError):
        live.spans("a text")
    for wrong in ([X[0], X[1]], [[1.0]] * 3):
        with pytest.raises(InputError, match="one row"):
            live.standing(wrong)


def test_known_terms_are_counted_as_the_rows_have_them(two):
    live = hl.open_live(two, None)

    def count(*texts):
        return live.scores_and_known(list(texts))[1]

    before = count("win a prize", "zebra", "")
    assert before[1:] == [0, 0] and before[0] > 1
    assert [live.why(one).known_features for one in ("win a prize", "zebra", "")] == before
    live.correct("zebra prize", "ham")
    assert count("zebra", "zebra win") == [1, live.why("zebra win").known_features]
    assert [one.known_features for one in live.answer(["zebra", "quagga"])] == [1, 0]
    assert live.inbox()[1].answer.known_features == 1


def test_weights_of_more_classes_than_two_count_as_they_are(tmp_path, two, many):
    live = hl.open_live(many, None)
    live.correct("zebra", "news", new_class=True)
    moved = {(one.term, one.label): one for one in live.moved_weights()}
    assert {label for term, label in moved if term == "zebra"} >= {"news"}
    assert moved["zebra", "news"].after > 0 and moved["zebra", "news"].before == 0
    assert moved["(intercept)", "news"].after > moved["(intercept)", "news"].before
    # A third class of two: the baked file has no threshold any more.
    live = hl.open_live(two, None)
    live.correct("a quite new gnu", "new", margin=2.0, new_class=True)
    live.bake(tmp_path / "baked")
    loaded = hl.load(tmp_path / "baked")
    assert loaded.fitted.threshold == 0.0
    assert loaded.predict(["gnu"]).tolist() == live.predict(["gnu"]) == ["new"]


@pytest.mark.parametrize("kind", ["two", "many"])
def test_the_weights_before_are_those_of_the_file_after_a_new_class_too(kind, request, tmp_path):
    path = request.getfixturevalue(kind)
    live = hl.open_live(path, None)
    live.correct("win a prize at noon", "new", margin=2.0, new_class=True)
    live.bake(tmp_path / "baked")
    told = {one[:2]: one for one in compare(path, tmp_path / "baked", 10_000).moved}
    moved = {one[:2]: one for one in live.moved_weights() if one.label != "new"}
    assert moved and {label for _, label in moved} <= set(live.base.classes)
    for key, one in moved.items():
        assert one.before == told[key].before
        # A weight of the file is rounded to single precision.
        assert one.after == near(told[key].after, 2, unit=SINGLE)
    assert any(one.before for one in moved.values())
