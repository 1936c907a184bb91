"""A small model that commands correct, and files of several columns."""

from functools import partial

import pytest

import hardlimit as hl

from ..making import said

TEXTS = [
    "win a prize now", "lunch at noon?", "a prize to win", "see you at lunch",
    "cheap pills now", "minutes of the meeting", "win cheap pills", "the meeting is at noon",
]  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = tmp_path_factory.mktemp("live") / "spam.hardlimit"
    hl.TextClassifier(words=(1, 2), chars=None).fit(TEXTS, ["spam", "ham"] * 4).save(path)
    return path.read_bytes()


@pytest.fixture
def run(trained, tmp_path, capsys, monkeypatch):
    (tmp_path / "spam.hardlimit").write_bytes(trained)
    monkeypatch.chdir(tmp_path)
    return partial(said, capsys)


MODEL = "spam.hardlimit"


@pytest.fixture
def of_columns(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["subject,body,city,age,label"]
    for place in range(8):
        spam = place % 2
        rows.append(
            f"{'win a prize' if spam else 'lunch today'},{'cheap pills' if spam else 'at noon'},"
            f"{'Ghent' if spam else 'Bruges'},{20 + 10 * spam + place},{'spam' if spam else 'ham'}"
        )
    (tmp_path / "rows.csv").write_text("\n".join(rows) + "\n")
    return partial(said, capsys)
