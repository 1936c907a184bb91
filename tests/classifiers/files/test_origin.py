"""A loaded model does not undo in its file what another program saved there meanwhile."""

import os
import pickle

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import KernelClassifier, LinearClassifier, TextClassifier
from hardlimit.exceptions import FileError

X = np.eye(4)
Y = [0, 1, 0, 1]
TEXTS = ["win a prize", "lunch at noon", "a prize", "see you"]
kinds = pytest.mark.parametrize(
    ("make", "rows"),
    [(LinearClassifier, X), (KernelClassifier, X), (TextClassifier, TEXTS)],
    ids=["linear", "kernel", "text"],
)


@kinds
def test_a_file_that_another_program_changed_is_not_written_over(make, rows, tmp_path):
    path = tmp_path / "m"
    make().fit(rows, Y).save(path)
    mine, theirs = hl.load(path), hl.load(path)
    theirs.partial_fit(rows, Y).save(path)
    kept = path.read_bytes()
    mine.partial_fit(rows[:2], Y[:2])
    with pytest.raises(FileError, match="another program changed it") as caught:
        mine.save(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == kept
    with pytest.raises(FileError):
        mine.with_readout("last").save(path)
    # The three ways out that the error names.
    mine.save(tmp_path / "another")
    hl.load(path).partial_fit(rows[:2], Y[:2]).save(path)
    path.unlink()
    mine.save(path)
    assert sorted(os.listdir(tmp_path)) == ["another", "m"]


@kinds
def test_who_changed_it_himself_may_save_again(make, rows, tmp_path):
    path = tmp_path / "m"
    make().fit(rows, Y).save(path)
    clf = hl.load(path)
    for one in (clf, clf.with_readout("last"), clf):
        one.partial_fit(rows, Y).save(path)
    # The same bytes again are no change: a copy, a file that was touched.
    path.write_bytes(path.read_bytes())
    clf.save(path)
    (tmp_path / "link").symlink_to(path)
    clf.save(tmp_path / "link")


def test_a_new_fit_owes_nothing_to_the_file(tmp_path):
    path = tmp_path / "m"
    LinearClassifier().fit(X, Y).save(path)
    clf, other = hl.load(path), hl.load(path)
    other.partial_fit(X, Y).save(path)
    clf.fit(X, Y).save(path)
    other.fit(X[:2], Y[:2]).save(path)


def test_a_pickle_may_go_where_the_file_is_another(tmp_path):
    path = tmp_path / "m"
    LinearClassifier().fit(X, Y).save(path)
    clf = pickle.loads(pickle.dumps(hl.load(path)))
    LinearClassifier(max_iter=1).fit(X, [1, 0, 0, 1]).save(path)
    clf.save(path)
