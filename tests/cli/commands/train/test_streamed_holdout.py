"""``hardlimit train --stream --holdout``: rows that are not learnt, and what is chosen on them."""

import hashlib
import json

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.cli.commands.train import streamed_holdout

from ...conftest import messages
from .test_streamed import train, write_jsonl


@pytest.fixture
def files(tmp_path):
    return [write_jsonl(tmp_path / f"{name}.jsonl.gz", messages(i)) for i, name in enumerate("ab")]


def divided(rows, share):
    """Return the rows that are learnt, and those that are held out, by the rule of the docs."""
    bound = int(share * 2**64)

    def is_out(text):
        digest = hashlib.blake2b(text.encode(), digest_size=8, person=b"holdout").digest()
        return int.from_bytes(digest, "little") < bound

    return [row for row in rows if not is_out(row[1])], [row for row in rows if is_out(row[1])]


def test_probabilities_are_fitted_to_rows_that_are_held_out(files, tmp_path, capsys):
    words = ("--stream", "--holdout", "0.25", "--probability", "--epochs", 3)
    assert train(*files, *words, "-o", tmp_path / "m", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    learnt, out = divided([*messages(0), *messages(1)], 0.25)
    assert told["rows"] == len(learnt) and told["held_out"]["n"] == len(out) > 100
    # The same model and the same slope as in memory, of the same rows.
    model = hl.load(tmp_path / "m")
    params = {**model.get_params(deep=False), "order": "stream"}
    same = hl.TextClassifier(**params).fit([r[1] for r in learnt], [r[2] for r in learnt])
    same.calibrate([r[1] for r in out], [r[2] for r in out])
    texts = [row[1] for row in out]
    assert np.array_equal(model.decision_function(texts), same.decision_function(texts))
    assert model.fitted.slope == same.fitted.slope
    assert np.array_equal(model.predict_proba(texts), same.predict_proba(texts))


def test_of_many_rows_that_are_held_out_a_sample_is_kept(files, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(streamed_holdout, "LARGEST", 10_000)
    assert train(*files, "--stream", "--holdout", "0.5", "-o", tmp_path / "m", "--json") == 0
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    n_out = len(divided([*messages(0), *messages(1)], 0.5)[1])
    n_kept = told["held_out"]["n"]
    assert 20 < n_kept < n_out / 2
    assert f"a sample of {n_kept} of {n_out:,} held-out rows is measured on" in captured.err
