"""Rows answered in shards: the rows of one process, in files that are whole or not there."""

import csv
import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from hardlimit import TableClassifier, TextClassifier
from hardlimit.cli import main
from hardlimit.distributed import score, scoring
from hardlimit.distributed.opened_models import SentModel, forget, open_model
from hardlimit.exceptions import DataFormatError, FileError, InputError

from .conftest import messages
from .test_evaluating import KINDS

pytest_plugins = ["tests.stores"]


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> str:
    rows = messages(200, seed=1)
    clf = TextClassifier(probability=True).fit([t for t, _ in rows], [y for _, y in rows])
    path = tmp_path_factory.mktemp("models") / "messages.hardlimit"
    clf.metadata = {"layout": {"text": "text"}}
    clf.save(path)
    return str(path)


@pytest.fixture
def lines(tmp_path: Path) -> str:
    """JSON Lines without labels, whose keys differ and clash with ours."""
    path = tmp_path / "new.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, (text, _) in enumerate(messages(300, seed=2)):
            more = {"label": number} if number % 5 == 0 else {}
            more |= {"predicted_label": "x", "score": None} if number == 250 else {}
            file.write(
                json.dumps({"id": number, "text": text, "of": [1, {"a": None}], **more}) + "\n"
            )
    return str(path)


def serial(model, source, folder: Path, *options) -> bytes:
    path = folder / "serial.jsonl"
    assert main(["predict", model, source, "-o", str(path), *options]) == 0
    return path.read_bytes()


def joined(found) -> bytes:
    return b"".join(Path(path).read_bytes() for path in found.parts)


@pytest.mark.parametrize("cluster", ["threads:2", "processes:2"])
def test_the_parts_are_what_one_process_writes(model, lines, tmp_path, cluster):
    found = score(model, lines, cluster=cluster, output=tmp_path / "out", shards=7, top=2)
    assert found.rows == 300 and len(found.parts) == 7
    assert joined(found) == serial(model, lines, tmp_path, "--top", "2")
    end = json.loads((tmp_path / "out" / "_SUCCESS").read_text())
    assert end["rows"] == 300 and [one["name"] for one in end["parts"]] == sorted(
        os.path.basename(path) for path in found.parts
    )
    assert sorted(os.listdir(tmp_path / "out")) == sorted(
        ["_SUCCESS", *(one["name"] for one in end["parts"])]
    )
    assert end["parts"][0]["sha256"] == (
        hashlib.sha256(Path(found.parts[0]).read_bytes()).hexdigest()
    )


def test_tables_of_text_keep_the_names_of_their_columns(model, tmp_path):
    path = tmp_path / "new.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = [(n, t, "y") for n, (t, _) in enumerate(messages(100))]
        csv.writer(file).writerows([("id", "text", "score"), *rows])
    found = score(model, path, cluster="threads:2", output=tmp_path / "out", shards=3)
    assert joined(found) == serial(model, str(path), tmp_path)
    assert json.loads(joined(found).splitlines()[0]).keys() == {
        *("id", "text", "score", "label", "predicted_score", "known_features")
    }


