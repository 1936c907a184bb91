"""What a worker remembers, and what it forgets."""

import pytest

from hardlimit.distributed import train, worker


@pytest.fixture
def made(monkeypatch):
    """The shards whose rows were made, and the bytes of these."""
    found = []
    make = worker.Worker._make_rows

    def counted(self, shard):
        rows = make(self, shard)
        found.append((shard.number, rows.n_bytes))
        return rows

    monkeypatch.setattr(worker.Worker, "_make_rows", counted)
    worker.forget()
    return found


def test_rows_that_fit_stay_while_others_are_made_anew(files, made, monkeypatch):
    # A run goes through its shards in turn: to forget the oldest would forget the next one.
    choices = {"shards": 3, "max_iter": 4, "words": (1, 1), "chars": None, "until": None}
    train(files, cluster="threads:1", **choices)
    assert [shard for shard, _ in made] == [0, 1, 2]
    monkeypatch.setattr(worker, "MOST_REMEMBERED", made[0][1] + made[1][1] + made[2][1] // 2)
    for seed in (1, 2):  # each finds the rows of the run before, which give way
        made.clear()
        train(files, cluster="threads:1", random_state=seed, **choices)
        assert [shard for shard, _ in made[:3]] == [0, 1, 2]
        assert {shard for shard, _ in made[3:]} == {2}
