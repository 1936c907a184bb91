"""A live model that decides by another threshold than its file: entries remember which."""

from __future__ import annotations

import random

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, InputError

HAM, SPAM = "lunch noon meeting monday report".split(), "prize win free cash claim".split()


@pytest.fixture
def model(tmp_path):
    draw = random.Random(5)
    texts = [
        " ".join(draw.choices(SPAM, k=2) + draw.choices(HAM, k=1)) if n % 2 else
        " ".join(draw.choices(HAM, k=3))
        for n in range(60)
    ]  # fmt: skip
    path = tmp_path / "m"
    hl.TextClassifier(words=(1, 1), chars=None).fit(texts, ["ham", "spam"] * 30).save(path)
    return path


def test_corrections_reach_the_threshold_and_replay_under_any(model, tmp_path) -> None:
    """What was corrected at one threshold is the same, to the bit, where another one is used."""
    with hl.open_live(model, threshold=0.4) as live:
        assert live.threshold == 0.4
        for number, text in enumerate(["lunch prize", "noon cash", "meeting free", "win report"]):
            live.correct(text, ("spam", "ham")[number % 2], by="a")
            beyond = (live.scores([text])[0][0] - 0.4) * (-1) ** number
            assert beyond >= 1 and live.predict([text]) == [("spam", "ham")[number % 2]]
        guard = live.add_guard("noon cash", "ham")
        live.undo(3)
        with pytest.raises(CorrectionError, match="guard"):
            live.correct("noon cash", "spam")
        live.verify()
        expected = live.digest(), live.scores(["lunch prize", "noon cash", "meeting free"])
    with hl.open_live(model) as live:  # by the threshold of the file
        live.correct("report win free", "spam")
        live.verify()
        live.undo(live.n_entries)
        assert live.scores(["lunch prize", "noon cash", "meeting free"]) == expected[1]
    with hl.open_live(model, threshold=0.4) as live:
        live.verify()
        assert live.digest() == expected[0] and live.check_guards() == []
        live.bake(tmp_path / "baked")
        answers = live.predict(["lunch prize", "noon cash", "meeting free"])
    baked = hl.load(tmp_path / "baked")
    assert baked.threshold_ == 0.4 and guard == 5
    assert baked.predict(["lunch prize", "noon cash", "meeting free"]).tolist() == answers


def test_a_file_without_another_threshold_writes_as_before(model) -> None:
    with hl.open_live(model, threshold=0.0) as live:
        live.correct("lunch prize", "ham")
        assert "threshold" not in next(live.log()).details


def test_other_models_and_numbers_are_refused(model, tmp_path) -> None:
    path = tmp_path / "three"
    hl.TextClassifier().fit(["a b", "c d", "e f"] * 4, ["x", "y", "z"] * 4).save(path)
    with pytest.raises(InputError, match="wanted none, since the model has 3 classes"):
        hl.open_live(path, threshold=1.0)
    for value in (float("nan"), "0.5", [0.5], 10**400):
        with pytest.raises(InputError, match="finite"):
            hl.open_live(model, threshold=value)
