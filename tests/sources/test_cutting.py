"""Files that are written plainly are cut where the csv module would cut them."""

import csv

import pytest
from tests.distributed.conftest import messages, rows_of

from hardlimit.sources import cutting

HEADS = ["text,label\n", "\ufefftext,label\r\n", '\n \n"te\nxt",label\n', "text,label"]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_the_same_cuts(tmp_path, monkeypatch, head, ending, last):
    path = tmp_path / "texts.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        file.write(head if head.endswith("\n") else head + ending)
        csv.writer(file, lineterminator=ending).writerows(messages(90))
    if not last:
        path.write_bytes(path.read_bytes()[: -len(ending)])
    found = cutting.cut_files([str(path)], None, 7)
    called = []
    monkeypatch.setattr(cutting, "cut_plainly", lambda *given: called.append(given))
    assert cutting.cut_files([str(path)], None, 7) == found
    assert called
    assert sum(len(list(rows_of(shard))) for shard in found[0]) == 90


def test_a_quote_within_a_field_is_left_to_the_csv_module(tmp_path):
    path = tmp_path / "texts.csv"
    lines = [f'a 5" pipe {n},{n % 2}\n' for n in range(60)]
    path.write_text("text,label\n" + "".join(lines))
    shards, _ = cutting.cut_files([str(path)], None, 3)
    assert [len(list(rows_of(shard))) for shard in shards] == [20, 20, 20]