def test_parquet_keeps_its_columns_and_their_types(model, tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    texts = [t for t, _ in messages(90)]
    table = arrow.table(
        {
            "when": arrow.array(range(90), arrow.timestamp("ms", "UTC")),
            "text": texts,
            "small": arrow.array(range(90), arrow.int16()),
            "nested": [[{"a": n}] for n in range(90)],
        }
    )
    path = tmp_path / "new.parquet"
    parquet.write_table(table, path, row_group_size=20)
    options = {"scores": True, "min_probability": 0.6}
    found = score(model, path, cluster="threads:2", output=tmp_path / "out", shards=3, **options)
    assert all(path.endswith("-of-00003.parquet") for path in found.parts)
    whole = parquet.read_table(tmp_path / "out")
    assert whole.select(table.column_names).cast(table.schema).equals(table)
    assert [whole.schema.field(name).type for name in table.column_names] == table.schema.types
    said = [
        json.loads(line)
        for line in serial(
            model, str(path), tmp_path, "--scores", "--min-probability", "0.6"
        ).splitlines()
    ]
    own = whole.column_names[4:]
    assert own == [
        "label",
        "score",
        "probability",
        "known_features",
        "score_ham",
        "score_list",
        "score_spam",
    ]
    assert [{name: row[name] for name in own} for row in said] == whole.select(own).to_pylist()
    again = score(
        model, path, cluster="processes:1", output=tmp_path / "again", shards=3, **options
    )
    assert joined(again) == joined(found)
    part = Path(found.parts[0])
    chunk = parquet.read_metadata(part).row_group(0).column(1)
    data = bytearray(part.read_bytes())
    data[chunk.dictionary_page_offset + chunk.total_compressed_size // 2] ^= 1
    part.write_bytes(data)
    with pytest.raises(OSError, match="CRC|checksum"):
        parquet.ParquetFile(part, page_checksum_verification=True).read()


def test_answers_come_back_where_no_output_is_asked_for(model, lines):
    found = score(model, lines, cluster="threads:2", min_probability=0.9)
    assert found.rows == 300 and not found.parts
    assert list(found.columns) == ["label", "score", "probability", "known_features"]
    assert {len(column) for column in found.columns.values()} == {300}
    assert "?" in found.columns["label"]


def test_parts_of_the_same_run_are_kept_and_others_refused(model, lines, tmp_path):
    out = tmp_path / "out"
    first = score(model, lines, cluster="threads:2", output=out, shards=4)
    before = {path: os.stat(path).st_mtime_ns for path in first.parts}
    again = score(model, lines, cluster="threads:2", output=out, shards=4)
    assert again.kept == 4 and again.rows == 300
    assert before == {path: os.stat(path).st_mtime_ns for path in first.parts}
    # As if the run had been killed with one part missing, and another had been damaged.
    whole = joined(first)
    os.unlink(first.parts[2])
    Path(first.parts[1]).write_bytes(b"{}")
    assert score(model, lines, cluster="threads:2", output=out, shards=4).kept == 2
    assert joined(first) == whole
    with pytest.raises(InputError, match="answers of other work"):
        score(model, lines, cluster="threads:2", output=out, shards=5)
    found = score(model, lines, cluster="threads:2", output=out, shards=5, overwrite=True)
    assert len(os.listdir(out)) == 6 and joined(found) == whole


@pytest.mark.parametrize(
    "parts", [None, 3, [3], [{"name": "part-00000-of-00002.jsonl"}], [{"name": [], "rows": "x"}]]
)
def test_an_end_that_is_damaged_says_nothing_of_the_parts(model, lines, tmp_path, parts):
    out = tmp_path / "out"
    before = score(model, lines, cluster="threads:1", output=out, shards=2)
    end = (out / "_SUCCESS").read_bytes()
    (out / "_SUCCESS").write_text(json.dumps({**json.loads(end), "parts": parts}))
    found = score(model, lines, cluster="threads:1", output=out, shards=2)
    assert found.rows == before.rows and (out / "_SUCCESS").read_bytes() == end


def test_a_run_that_failed_is_told_from_a_whole_one_and_goes_on(model, lines, tmp_path):
    good = Path(lines).read_text()
    bad = good.splitlines()
    bad[280] = "{broken"
    Path(lines).write_text("\n".join(bad) + "\n")
    out = tmp_path / "out"
    with pytest.raises(DataFormatError, match=r"new\.jsonl.*bytes \d+ to \d+.*not JSON"):
        score(model, lines, cluster="threads:1", output=out, shards=4)
    assert sorted(os.listdir(out)) == [
        "_STARTED",
        *(f"part-0000{n}-of-00004.jsonl" for n in range(3)),
    ]


def test_the_command_writes_the_same_parts(model, lines, tmp_path, capsys):
    words = ["predict", model, lines, "--cluster", "threads:2", "--shards", "3"]
    assert main([*words, "-o", str(tmp_path / "out"), "--top", "2"]) == 0
    assert "300 rows in 3 parts" in capsys.readouterr().out
    parts = [tmp_path / "out" / f"part-0000{n}-of-00003.jsonl" for n in range(3)]
    wanted = serial(model, lines, tmp_path, "--top", "2")
    assert b"".join(path.read_bytes() for path in parts) == wanted
    for more in ([], ["-o", "-"], ["-o", "x", "--live"], ["-o", "x", "--exit-status", "spam"]):
        assert main([*words, *more]) == 2
    assert main(["predict", model, lines, "--overwrite"]) == 2


@pytest.mark.parametrize("cluster", ["threads:2", "processes:2"])
def test_an_interruption_leaves_whole_parts_and_the_same_call_goes_on(
    model, lines, tmp_path, cluster
):
    out = tmp_path / "out"

    def interrupt(told):
        if told.shards_done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(model, lines, cluster=cluster, output=out, shards=9, progress=interrupt)
    for _ in range(50):  # a thread ends a moment later
        if not any(name.endswith(".tmp") for name in os.listdir(out)):
            break
        time.sleep(0.1)
    left = sorted(os.listdir(out))
    assert left[0] == "_STARTED" and 3 <= len(left) < 10
    found = score(model, lines, cluster="threads:1", output=out, shards=9)
    assert found.kept == len(left) - 1 and joined(found) == serial(model, lines, tmp_path)
    assert len(os.listdir(out)) == 10 and "_SUCCESS" in os.listdir(out)


def test_columns_without_names_are_not_written(tmp_path):
    clf, path = KINDS["svmlight"](tmp_path)
    found = score(clf, path, cluster="threads:2", output=tmp_path / "out")
    assert [*json.loads(joined(found).splitlines()[0])][:2] == ["label", "score"]
    assert found.rows == 200
    assert found.notes == [f"{path}: qid was ignored in 200 rows"]


def test_values_that_training_did_not_see_are_noted(tmp_path):
    rows = [{"size": k, "kind": "ab"[k % 2]} for k in range(40)]
    clf = TableClassifier(number_columns=["size"]).fit(rows, ["no", "yes"] * 20)
    clf.metadata = {"layout": {"table": True}}
    path = tmp_path / "new.csv"
    path.write_text("size,kind\n" + "1,a\n" * 9 + "2,new\n")
    found = score(clf, path, cluster="threads:2", shards=2)
    assert found.rows == 10 and any("'new' (1)" in note for note in found.notes)


def test_files_without_rows(model, tmp_path):
    bare = tmp_path / "bare.csv"
    bare.write_text("id,text\n")
    found = score(model, bare, cluster="threads:1", output=tmp_path / "out")
    assert found.rows == 0 and joined(found) == b""


def test_a_worker_opens_the_model_where_it_is_or_gets_its_bytes(
    model, lines, tmp_path, monkeypatch
):
    sent = SentModel(model)
    forget()
    assert open_model(sent.reference) is open_model(sent.reference)
    assert open_model(sent.reference).answers(["win a prize"])[0].label == "spam"
    assert len(sent.reference.data) < 1000
    # Another model under that name, and none: as on a machine that has no such file.
    monkeypatch.setattr(scoring, "lend", lambda *given: None)
    whole = serial(model, lines, tmp_path)
    for content in (b"", None):
        copy = tmp_path / "copy"
        copy.write_bytes(Path(model).read_bytes())
        hidden = HiddenModel(str(copy), content)
        monkeypatch.setattr(scoring, "SentModel", lambda path, made=hidden: made)
        forget()
        found = score(copy, lines, cluster="threads:2", output=tmp_path / f"{content}", shards=2)
        assert joined(found) == whole


class HiddenModel(SentModel):
    """A model whose file only the driver sees."""

    def __init__(self, path, content):
        super().__init__(path)
        self.bytes, self.content, self.path = Path(path).read_bytes(), content, Path(path)

    def run(self, *given):
        self.path.unlink()
        if self.content is not None:
            self.path.write_bytes(self.content)
        return super().run(*given)

    def whole(self):
        self.path.write_bytes(self.bytes)
        return super().whole()


def test_a_folder_of_a_store(memory, model, lines, tmp_path):
    memory.pipe_file("/bucket/new.jsonl", Path(lines).read_bytes())
    memory.pipe_file("/bucket/model", Path(model).read_bytes())
    words = {"cluster": "threads:2", "shards": 4, "output": "memory://bucket/out/"}
    found = score("memory://bucket/model", "memory://bucket/n*.jsonl", **words)
    assert found.parts[0] == "memory://bucket/out/part-00000-of-00004.jsonl"
    written = b"".join(memory.cat_file(path.removeprefix("memory:/")) for path in found.parts)
    assert written == serial(model, lines, tmp_path)
    names = {name.rpartition("/")[2] for name in memory.ls("/bucket/out", detail=False)}
    assert len(names) == 5 and "_SUCCESS" in names
    memory.rm_file("/bucket/out/part-00001-of-00004.jsonl")
    memory.rm_file("/bucket/out/_SUCCESS")
    with pytest.raises(InputError, match="answers of other work"):
        score("memory://bucket/model", "memory://bucket/new.jsonl", **words)
    found = score("memory://bucket/model", "memory://bucket/new.jsonl", **words, overwrite=True)
    assert (
        found.kept == 0
        and score("memory://bucket/model", "memory://bucket/new.jsonl", **words).kept == 4
    )
    with pytest.raises(FileError, match="web servers take no files"):
        score(model, lines, cluster="threads:1", output="http://127.0.0.1:9/out")


def test_columns_of_numbers_stay_columns(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    clf, path = KINDS["numbers"](tmp_path)
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [float(row[name]) for row in rows] for name in "bac"}
    table = arrow.table({**columns, "c": arrow.array(columns["c"], arrow.float32())})
    parquet.write_table(table, tmp_path / "new.parquet", row_group_size=70)
    layout = {"format": "numeric-parquet", "columns": ["a", "b", "c"]}
    words = {"layout": layout, "cluster": "threads:2"}
    found = score(clf, tmp_path / "new.parquet", output=tmp_path / "out", **words)
    whole = parquet.read_table(tmp_path / "out")
    assert len(found.parts) == 5 and whole.select(table.column_names).equals(table)
    expected = clf.predict([[row[name] for name in "abc"] for row in table.to_pylist()]).tolist()
    assert whole["label"].to_pylist() == expected
    with pytest.raises(InputError, match="stay columns"):
        score(clf, tmp_path / "new.parquet", output=tmp_path / "x", format="jsonl", **words)
