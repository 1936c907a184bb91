import bz2
import gzip
import lzma
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from hardlimit import LinearClassifier
from hardlimit.exceptions import ColumnError, DataFormatError, InputError
from hardlimit.readers import load_numbers, numeric_csv
from hardlimit.readers.numbers import numeric_formats
from hardlimit.readers.numeric_files import read_blocks

SVM = "# a comment\n+1 1:0.5 3:2 # another: 5:5\n\n-1 2:1e-3\n1\n"


def dense(found):
    X = np.zeros(found.X.shape)
    for row in range(len(X)):
        part = slice(found.X.indptr[row], found.X.indptr[row + 1])
        X[row, found.X.indices[part]] = found.X.data[part]
    return X


def test_svmlight(write):
    found = load_numbers(write("x.svm", SVM))
    assert dense(found).tolist() == [[0.5, 0, 2], [0, 1e-3, 0], [0, 0, 0]]
    assert found.y.tolist() == [1, -1, 1] and found.y.dtype == np.int64
    assert (found.X.indptr.dtype, found.X.indices.dtype, found.X.data.dtype) == (
        np.int64,
        np.int32,
        np.float64,
    )
    assert list(found.columns) == [1, 2, 3] and not found.zero_based


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_svmlight_packed_and_by_content(write, pack):
    assert load_numbers(write("news", pack(SVM.encode()))).X.shape == (3, 3)


def test_svmlight_on_standard_input(stdin):
    stdin(SVM.encode())
    assert load_numbers("-").X.shape == (3, 3)


def test_zero_based_is_told_by_a_zero(write):
    path = write("x.svm", "1 0:5 2:1\n-1 1:1\n")
    found = load_numbers(path)
    assert dense(found).tolist() == [[5, 0, 1], [0, 1, 0]] and found.zero_based
    with pytest.raises(DataFormatError, match="index 0 occurs, but indices count from 1"):
        load_numbers(path, zero_based=False)
    assert load_numbers(write("y.svm", "1 1:1\n"), zero_based=True).X.shape == (1, 2)


def test_columns_of_the_training_file(write):
    path = write("x.svm", "1 1:1\n-1 3:1\n")
    assert load_numbers(path, n_features=7).X.shape == (2, 7)
    with pytest.raises(InputError, match="has 3 columns, but 2 were wanted"):
        load_numbers(path, n_features=2)


def test_unsorted_rows_are_sorted_and_qid_is_noted(write):
    found = load_numbers(write("x.svm", "1 qid:3 3:3 1:1\n2 qid:4 2:2\n"))
    assert dense(found).tolist() == [[1, 0, 3], [0, 2, 0]]
    assert found.X.indices.tolist() == [0, 2, 1]
    assert found.notes[0].endswith("qid was ignored in 2 rows")


@given(
    st.lists(
        st.tuples(
            st.sampled_from([-1, 1, 2.5]),
            st.dictionaries(st.integers(0, 9), st.floats(-1e100, 1e100)),
        ),
        min_size=1,
        max_size=5,
    ),
    st.booleans(),
)
def test_as_scikit_learn_reads_it(tmp_path_factory, rows, zero_based):
    X = np.zeros((len(rows), 10))
    for number, (_, pairs) in enumerate(rows):
        for column, value in pairs.items():
            X[number, column] = value
    path = str(tmp_path_factory.mktemp("svm") / "x.svm")
    dump_svmlight_file(X, [label for label, _ in rows], path, zero_based=zero_based)
    theirs, y = load_svmlight_file(path, n_features=10, zero_based=zero_based)
    ours = load_numbers(path, n_features=10, zero_based=zero_based)
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(ours.X, name), getattr(theirs, name))
    assert np.array_equal(ours.y, y)


def test_csv_with_the_last_column_as_target(write):
    found = load_numbers(write("x.csv", "5.1,3.5,setosa\n4.9,3,virginica\n"))
    assert found.X.tolist() == [[5.1, 3.5], [4.9, 3.0]]
    assert found.y.tolist() == ["setosa", "virginica"]
    assert (found.columns, found.label) == (("0", "1"), "2")


@pytest.mark.parametrize("label", ["kind", 0, "0"])
def test_csv_with_a_named_target(write, label):
    found = load_numbers(write("x.csv", "kind;a;b\n1;2;3\n0;4;-5e-1\n"), label)
    assert found.X.tolist() == [[2, 3], [4, -0.5]]
    assert found.y.tolist() == [1, 0]
    assert (found.columns, found.label) == (("a", "b"), "kind")


def test_csv_targets_that_are_floats(write):
    found = load_numbers(write("x.csv", "1,0.5\n2,1\n"))
    assert found.y.dtype == np.float64


@pytest.mark.parametrize(
    ("label", "kind"),
    [(2**53 - 1, "i"), (-(2**53) + 1, "i"), (2**53, "f"), (-(2**53), "f"), (2**53 + 1, "f")],
)
def test_targets_are_whole_numbers_while_a_float_tells_neighbours_apart(write, label, kind):
    y = load_numbers(write("x.csv", f"1,2,{label}\n3,4,1\n"), header=False).y
    assert y.dtype.kind == kind and (kind == "f" or y[0] == label)


def test_csv_columns_that_are_not_there(write):
    path = write("x.csv", "kind,a,b\n1,2,3\n")
    with pytest.raises(ColumnError, match=r"no column 'kin' for the label; .* did you mean 'kind'"):
        load_numbers(path, "kin")
    with pytest.raises(ColumnError, match="no column 9 for the label"):
        load_numbers(path, 9)
    with pytest.raises(InputError, match="format: got 'xls', wanted one of arff, "):
        load_numbers(path, format="xls")


