"""The estimate of memory: what limits there are, who sets them, and what an error says."""

import pickle
import resource
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from hardlimit import LinearClassifier, TextClassifier
from hardlimit.cli import errors
from hardlimit.engine import RowLayout
from hardlimit.estimators import PassiveAggressiveClassifier
from hardlimit.exceptions import MemoryEstimateError
from hardlimit.foundation import memory

GB = 1 << 30


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A made-up Linux: a process of 100 MB on a machine of 64 GB; ``write`` adds its files."""
    monkeypatch.setattr(memory, "PROC", str(tmp_path / "proc"))
    monkeypatch.setattr(memory, "GROUPS", str(tmp_path / "groups"))
    monkeypatch.setattr(memory, "physical_memory", lambda: 64 * GB)

    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    write(
        "proc/status",
        "Name:\tpython\nVmSize:\t 204800 kB\nVmData:\t 51200 kB\nVmRSS:\t 102400 kB\n",
    )
    return write


def test_the_machine(system):
    limit = memory.tightest()
    assert (limit.most, limit.used) == (64 * GB, 100 << 20)
    assert str(limit) == "this machine has 64.0 GB, of which 63.9 GB are left"


def test_version_2_the_smallest_of_the_group_and_those_around_it(system):
    system("proc/cgroup", "0::/a/b\n")
    system("groups/a/b/memory.max", "max\n")
    system("groups/a/memory.max", f"{2 * GB}\n")
    system("groups/a/memory.stat", f"anon {GB}\nfile {5 * GB}\n")
    system("groups/memory.max", f"{9 * GB}\n")
    limit = memory.tightest()
    assert (limit.most, limit.room) == (2 * GB, GB)  # pages of files are given back when wanted
    assert "control group" in str(limit)
    assert len(list(memory.limits())) == 3


def test_version_1_beside_version_2_and_a_path_of_the_host(system):
    system("proc/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/f00\n0::/\n")
    system("groups/memory/memory.limit_in_bytes", f"{3 * GB}\n")
    system("groups/memory/memory.stat", f"rss 1\ntotal_rss {GB}\n")
    assert memory.tightest().room == 2 * GB
    system("groups/memory/memory.limit_in_bytes", "9223372036854771712\n")  # none
    assert memory.tightest().most == 64 * GB


def test_what_is_left_counts_not_what_there_was(monkeypatch):
    small = memory.Limit("small and empty", 2 * GB, 0)
    large = memory.Limit("large and full", 9 * GB, 8 * GB)
    for limits in ([small, large], [large, small]):
        monkeypatch.setattr(memory, "limits", limits.__iter__)
        assert memory.tightest() is large


def test_a_group_that_tells_nothing_of_its_use_has_at_least_this_process(system):
    system("proc/cgroup", "0::/a\n")
    system("groups/a/memory.max", f"{GB}\n")
    assert memory.tightest().room == GB - (100 << 20)
    system("groups/a/memory.stat", "anon 1\n")  # moved there a moment ago
    assert memory.tightest().room == GB - (100 << 20)


def test_nobody_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "PROC", str(tmp_path / "nowhere"))
    monkeypatch.setattr(memory, "physical_memory", lambda: None)
    if all(resource.getrlimit(n)[0] == -1 for n in (resource.RLIMIT_AS, resource.RLIMIT_DATA)):
        assert memory.tightest() is None
        memory.require(1 << 60, "everything", "use less")


LIMITED = """
import resource, sys
from hardlimit import LinearClassifier
from hardlimit.exceptions import MemoryEstimateError
class Rows:
    def __init__(self):
        import numpy as np
        self.indptr, self.indices = np.array([0, 1, 2]), np.array([0, 1], np.int32)
        self.data, self.shape = np.ones(2), (2, 50_000_000)
resource.setrlimit(getattr(resource, sys.argv[1]), (3 << 28, 3 << 28))
try:
    LinearClassifier().fit(Rows(), [0, 1])
except MemoryEstimateError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("limit", "name"), [("RLIMIT_AS", "ulimit -v"), ("RLIMIT_DATA", "-d")])
def test_limits_of_the_process(limit, name):
    words = [sys.executable, "-c", LIMITED, limit]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert name in done.stdout and "would need 1.1 GB" in done.stdout


@pytest.mark.parametrize("scale", ["none", "standard"])
def test_the_estimate_comes_before_the_numbers_are_read(system, monkeypatch, scale):
    system("proc/cgroup", "0::/a\n")
    system("groups/a/memory.max", f"{GB}\n")
    monkeypatch.setattr(RowLayout, "_rows", lambda *more: pytest.fail("read"))
    X = sparse.csr_matrix(([1.0, 2.0], ([0, 1], [0, 1])), (2, 90_000_000))
    for classifier in (LinearClassifier(scale=scale), PassiveAggressiveClassifier(max_iter=3)):
        with pytest.raises(MemoryEstimateError, match="container") as caught:
            classifier.fit(X, [0, 1])
        assert caught.value.needed > caught.value.available


def test_copies_of_numbers_are_estimated(monkeypatch):
    monkeypatch.setattr(memory, "tightest", lambda: memory.Limit("this test has", 1 << 20, 0))
    X = np.ones((1000, 300))
    for what, given in {
        "X as doubles": X.astype(np.int8),
        "a copy of X row by row": np.asfortranarray(X),
        "sorting the columns of X": unsorted_rows(X),
    }.items():
        with pytest.raises(MemoryEstimateError, match=f"{what} would need .* MB, this test has"):
            LinearClassifier().fit(given, [0, 1] * 500)
    with pytest.raises(MemoryEstimateError, match="the scaled rows would need 2.3 MB"):
        LinearClassifier(scale="rows").fit(X, [0, 1] * 500)


def unsorted_rows(X):
    """A sparse matrix whose rows begin with their last columns."""
    rows = sparse.csr_matrix(X)
    rows.indices[:] = rows.indices[::-1]
    rows.has_sorted_indices = False
    return rows


def test_small_work_asks_nobody(monkeypatch):
    monkeypatch.setattr(memory, "tightest", lambda: pytest.fail("asked"))
    TextClassifier().fit(["a b", "c d"], [0, 1])


def test_an_error_has_fields_and_says_what_to_choose_instead(system):
    with pytest.raises(MemoryEstimateError) as caught:
        memory.require_memory(300_000_000, 79, True, of_texts=True)
    error = caught.value
    assert error.needed > error.available == 64 * GB - (100 << 20)
    assert "weights of 79 classes and 300,000,000 columns would need" in str(error)
    assert "hash_bits=18 (474.0 MB)" in str(error) and "keep='last' (" in str(error)
    assert "--features hash=18 (474.0 MB)" in errors.sentence(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.needed, str(again)) == (error.needed, str(error))


def test_numbers_are_told_of_no_hashing(system):
    with pytest.raises(MemoryEstimateError, match=r"left; use fewer columns, keep='last' \(") as e:
        memory.require_memory(10**9, 20, True)
    assert "hash" not in str(e.value)
    with pytest.raises(MemoryEstimateError, match="as one array.*telling"):
        memory.require_dense(10**9, 79)
