"""Features that cannot fit are refused after the first texts; those that could are not."""

import subprocess
import sys

import pytest

from hardlimit.exceptions import MemoryEstimateError
from hardlimit.foundation import memory
from hardlimit.text import room

# Each text has a word of its own, and 40 of 500.
TEXTS = [
    " ".join([f"own{n}", *(f"w{(n * 7 + k * k) % 500}" for k in range(40))]) for n in range(9000)
]


@pytest.fixture
def room_of(monkeypatch):
    """Leave so many bytes of memory."""
    return lambda n: monkeypatch.setattr(
        memory, "tightest", lambda: memory.Limit("this test has", n, 0)
    )


class Counted:
    """Counts of texts, and how many of them were asked for."""

    n_columns = n_values = asked = 0

    def __init__(self, texts, keep=True):
        self.texts, self.keep = texts, keep

    def batches(self):
        for first in range(0, len(self.texts), 1000):
            batch = self.texts[first : first + 1000]
            self.asked += len(batch)
            yield first, batch
            self.n_values += 40 * len(batch) * self.keep
            self.n_columns += len(batch)

    def watch(self, texts=None):
        return list(room.watch(self.batches(), texts or self.texts, self, self))


def test_what_cannot_fit_is_refused_after_the_first_batch(room_of):
    room_of(2_300_000)
    counted = Counted(TEXTS)
    with pytest.raises(MemoryEstimateError, match="the features of 8,000 more texts would .*left"):
        counted.watch()
    assert counted.asked == 2000  # the second batch was read, and not counted


def test_what_could_fit_goes_on(room_of):
    room_of(2_550_000)  # more than the estimate, less than all values take
    assert [first for first, _ in Counted(TEXTS).watch()] == list(range(0, 9000, 1000))
    room_of(1 << 18)  # nothing is known of texts that come one by one
    assert len(Counted(TEXTS).watch(iter(TEXTS))) == 9
    assert len(Counted(TEXTS, keep=False).watch()) == 9


def test_longer_texts_later_are_told_by_their_characters(room_of):
    room_of(3_000_000)
    long = [" ".join([text] * 9) for text in TEXTS[2000:]]
    with pytest.raises(MemoryEstimateError):
        Counted(TEXTS[:2000] + long).watch()


def test_the_estimate_is_below_what_is_taken():
    # 25,000 reviews, words and pairs: values and terms of the first 1,024, and of the others.
    assert 0.7 < room.estimate_rest(339_694, 126_658, 26.24) / (8 * 8_425_302 + 58 * 1_387_146) < 1


LIMITED = """
import resource
import hardlimit
from hardlimit.exceptions import MemoryEstimateError
from tests.text.test_room import TEXTS
texts, labels = TEXTS * 8, [n % 2 for n in range(9000)] * 8
hardlimit.TextClassifier().fit(texts[:2000], labels[:2000])  # what Python itself needs is there
taken = 1024 * next(int(line.split()[1]) for line in open("/proc/self/status") if "VmSize" in line)
resource.setrlimit(resource.RLIMIT_AS, (taken + (48 << 20),) * 2)
try:
    hardlimit.TextClassifier().fit(texts, labels)
except MemoryEstimateError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_limit_of_the_process_refuses_texts_before_they_are_counted():
    words = [sys.executable, "-c", LIMITED]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "the features of 70,976 more texts would need" in done.stdout, done
    assert "ulimit -v" in done.stdout
