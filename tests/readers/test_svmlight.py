"""The compiled reader beside the one in Python, its slow twin."""

import math
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.readers import load_numbers, svmlight
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.numbers import LoadOptions

NUMBER = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e9, 1e9).map("{:.3f}".format),
    st.from_regex(r"[-+]?(\d{1,40}\.?\d{0,30}|\.\d{1,20})([eE][-+]?\d{1,4})?", fullmatch=True),
)
BLANK = st.text(" \t\r\v\f", min_size=1, max_size=3)
FIELD = st.one_of(
    st.tuples(st.integers(0, 30), NUMBER).map(lambda pair: f"{pair[0]}:{pair[1]}"),
    st.sampled_from(["qid:3", "x", "1:", ":1", "1:nan", "-1:2", "99999999999:1", "2147483647:1"]),
    st.sampled_from(["1:0x1", "1:1_0", "٣:1", "1:٣", "1:1e", "1:.", "007:1", "1:1:1", "é"]),
)


class NothingIsPlain:
    """Rows that leave every line to Python."""

    def __init__(self, need_label):
        self._rows = NATIVE(need_label)

    def read(self, block, first):
        return 0

    def __getattr__(self, name):
        return getattr(self._rows, name)


NATIVE = svmlight.SvmlightRows


def outcome(path, need_label):
    """What a file gives, or what is wrong with it."""
    with TextSource(str(path)) as source:
        try:
            (found,) = svmlight.read(source, LoadOptions(need_label=need_label), whole=True)
        except InputError as error:
            return str(error)
    parts = (found.X.indptr, found.X.indices, found.X.data, np.array(found.lines))
    y = None if found.y is None else (found.y.dtype.kind, found.y.tobytes())
    return [part.tobytes() for part in parts], found.X.shape, y, found.notes, found.zero_based


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.one_of(NUMBER, st.just("spam")), st.lists(st.tuples(BLANK, FIELD), max_size=5))
        | st.sampled_from(["", "# 1 2:3", "  \t", "1 1:2#", "1 qid:1 1:1", "2:1 3:1"]),
        max_size=6,
    ),
    st.booleans(),
    st.booleans(),
)
def test_both_say_the_same(tmp_path_factory, rows, need_label, ended):
    lines = [
        row if isinstance(row, str) else row[0] + "".join(map("".join, row[1])) for row in rows
    ]
    path = tmp_path_factory.mktemp("svm") / "x.svm"
    path.write_bytes(("\n".join(lines) + "\n" * ended).encode())
    compiled = outcome(path, need_label)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(svmlight, "SvmlightRows", NothingIsPlain)
        assert outcome(path, need_label) == compiled


def doubles():
    """Bit patterns of all exponents, and what is hard to round."""
    draw = np.random.default_rng(0)
    bits = draw.integers(0, 2**64, 2000, dtype=np.uint64)
    values = [x for x in bits.view(np.float64).tolist() if math.isfinite(x)]
    hard = "9007199254740993 9007199254740992.5 1e22 1e23 8.5e22 4.9e-324 2.2250738585072011e-308"
    hard += " 1.7976931348623157e308 0.1 123456789012345678 12345678901234567e-22 6.25e-5 -0.0"
    written = [f"{x:.{n}e}" for x in values[:500] for n in (0, 5, 14, 16, 20, 40)]
    return [*map(repr, values), *written, *hard.split(), "1." + "0" * 800 + "1", "0" * 400 + "1.5"]


def test_every_number_is_the_nearest_double(write):
    """As Python reads it, bit for bit; numbers beyond the largest double are refused elsewhere."""
    numbers = [text for text in doubles() if math.isfinite(float(text))]
    path = write("x.svm", "".join(f"{text} 1:{text}\n" for text in numbers))
    found = load_numbers(path)
    for ours, text in zip(found.X.data, numbers, strict=True):
        assert struct.pack("d", ours) == struct.pack("d", float(text)), text
    assert found.y.tolist() == [float(text) for text in numbers]


def test_labels_too_large_are_refused(write):
    with pytest.raises(DataFormatError, match="x.svm:2:1: got '1e999', wanted a number"):
        load_numbers(write("x.svm", "1 1:1\n1e999 1:1\n"))


def test_rows_across_blocks(write):
    """Lines of every length, so that the borders of blocks fall everywhere in them."""
    rows = [
        " ".join([str(i % 3), *(f"{k}:{k}.5" for k in range(1, i % 60))]) for i in range(20_000)
    ]
    path = write("x.svm", "\n".join(rows))
    found = load_numbers(path)
    assert np.diff(found.X.indptr).tolist() == [max(i % 60 - 1, 0) for i in range(20_000)]
    assert np.array_equal(found.X.data, found.X.indices + 1.5)
    assert list(found.lines) == list(range(1, 20_001))
    with TextSource(str(path)) as source:
        assert len(list(source.blocks())) > 3


@pytest.mark.parametrize("before", ["1 1:1\n", "1 1:1\n" * 200_000])
def test_a_line_beyond_the_bound_is_numbered(write, before):
    path = write("x.svm", before + "1" + " " * 3000 + "1:1\n" + before)
    number = before.count("\n") + 1
    with pytest.raises(DataFormatError, match=f"x.svm:{number}: a line of more than 3,000 bytes"):
        load_numbers(path, format="svmlight", max_line=3000)
    assert len(load_numbers(path, format="svmlight", max_line=3005).lines) == 2 * number - 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_other_encodings(write, encoding):
    rows = ["# café", *["1 1:2 # naïve", "-1 2:3"] * 3000]
    found = load_numbers(write("x.svm", "\n".join(rows).encode(encoding)))
    assert found.X.data.tolist() == [2, 3] * 3000 and list(found.lines) == list(range(2, 6002))


def test_an_error_far_on_is_numbered(write):
    rows = ["1 1:1", "# none", ""] * 50_000 + ["1 1:1 x"]
    with pytest.raises(DataFormatError, match=r"x.svm:150001:7: got 'x', wanted index:value"):
        load_numbers(write("x.svm", "\n".join(rows)))
