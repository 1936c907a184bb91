"""What travels in an epoch: the cells that moved, and nothing that grows with the columns."""

import csv
import random
from multiprocessing.connection import Connection

import pytest

from hardlimit.distributed import train
from hardlimit.distributed.engines.processes import Processes
from hardlimit.distributed.run import TrainingRun

SHARDS = 4
# A weight, the sum of its average, and three bytes for the distance to the cell before.
MOST_OF_CELL = 8 + 8 + 3
# Of a call or an answer whatever it holds.
MOST_OF_CALL = 3000


@pytest.fixture
def texts(tmp_path):
    """Two classes that a few words tell apart, among very many words."""
    draw = random.Random(0)
    path = tmp_path / "texts.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["text", "label"])
        for number in range(300):
            label = draw.choice(["ham", "spam"])
            told = [f"{label}{draw.randrange(5)}"] * 3
            rows.writerow([" ".join([*told, *(f"w{number}x{n}" for n in range(40))]), label])
    return str(path)


class Wire:
    """Bytes that the driver of processes reads and writes, and cells that moved, by epoch."""

    def __init__(self, monkeypatch):
        self.bytes, self.cells = [0], [0]
        for name in ("send_bytes", "recv_bytes"):
            monkeypatch.setattr(Connection, name, self._counted(getattr(Connection, name)))
        write, learn, send = Processes._write, TrainingRun.learn_epoch, TrainingRun.send

        def write_counted(engine, part):
            self.bytes[-1] += len(part.data) if part.name not in self._written else 0
            self._written.add(part.name)
            return write(engine, part)

        def learn_counted(run, epoch):
            self.bytes.append(0)
            deltas, tallies = learn(run, epoch)
            self.cells.append(sum(len(one.cells) for one in deltas) + self._mixed)
            return deltas, tallies

        def send_counted(run, mixed):
            self._mixed = len(mixed.cells)
            send(run, mixed)

        self._written, self._mixed = set(), 0
        monkeypatch.setattr(Processes, "_write", write_counted)
        monkeypatch.setattr(TrainingRun, "learn_epoch", learn_counted)
        monkeypatch.setattr(TrainingRun, "send", send_counted)

    def _counted(self, call):
        def counted(connection, *data):
            found = call(connection, *data)
            self.bytes[-1] += len(found if found is not None else data[0])
            return found

        return counted


def test_the_bytes_of_an_epoch_grow_with_the_cells_that_moved(texts, monkeypatch):
    wire = Wire(monkeypatch)
    clf = train(
        texts,
        cluster="processes:1",
        shards=SHARDS,
        rule="perceptron",
        max_iter=8,
        until=None,
        words=(1, 1),
        chars=None,
    )
    dense = 16 * clf.vectorizer_.n_columns_
    assert dense > 10_000 * 16
    # With the first epoch the vocabulary travels, with the last what comes after it.
    for n_bytes, cells in zip(wire.bytes[2:-1], wire.cells[2:-1], strict=True):
        assert n_bytes <= MOST_OF_CELL * cells + 2 * SHARDS * MOST_OF_CALL
    assert wire.cells[2] > 10 * wire.cells[-2]
    assert wire.bytes[2] > 2 * SHARDS * MOST_OF_CALL  # there was something to be counted
    assert wire.bytes[-2] < dense / 4
