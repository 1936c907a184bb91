"""``hardlimit certify``: a verdict, a proof beside the data, and its check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.certificates import load_proofs
from hardlimit.cli import main

XOR = "x1,x2,class\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n"
AND = "x1,x2,class\n0,0,no\n0,1,no\n1,0,no\n1,1,yes\n"
THREE = "x1,x2,class\n0,0,a\n0,1,a\n4,0,b\n5,1,b\n2,0,c\n2.5,1,c\n"


def file(folder: Path, text: str, name: str = "data.csv") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def certified(capsys, *words: str, code: int = 0) -> str:
    assert main(["certify", *words]) == code
    return str(capsys.readouterr().out)


def test_a_verdict_and_a_proof_beside_the_data(tmp_path, capsys) -> None:
    data = file(tmp_path, XOR)
    out = certified(capsys, data)
    assert "yes against no: not separable" in out
    assert "4 rows whose labels cannot all be correct" in out
    assert f"  proof     {data}.proof.json\n" in out
    for line in ("2     no       25 %", "3     yes      25 %"):
        assert line in out, "lines of the file, not numbers of rows"
    out = certified(capsys, "--check", f"{data}.proof.json", data)
    assert "holds" in out and "not separable: 4 rows cannot all be right" in out


def test_separable(tmp_path, capsys) -> None:
    data = file(tmp_path, AND)
    out = certified(capsys, data, "-o", str(tmp_path / "and.json"), "--gap", "1e-9")
    assert (
        "yes against no: separable" in out
        and "margin    the largest lies between 0.242536 and 0.242536" in out
    )
    assert "separable: margin between" in certified(
        capsys, "--check", str(tmp_path / "and.json"), data
    )


def test_json(tmp_path, capsys) -> None:
    data = file(tmp_path, XOR)
    found = json.loads(certified(capsys, data, "--json"))
    assert found["proof"] == f"{data}.proof.json" and found["rows"] == 4
    (verdict,) = found["verdicts"]
    assert verdict["verdict"] == "not separable" and verdict["conflict"] == [0, 1, 2, 3]
    checked = json.loads(certified(capsys, "--check", f"{data}.proof.json", data, "--json"))
    assert checked["holds"] is True and checked["verdicts"][0]["conflict"] == [0, 1, 2, 3]


def test_many_classes_each_against_the_rest(tmp_path, capsys) -> None:
    data = file(tmp_path, THREE)
    out = certified(capsys, data)
    assert "class against the rest" in out
    verdicts = [proof.verdict for proof in load_proofs(f"{data}.proof.json")]
    assert verdicts == ["separable", "separable", "not separable"]
    assert "c against the rest: not separable" in certified(
        capsys, "--check", f"{data}.proof.json", data
    )
    assert "b against the rest: separable" in certified(capsys, data, "--positive", "b")


def test_through_the_origin_and_other_biases(tmp_path, capsys) -> None:
    data = file(tmp_path, AND)
    out = certified(capsys, data, "--through-origin")
    assert "line 2 is 0 in every column" in out and "through the origin" in out
    out = certified(capsys, data, "--bias-feature", "-2")
    assert "with a bias of -2" in out and "against no: separable" in out


def test_svmlight_and_texts(tmp_path, capsys) -> None:
    data = file(tmp_path, "-1 1:1\n1 2:1\n1 1:1 2:3\n", "data.svm")
    assert "1 against -1: separable" in certified(capsys, data)
    rows = "text,label\n" + "win a prize,spam\nlunch at noon,ham\nsee you,ham\ncall now,spam\n" * 2
    data = file(tmp_path, rows + "see you,spam\n", "messages.csv")
    out = certified(capsys, data)
    assert "with a bias of 0.1" in out and "Two rows contradict each other" in out
    assert "see you" in out
    certified(capsys, "--check", f"{data}.proof.json", data)
    words = (data, "--features", "words=1-1,chars=none,idf=none")
    certified(capsys, *words)
    certified(capsys, "--check", f"{data}.proof.json", *words)


def test_undecided_has_an_exit_code_of_its_own(tmp_path, capsys) -> None:
    rows = "".join(f"{i % 7},{i % 5},{i * i % 101},{i % 2}\n" for i in range(60))
    data = file(tmp_path, "a,b,c,t\n" + rows)
    out = certified(capsys, data, "--seconds", "1e-9", code=3)
    assert "1 against 0: undecided" in out and "separable if it is above 0" in out
    assert "why" in out and "tried" in out
    certified(capsys, "--check", f"{data}.proof.json", data)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--check", "PROOF", "OTHER"], 1, "proof.json: yes against no: of other data"),
        (["--check", "OTHER", "DATA"], 1, "other.csv: not JSON"),
        (["--check", "none.json", "DATA"], 1, "none.json: cannot be read"),
        (["--check", "PROOF", "DATA", "--seconds", "3"], 2, "--seconds does not go with --check"),
        (["--check", "PROOF", "DATA", "-o", "x"], 2, "-o does not go with --check"),
        (["DATA", "--bias-feature", "0"], 2, "wants a finite number other than 0"),
        (["DATA", "--bias-feature", "1", "--through-origin"], 2, "does not go with"),
        (["DATA", "--positive", "maybe"], 2, "no class 'maybe'; there are no, yes"),
        (["DATA", "--features", "words=1-2"], 1, ""),
        (["DATA", "-o", "DATA"], 2, "would overwrite"),
        (["DATA", "-o", "no/such/proof.json"], 1, "the folder 'no/such' does not exist"),
        (["ONE"], 1, "one class, no; wanted rows of two classes"),
        (["NAN", "--format", "numeric-csv"], 1, "nan.csv:3"),
    ],
)
def test_what_does_not_go_is_a_sentence(words, code, said, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {
        "DATA": file(tmp_path, XOR),
        "OTHER": file(tmp_path, XOR.replace("1,1,no", "1,2,no"), "other.csv"),
        "ONE": file(tmp_path, "x1,class\n0,no\n1,no\n", "one.csv"),
        "NAN": file(tmp_path, "x1,class\n0,no\nnan,yes\n", "nan.csv"),
    }
    certified(capsys, names["DATA"], "-o", "proof.json")
    names["PROOF"] = "proof.json"
    assert main(["certify", *(names.get(word, word) for word in words)]) == code
    captured = capsys.readouterr()
    assert said in captured.err and "Traceback" not in captured.err and not captured.out


def test_standard_input_has_no_place_beside_it(tmp_path, hardlimit) -> None:
    done = hardlimit("certify", "-", "--format", "numeric-csv", given=XOR)
    assert done.returncode == 0 and "not separable" in done.stdout
    assert "no proof was written: name a file with -o" in done.stderr


def test_opposite_rows_of_one_class_do_not_have_the_same_features(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("x,y,label\n1,2,a\n-1,-2,a\n3,1,b\n")
    main(["certify", str(rows), "--format", "numeric-csv", "--through-origin"])
    said = capsys.readouterr().out
    assert "not separable" in said and "cancel each other" in said
    assert "the same features" not in said


def test_a_mixed_table(tmp_path, capsys) -> None:
    rows = "1,4,Ghent,late again\n2,2,Bruges,new users\n3,5,Ghent,late now\n4,1,Rome,more users\n"
    labels = ["yes", "no", "yes", "no"]
    lines = [f"{row},{label}\n" for row, label in zip(rows.splitlines(), labels, strict=True)]
    data = file(tmp_path, "id,age,city,notes,churned\n" + "".join(lines))
    words = ("--label", "churned", "--drop", "id", "--number", "age", "--text", "notes")
    out = " ".join(certified(capsys, data, *words).split())
    assert "standardised numbers age; categories city; texts notes" in out
    assert "yes against no: separable" in out and " age +1.00" in out.split("weights")[1]
    check = out.split("certify ")[1].split()
    assert "separable: margin between" in certified(capsys, *check)
    # The verdict is on what train learns from.
    table = hl.TableClassifier(drop_columns=["id"], number_columns=["age"], text_columns=["notes"])
    names = ("id", "age", "city", "notes")
    found = [dict(zip(names, row.split(","), strict=True)) for row in rows.splitlines()]
    table.fit(found, labels)
    (proof,) = load_proofs(f"{data}.proof.json")
    assert proof.subject.n_features == table.vectorizer_.n_columns_
    assert proof.subject.bias == table.bias_feature


def test_a_contradiction_in_a_mixed_table(tmp_path, capsys) -> None:
    data = file(tmp_path, "age,city,y\n1, a,p\n1,a,q\n2,b,q\n4,b,p\n")
    out = certified(capsys, data, "--category", "city")
    assert "the same features, different labels" in out and "age=1, city=a" in out


def test_several_columns_of_texts(tmp_path, capsys) -> None:
    data = file(tmp_path, "subject,body,label\nhi,lunch,ham\nwin,a prize,spam\nre: hi,yes,ham\n")
    words = ("--text", "subject", "--text", "body")
    assert "spam against ham: separable" in certified(capsys, data, *words)
    assert "holds" in certified(capsys, "--check", f"{data}.proof.json", data, *words)


COLUMNS = "a,b,p,q\n0,0,0,0\n0,1,1,0\n1,0,1,0\n1,1,1,1\n0.2,0.1,0,1\n0.1,0.2,0,0\n"


def test_each_column_of_labels_has_a_proof_of_its_own(tmp_path, capsys) -> None:
    data = file(tmp_path, COLUMNS)
    out = " ".join(certified(capsys, data, "--label", "p,q").split())
    assert "p: 1 against 0 separable" in out and "q: 1 against 0 not separable lines 6" in out
    proofs = load_proofs(f"{data}.proof.json")
    assert [proof.subject.label for proof in proofs] == ["p", "q"]
    rows = [line.split(",") for line in COLUMNS.splitlines()[1:]]
    X = [[float(value) for value in row[:2]] for row in rows]
    for column, proof in enumerate(proofs, 2):
        proof.check(X, [int(row[column]) for row in rows])
    check = ("--check", f"{data}.proof.json", data)
    assert "q: 1 against 0: not separable" in certified(capsys, *check, "--label", "p,q")
    assert main(["certify", *check, "--label", "p", "--drop", "q"]) == 1
    assert "it is about label 'p'" in capsys.readouterr().err
    assert main(["certify", data, "--label", "p,q", "--positive", "1"]) == 2
    assert "it is one of two classes" in capsys.readouterr().err


def test_a_column_of_one_value_is_named(tmp_path, capsys) -> None:
    data = file(tmp_path, "a,p,q\n0,0,1\n1,1,1\n")
    assert main(["certify", data, "--label", "p,q"]) == 1
    assert "column 'q': one class, 1" in capsys.readouterr().err


def test_each_label_of_a_set_has_a_proof_of_its_own(tmp_path, capsys) -> None:
    data = file(tmp_path, 'text,label\nhello you,"a,b"\nwin a prize,b\nhello me,a\nhello you,a\n')
    words = ("--labels-separator", ",")
    out = " ".join(certified(capsys, data, *words).split())
    assert "a: True against False separable" in out
    assert "b: True against False not separable rows 1" in out
    assert "holds" in certified(capsys, "--check", f"{data}.proof.json", data, *words)
