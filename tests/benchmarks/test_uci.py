"""The UCI tables: sizes, labels, missing values, and standardising by the training rows alone."""

import gzip

import numpy as np
import pytest

from benchmarks import uci
from benchmarks.corpora import Missing

# rows without exact duplicates, numeric columns, 0/1 columns, rows of +1
SIZES = {
    "breast-cancer-wisconsin": (463, 9, 1, 238),
    "wdbc": (569, 30, 0, 212),
    "wpbc": (198, 32, 1, 47),
    "bupa": (341, 5, 0, 168),
    "ionosphere": (350, 34, 0, 225),
    "sonar": (208, 60, 0, 97),
    "iris, Iris-setosa": (147, 4, 0, 48),
    "iris, Iris-versicolor": (147, 4, 0, 50),
    "iris, Iris-virginica": (147, 4, 0, 49),
    "promoters": (106, 0, 228, 53),
    "crx": (690, 6, 47, 383),
    "vote": (342, 0, 48, 117),
    "kr-vs-kp": (3196, 0, 73, 1669),
    "adult": (48790, 6, 102, 11681),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HARDLIMIT_DATA", str(tmp_path))
    (tmp_path / "uci").mkdir()
    return tmp_path / "uci"


NAMES = [
    pytest.param(name, marks=pytest.mark.slow if name == "adult" else ()) for name in uci.SOURCES
]


@pytest.mark.parametrize("name", NAMES)
def test_each_table_has_the_size_and_the_classes_that_its_description_names(name, data_folder):
    for problem in uci.problems(name):
        found = (
            len(problem.y),
            problem.numbers.shape[1],
            problem.categories.shape[1],
            int((problem.y == 1).sum()),
        )
        assert found == SIZES[problem.name]
        assert set(np.unique(problem.categories)) <= {0.0, 1.0}
        assert not np.isinf(problem.numbers).any()


def test_the_split_mark_of_bupa_is_no_label(folder):
    rows = "head,b,c,d,e,drinks,selector\n1,1,1,1,1,2.0,1\n2,1,1,1,1,2.0,2\n3,1,1,1,1,3.0,2\n"
    (folder / "bupa.data").write_text(rows)
    (problem,) = uci.problems("bupa")
    assert problem.y.tolist() == [1, 1, -1]  # "fewer" and "3 or more", in the order of the letters
    assert problem.numbers.shape == (3, 5)


def test_missing_is_a_category_of_its_own_and_the_mean_among_numbers(folder):
    (folder / "credit.a.arff").write_text(
        "@relation a\n@attribute class {'+','-'}\n@DATA\n'a',1,+\n?,?,-\n'b', 3 ,-\n'a',1,+\n"
    )
    (problem,) = uci.problems("crx")
    assert len(problem.y) == 3  # the last repeats the first
    assert problem.categories.tolist() == [[1, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 0]]
    X, _ = problem.split(np.arange(3), np.array([0]))
    assert X[:, 0].tolist() == [-1, 0, 1]


def test_numbers_are_standardised_by_the_training_rows_alone():
    numbers = np.array([[1.0, 5.0], [3.0, 5.0], [100.0, 7.0]])
    problem = uci.Problem("drawn", numbers, np.zeros((3, 0)), np.array([1, -1, 1]))
    X, X_test = problem.split(np.array([0, 1]), np.array([2]))
    assert X.tolist() == [[-1, 0], [1, 0]]
    assert X_test.tolist() == [[98, 2]]  # a column that does not vary keeps its unit


def test_both_files_of_adult_are_read_as_one_and_their_labels_are_the_same(folder):
    for part, dot in (("train", ""), ("test", ".")):
        with gzip.open(folder / f"adult-{part}.csv.gz", "wt") as out:
            out.write(f"1{len(dot)}, Private, <=50K{dot}\n2, ?, >50K{dot}\n\n")
    (problem,) = uci.problems("adult")
    assert len(problem.y) == 3
    assert problem.y.tolist() == [-1, 1, -1]


def test_a_sample_is_drawn_by_its_seed_in_the_order_of_the_file():
    numbers = np.arange(50.0).reshape(50, 1)
    problem = uci.Problem("drawn", numbers, np.zeros((50, 0)), np.ones(50))
    first, again = problem.sample(20, 1), problem.sample(20, 1)
    assert first.numbers.tolist() == again.numbers.tolist()
    assert (np.diff(first.numbers[:, 0]) > 0).all()
    assert first.numbers.tolist() != problem.sample(20, 2).numbers.tolist()
    assert problem.sample(50, 1) is problem


def test_a_table_that_is_not_there_is_missing(folder):
    with pytest.raises(Missing, match=r"wdbc\.data is not there"):
        uci.problems("wdbc")
