"""The row on shards: rounds are counted until an accuracy is reached, and bytes as they travel."""

import numpy as np

from benchmarks.cluster_costs import Epoch, Network, epoch_seconds
from benchmarks.harness import Figure, Grid
from benchmarks.rows import shards_accuracy as row


def rows():
    numbers = np.random.default_rng(0)
    X = numbers.normal(size=(300, 5))
    y = np.where(X @ [1, -1, 2, 0.5, 0] > 0, "spam", "ham")
    return row.Rows("drawn", X[:240], y[:240].tolist(), X[240:], y[240:], 1.0)


def test_rounds_end_where_one_run_is_reached():
    drawn = rows()
    rounds = row.watch(drawn, "perceptron", "uniform", 8, 0.9)
    assert rounds[-1].accuracy >= 0.9 and all(one.accuracy < 0.9 for one in rounds[:-1])
    clf = row.fit(drawn, "perceptron", "uniform", 8, len(rounds)).with_readout("last")
    assert row.score(clf, drawn) == rounds[-1].accuracy
    # Six cells of two numbers and a byte or more, and a header, of each of eight shards.
    assert 0 < rounds[0].down < rounds[0].up < 8 * 200
    assert len(row.watch(drawn, "perceptron", "uniform", 8, 2.0)) == row.MOST_ROUNDS


def test_the_tables_have_a_line_for_each_way():
    lines: list = []
    found = list(row.accuracies(rows(), (1, 4), lines))
    assert len(lines) == len(row.WAYS) * len(row.EPOCHS) and len(found) == len(row.WAYS)
    assert all(isinstance(one, Figure) for one in found)
    grid, figure = row.simulation(rows(), (4, 60))
    assert isinstance(grid, Grid) and len(grid.lines) == 2 * len(row.WAYS)
    assert isinstance(figure, Figure)


def test_more_workers_divide_the_work_and_not_what_travels():
    epoch, network = Epoch(100.0, 1.0, 1e6, 1e6), Network(1e6, 0.0)
    seconds = [epoch_seconds(epoch, n, network) for n in (1, 10, 100)]
    assert seconds == [103.0, 22.0, 103.0]