LIBSVM = (
    "a9a.gz a9a.t.gz agaricus.txt.test agaricus.txt.train.gz australian_scale "
    "breast-cancer_scale german.numer_scale heart_scale ionosphere_scale letter.scale.t.gz "
    "splice.gz splice.t.gz sector.t.scale.bz2"
).split()


@pytest.mark.parametrize("name", LIBSVM)
def test_shared_sets_as_scikit_learn_reads_them(shared, name):
    path = shared(f"libsvm/{name}")
    ours = load_numbers(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs, y = load_svmlight_file(str(path))
    assert ours.X.shape == theirs.shape
    for part in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(ours.X, part), getattr(theirs, part))
    assert np.array_equal(ours.y, y)


@pytest.mark.parametrize(
    ("name", "label", "shape"),
    [
        ("iris.csv", None, (150, 4)),
        ("sonar.csv", None, (208, 60)),
        ("ionosphere.csv", None, (351, 34)),
        ("wdbc.data", 1, (569, 31)),
    ],
)
def test_shared_tables(shared, name, label, shape):
    path = shared(f"uci/{name}")
    found = load_numbers(path, label)
    assert found.X.shape == shape
    assert len(set(found.y.tolist())) in (2, 3)


def test_missing_values_are_refused_with_their_place(shared):
    with pytest.raises(
        DataFormatError, match=r"wisconsin\.data:24:19: .* got '\?', wanted a number"
    ):
        load_numbers(shared("uci/breast-cancer-wisconsin.data"))


SETS = "# a comment\n1,3 5:0.2 7:1\n5:0.5\n2 1:1 # another\n3,1,3 2:4\n7,\n"


def test_several_labels_a_row_of_svmlight(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text(SETS.replace("7,\n", "7\n"))
    numbers = load_numbers(path, labels_separator=",")
    assert numbers.y.tolist() == [(1, 3), (), (2,), (3, 1), (7,)]
    assert numbers.lines.tolist() == [2, 3, 4, 5, 6]
    plain = tmp_path / "b.svm"
    plain.write_text("1 5:0.2 7:1\n1 5:0.5\n2 1:1\n3 2:4\n7\n")
    other = load_numbers(plain)
    assert (numbers.X.data == other.X.data).all() and (numbers.X.indices == other.X.indices).all()
    clf = LinearClassifier().fit(numbers.X, numbers.y)
    assert clf.classes_.tolist() == [1, 2, 3, 7] and clf.predict(numbers.X)[0] == (1, 3)
    parts = [part for _, part in read_blocks([str(path), str(path)], labels_separator=",")]
    assert [y for part in parts for y in part.y.tolist()] == 2 * numbers.y.tolist()
    both = load_numbers([path, path], labels_separator=",")
    assert both.y.tolist() == 2 * numbers.y.tolist()


def test_bad_labels_among_several_are_named_by_their_place(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text(SETS)
    with pytest.raises(DataFormatError, match="a.svm:6:1: got '', wanted numbers as labels"):
        load_numbers(path, labels_separator=",")
    numbers = load_numbers(path, labels_separator=",", skip_bad=True)
    assert numbers.y.tolist() == [(1, 3), (), (2,), (3, 1)] and "1 bad row" in numbers.notes[0]
    path.write_text("1,3 5:0.2 7:x\n")
    with pytest.raises(DataFormatError, match=r"a.svm:1:11: the value of '7:x' is not a number"):
        load_numbers(path, labels_separator=",")
    with pytest.raises(DataFormatError, match="one label, not several"):
        load_numbers(path)


@pytest.mark.parametrize(("name", "separator"), [("a.vw", ","), ("a.svm", ":"), ("a.svm", "")])
def test_where_there_are_no_lists_of_labels(name, separator, tmp_path):
    (tmp_path / name).write_text("1 | a:1\n" if name == "a.vw" else "1 1:1\n")
    with pytest.raises(InputError, match="labels_separator: got"):
        load_numbers(tmp_path / name, labels_separator=separator)


def test_columns_of_labels_are_read_in_one_pass(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("p,x,q\nyes,1,0\nno,2,\nno,3,1\n")
    opened = []
    read = numeric_csv.NUMERIC.read

    def counting(source, options, whole):
        opened.append(source.name)
        return read(source, options, whole)

    known = dict(numeric_formats())
    known["numeric-csv"] = replace(known["numeric-csv"], read=counting)
    monkeypatch.setattr("hardlimit.readers.numeric_files.numeric_formats", lambda: known)
    path = tmp_path / "a.csv"
    with pytest.raises(DataFormatError, match="a.csv:3:6: column 'q': the label is missing"):
        load_numbers(path, format="numeric-csv", label_columns=["p", "q"])
    found = load_numbers(
        [path, path], format="numeric-csv", label_columns=["p", "q"], skip_bad=True
    )
    assert [own.tolist() for own in found.label_columns] == [["yes", "no"] * 2, [0, 1] * 2]
    assert found.X.tolist() == [[1], [3]] * 2
    assert len(opened) == 3  # once a file, and not once a label
    with pytest.raises(ColumnError, match="'r'"):
        load_numbers(path, format="numeric-csv", label_columns=["p", "r"], need_label=False)


def test_truth_values_are_not_put_beside_numbers(tmp_path):
    paths = [str(tmp_path / name) for name in ("a.npz", "b.npz")]
    for path, kind in zip(paths, (bool, int), strict=True):
        np.savez(path, X=np.eye(2), y=np.array([0, 1], kind))
    with pytest.raises(DataFormatError, match="of one kind"):
        load_numbers(paths)
    assert load_numbers([paths[0]] * 2).y.tolist() == [False, True] * 2
