"""Correcting, undoing and guarding from the command line."""

import json

import pytest

import hardlimit as hl
from hardlimit.cli import main, models
from hardlimit.cli.commands.correct import POLICIES
from hardlimit.live import entry, opening
from hardlimit.live.model import LiveModel
from hardlimit.service import schemas

from ..rounding import SINGLE, near
from .corrected import MODEL, TEXTS
from .corrected import of_columns as of_columns
from .corrected import run as run
from .corrected import trained as trained


@pytest.mark.parametrize("label", ["bad\udc80", "ham\u200b", "\u202egnp", "ham\x07", "spam "])
def test_a_label_that_nobody_can_store_or_read_is_refused(run, tmp_path, label):
    told = run("correct", MODEL, "--label", label, "win a prize", code=1)
    assert ascii(label) in told and "label" in told
    assert not (tmp_path / f"{MODEL}.ledger").exists()
    run("correct", MODEL, "--label", "ham", "win a prize")
    assert "by" in run("undo", MODEL, "1", "--by", label, code=1)
    assert "text" in run("confirm", MODEL, "win a prize", "--label", "x\udc80", code=1)


def test_no_class_comes_from_a_typing_error(run, tmp_path):
    told = run("correct", MODEL, "--label", "Ham", "win a prize", "--new-class", code=1)
    assert told == (
        "error: --label: got 'Ham': it differs from the label 'ham' only in case, blanks, "
        "invisible characters or Unicode form; use 'ham'\n"
    )
    told = run("correct", MODEL, "--label", "hma", "win a prize", code=1)
    assert "the nearest that it has is 'ham'" in told and "--new-class" in told
    told = run("confirm", MODEL, "--label", "HAM", "lunch at noon?", code=1)
    assert "use 'ham'" in told and "new-class" not in told
    (tmp_path / "must.csv").write_text("t,l\nlunch at noon?,Ham\n")
    told = run("guard", "add", MODEL, "must.csv", "--text", "t", "--label", "l", code=1)
    assert "use 'ham'" in told
    assert not (tmp_path / f"{MODEL}.ledger").exists()
    told = run("correct", MODEL, "--label", "news", "zebra crossing", "--new-class")
    assert "'news' is a new class" in told


def test_an_undo_names_the_guards_that_hold_no_more(run, tmp_path):
    run("correct", MODEL, "--label", "ham", "win a prize")
    (tmp_path / "pass.csv").write_text("text,label\nwin a prize,ham\n")
    run("guard", "add", MODEL, "pass.csv", "--text", "text", "--label", "label")
    told = run("undo", MODEL, "1")
    assert told.rstrip().endswith("guards that do not hold any more: #2")
    assert "0 of 1: #2 not" in run("status", MODEL)


@pytest.mark.filterwarnings("default")
def test_a_tail_that_is_empty_though_it_was_in_use_is_told(run, tmp_path, capsys):
    with hl.open_live(MODEL) as live:
        for number in range(4):
            live.correct(f"win {number} prizes", "ham")
        whole = {one: one.read_bytes() for one in tmp_path.glob(f"{MODEL}.ledger*")}
    for path, data in whole.items():
        path.write_bytes(b"" if path.name.endswith("-tail") else data)
    assert main(["status", MODEL]) == 0
    told = capsys.readouterr()
    assert "Trouble: the tail of the ledger was in use and is empty: entries after #2" in told.out
    assert "entries after #2 may be missing" in told.err  # as of every command
    assert "empty-tail" in json.loads(run("status", MODEL, "--json"))["troubles"]


def test_a_correction_is_told_logged_and_undone(run):
    told = run("correct", MODEL, "--label", "ham", "win a prize, a prize", "--by", "alice")
    assert told.startswith("corrected #1: now 'ham' (margin 1.00, was 'spam' ")
    assert "of 1 other remembered text " in run(
        "correct", MODEL, "--new-class", "--label", "news", "zebra win"
    )
    assert "'ham', was 'spam'" in run("log", MODEL) and "alice" in run("log", MODEL)
    assert run("undo", MODEL, "#2", "--by", "bob").startswith("#3 undid #2: now ")
    log = json.loads(run("log", MODEL, "--json", "--verify"))
    assert [(one["id"], one["author"], one["undone"]) for one in log] == [
        (1, "alice", False), (2, "", True), (3, "bob", False),
    ]  # fmt: skip
    # The fields that `/log` of the service has.
    assert {*log[0]} == {*schemas.LogEntry.model_fields}
    assert "-#2" in run("log", MODEL) and "#1" not in run("log", MODEL, "--last", "1")


def test_a_dry_run_writes_no_entry(run):
    told = run("correct", MODEL, "--label", "ham", "win the meeting", "--dry-run")
    assert told.startswith("would correct: now 'ham'")
    assert run("log", MODEL) == "no corrections\n"


def test_private_entries_have_no_text(run):
    run("correct", MODEL, "--label", "ham", "win the secret", "--private")
    assert json.loads(run("log", MODEL, "--json"))[0]["text"] is None
    assert "secret" not in run("log", MODEL)


def test_why_names_terms_and_corrections(run):
    run("correct", MODEL, "--label", "ham", "win the meeting", "--by", "alice")
    why = json.loads(run("why", MODEL, "win the meeting", "--json", "--top", "100"))
    assert why["label"] == "ham" and [one["id"] for one in why["corrections"]] == [1]
    added = sum(one["base"] + one["corrections"] for one in why["terms"])
    assert added == near(why["margin"], 20, unit=SINGLE)
    pushed = sum(one["corrections"] for one in why["terms"])
    assert pushed == near(why["corrections"][0]["push"], 20, unit=SINGLE)
    assert "alice" in run("why", MODEL, "win the meeting")
    assert "no correction touches" in run("why", "--ledger", "other", MODEL, "lunch")


def test_guards_are_added_listed_checked_and_removed(run, tmp_path):
    rows = [{"t": "lunch at noon?", "l": "ham"}, {"t": "win a prize now", "l": "spam"}]
    file = tmp_path / "must.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = run("guard", "add", MODEL, "must.jsonl", "--text", "t", "--label", "l", "--by", "eve")
    assert told == "2 guards: #1 to #2\n"
    assert run("guard", "check", MODEL) == "2 of 2 guards hold\n"
    text = "lunch at noon now"
    refused = run("correct", MODEL, "--label", "spam", text, "--margin", "9", code=1)
    assert "would flip guard #1" in refused
    told = run("correct", MODEL, "--label", "spam", text, "--margin", "9", "--guards", "solve")
    assert "guards in the way: #1" in told
    run("correct", MODEL, "--label", "spam", text, "--margin", "99", "--guards", "flag")
    run("guard", "check", MODEL, code=1)
    run("undo", MODEL, "4")
    assert "lunch at noon?" in run("guard", "list", MODEL)
    assert run("guard", "remove", MODEL, "#1") == "removed 1 guard\n"
    assert [one["id"] for one in json.loads(run("guard", "list", MODEL, "--json"))["guards"]] == [2]


def test_a_guard_of_the_wrong_label_is_refused(run, tmp_path):
    (tmp_path / "must.csv").write_text("t,l\nlunch at noon?,spam\n")
    said = run("guard", "add", MODEL, "must.csv", "--text", "t", "--label", "l", code=1)
    assert "its answer now is 'ham'" in said
    run("guard", "add", MODEL, code=2)
    run("guard", "burn", MODEL, code=2)


def test_a_baked_file_is_a_model_like_any_other(run):
    run("correct", MODEL, "--label", "ham", "win a prize now")
    run("correct", MODEL, "--new-class", "--label", "news", "zebra crossing the noon")
    told = run("bake", MODEL, "-o", "new.hardlimit")
    assert told == "new.hardlimit: with 2 corrections and 0 guards that hold\n"
    clf = hl.load("new.hardlimit")
    live = hl.open_live(MODEL)
    assert clf.predict(TEXTS).tolist() == live.predict(TEXTS, remember=False)
    assert clf.predict(["zebra crossing the noon"]).tolist() == ["news"]
    live.close()
    known = [text for text in TEXTS if "zebra" not in text]
    assert clf.decision_function(known).shape == (8, 3)
    assert "terms" in run("explain", "new.hardlimit", "zebra", "--json")
    assert [one["kind"] for one in json.loads(run("log", MODEL, "--json"))][-1] == "bake"
    run("bake", MODEL, "-o", MODEL, code=2)


def test_replay_gives_the_model_as_it_was(run):
    run("correct", MODEL, "--label", "ham", "win a prize now")
    run("correct", MODEL, "--new-class", "--label", "news", "lunch at noon?")
    whole = run("replay", MODEL)
    assert "2 entries, of which 2 hold; the same weights as now" in whole
    then = json.loads(run("replay", MODEL, "--until", "1", "-o", "old.hardlimit", "--json"))
    assert then["entries"] == 1 and then["classes"] == ["ham", "spam"]
    assert hl.load("old.hardlimit").predict(TEXTS[:2]).tolist() == ["ham", "ham"]
    assert "there is no entry #9" in run("replay", MODEL, "--until", "9", code=1)


def test_diff_shows_what_moved(run):
    assert "0 weights moved" in run("diff", MODEL)
    run("correct", MODEL, "--label", "ham", "win a prize now")
    own = json.loads(run("diff", MODEL, "--json", "--top", "1000"))
    run("bake", MODEL, "-o", "new.hardlimit")
    files = json.loads(run("diff", MODEL, "new.hardlimit", "--json", "--top", "1000"))
    assert own["n_moved"] == files["n_moved"] > 0
    after = {one["term"]: one["after"] for one in own["moved"]}
    for one in files["moved"]:
        assert after[one["term"]] == near(one["after"], 20, unit=SINGLE)
    assert "win" in run("diff", MODEL, "new.hardlimit")


def test_numbers_are_corrected_as_rows(run, tmp_path):
    hl.LinearClassifier().fit([[1.0, 0.0], [0.0, 1.0]] * 3, [0, 1] * 3).save("rows.hardlimit")
    assert "now '1'" in run("correct", "rows.hardlimit", "1, 0", "--label", "1")
    assert "column 0" in run("why", "rows.hardlimit", "1 0")
    run("correct", "rows.hardlimit", "one", "--label", "1", code=2)
    run("bake", "rows.hardlimit", "-o", "new.hardlimit")
    assert hl.load("new.hardlimit").predict([[1.0, 0.0]]).tolist() == [1]


def test_the_policies_are_those_of_the_library():
    assert POLICIES == entry.POLICIES


def test_words_that_cannot_be_used_are_usage_errors(run):
    assert "--label" in run("correct", MODEL, "text", code=2)
    assert "no number of an entry" in run("undo", MODEL, "first", code=2)
    assert "no known and no new term" in run("correct", MODEL, "?!", "--label", "ham", code=1)


@pytest.mark.parametrize("command", ["bake", "replay"])
def test_a_new_file_never_takes_the_place_of_the_ledger(run, tmp_path, command):
    run("correct", MODEL, "--label", "ham", "win a prize, a prize")
    ledger = tmp_path / f"{MODEL}.ledger"
    before = ledger.read_bytes()
    assert "ledger" in run(command, MODEL, "-o", str(ledger), code=1)
    assert ledger.read_bytes() == before


def test_a_label_of_nothing_is_no_new_class(run):
    assert "--label '' is empty" in run("correct", MODEL, "--label", "", "win", code=2)
    assert run("log", MODEL) == "no corrections\n"


def test_one_thing_holds_and_several_hold(run, tmp_path):
    file = tmp_path / "must.jsonl"
    file.write_text('{"text": "lunch at noon?", "label": "ham"}\n')
    assert run("guard", "add", MODEL, str(file)) == "1 guard: #1\n"
    assert run("guard", "check", MODEL) == "1 of 1 guard holds\n"
    run("correct", MODEL, "--label", "spam", "the zebra committee meets")
    assert "\n1 correction touches it; the largest:\n" in run("why", MODEL, "zebra")
    assert run("replay", MODEL, "--until", "1").startswith("1 entry, of which 1 holds\n")


def test_the_log_shows_what_was_done_beside_a_long_text(run):
    run("correct", MODEL, "--label", "ham", "win a prize " * 9, "--by", "alice")
    assert "'ham', was 'spam'" in run("log", MODEL)


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_corrections_that_an_answer_leaves_out_are_told(run, tmp_path, capsys, command):
    (tmp_path / "texts.jsonl").write_text('{"text": "lunch at noon?", "label": "ham"}\n')
    assert main([command, MODEL, "texts.jsonl"]) == 0
    assert "corrections" not in capsys.readouterr().err
    run("correct", MODEL, "--label", "ham", "", code=1)
    assert not (tmp_path / f"{MODEL}.ledger").exists()
    run("correct", MODEL, "--label", "ham", "win a prize, a prize")
    assert main([command, MODEL, "texts.jsonl"]) == 0
    said = capsys.readouterr().err
    assert f"{MODEL}.ledger" in said and "hardlimit bake" in said


def test_the_place_of_a_ledger_is_that_of_the_library():
    assert models.LEDGER == opening.SUFFIX


def test_a_mail_is_corrected_as_it_is_read(run, tmp_path, monkeypatch, capsys):
    boxes = {}
    for label, word in (("spam", "prize"), ("ham", "lunch")):
        mails = [f"From a@b Thu Aug 22 12:36:2{i} 2002\nSubject: {word} {i}\n\nnow" for i in (1, 2)]
        boxes[label] = tmp_path / f"{label}.mbox"
        boxes[label].write_text("\n\n".join(mails) + "\n")
    run("train", *map(str, boxes.values()), "-o", "mail.hardlimit")
    (tmp_path / "one.eml").write_text("Subject: a prize\nX-Origin: zebra\n\nnow\n")
    before = run("predict", "mail.hardlimit", "one.eml").split()
    told = run("correct", "mail.hardlimit", "--label", "ham", "one.eml", "--dry-run")
    assert f"was '{before[0]}' {float(before[1]):.2f}" in told
    why = run("why", "mail.hardlimit", "one.eml", "--top", "99")
    assert "subject__prize" in why and "zebra" not in why


def test_the_name_of_a_file_is_a_text_with_a_note(run, tmp_path, capsys):
    (tmp_path / "win.txt").write_text("lunch at noon")
    assert main(["correct", MODEL, "--label", "ham", "win.txt", "--dry-run"]) == 0
    assert (
        "'win.txt' is taken as a text; what is in that file: - < win.txt" in capsys.readouterr().err
    )


@pytest.mark.parametrize("written", [True, False])
def test_an_interruption_says_whether_the_entry_was_written(run, monkeypatch, written):
    real = LiveModel._write

    def interrupt(self, *words):
        if written:
            real(self, *words)
            self.ledger._commit(self.ledger._batch)
        raise KeyboardInterrupt

    monkeypatch.setattr(LiveModel, "_write", interrupt)
    said = run("correct", MODEL, "--label", "ham", "win a prize", code=130)
    assert said == f"error: interrupted; {'entry #1' if written else 'no entry'} was written\n"
    monkeypatch.setattr(LiveModel, "_write", real)
    assert ("#1" in run("log", MODEL)) is written


@pytest.mark.parametrize("command", ["bake", "replay"])
def test_a_model_is_not_written_to_standard_output(run, tmp_path, command):
    assert "standard output" in run(command, MODEL, "-o", "-", code=2)
    assert not (tmp_path / "-").exists()


def test_what_is_refused_leaves_no_ledger(run, tmp_path):
    (tmp_path / "must.csv").write_text("t,l\nlunch at noon?,spam\n")
    run("correct", MODEL, "--label", "ham", "?!", code=1)
    run("guard", "add", MODEL, "must.csv", "--text", "t", "--label", "l", code=1)
    assert [one.name for one in tmp_path.iterdir() if "ledger" in one.name] == []


def test_a_model_of_several_labels_a_row_says_why_it_takes_no_corrections(run, tmp_path):
    rows = [{"size": 1.0, "colour": "red"}, {"size": 2.0, "colour": "blue"}] * 4
    hl.TableClassifier().fit(rows, [["a"], ["b"]] * 4).save("table.hardlimit")
    said = run("correct", "table.hardlimit", "--label", "a", "1", code=1)
    assert "several labels a row" in said


def test_answers_are_confirmed_and_the_status_counts_them(run):
    assert run("status", MODEL).startswith("  entries ")
    told = run("confirm", MODEL, "win a prize now", "--by", "alice", "--label", "spam")
    assert told.startswith("confirmed #1: 'spam' (margin ")
    assert "its answer now is 'ham'" in run("confirm", MODEL, "lunch", "--label", "spam", code=1)
    run("correct", MODEL, "lunch at noon?", "--label", "spam")
    run("correct", MODEL, "--new-class", "lunch and dinner", "--label", "news")
    plain = json.loads(run("status", MODEL, "--json"))
    progress = plain["progress"]
    assert (plain["entries"], progress["n_seen"], progress["n_right"]) == (3, 3, 1)
    assert (progress["n_confirmed"], progress["n_new_class"]) == (1, 1)
    # The share forgets, so that its few answers do not weigh the same.
    assert plain["drift"]["unknown"]["recent"] == pytest.approx(2 / 8, abs=0.2)
    shown = run("status", MODEL)
    assert "0.333 (1)" in shown and "live probability" in shown
    assert "confirmed 'spam'" in run("log", MODEL)
    run("undo", MODEL, "1")
    assert json.loads(run("status", MODEL, "--json"))["progress"]["n_confirmed"] == 0


def test_the_status_names_guards_that_do_not_hold_and_shows_the_course(run, tmp_path):
    (tmp_path / "must.jsonl").write_text('{"text": "lunch at noon?", "label": "ham"}\n')
    run("guard", "add", MODEL, "must.jsonl")
    run(
        "correct",
        MODEL,
        "lunch at noon now",
        "--label",
        "spam",
        "--margin",
        "99",
        "--guards",
        "flag",
    )
    for number in range(20):
        run("confirm", MODEL, f"win a prize {number}")
    shown = run("status", MODEL, "--windows", "2")
    assert "0 of 1: #1 not" in shown and "Course" in shown
    assert "Course" not in run("status", MODEL, "--windows", "0")
    assert json.loads(run("status", MODEL, "--json"))["broken"] == [1]


def test_live_answers_have_the_corrections(run, tmp_path, capsys, monkeypatch):
    run("correct", MODEL, "win a prize now", "--label", "ham", "--margin", "2", "--step", "1")
    (tmp_path / "texts.txt").write_text("win a prize now\nzebra\n")
    words = ["predict", MODEL, "texts.txt", "--format", "lines"]
    assert run(*words).startswith("spam\t")
    live = run(*words, "--live", "--probability").splitlines()
    assert live[0].split("\t")[0] == "ham" and float(live[0].split("\t")[2]) > 0.5
    assert run(*words, "--live", "--ledger", "none", "--scores").startswith("spam\t")
    assert not (tmp_path / "none").exists()
    assert "--live" in run(*words, "--ledger", "none", code=2)
    run(*words, "--live", "--exit-status", "news", code=2)
    run("correct", MODEL, "--new-class", "zebra", "--label", "news")
    assert run(*words, "--live", "--exit-status", "news").splitlines()[1].startswith("news\t")


def test_an_author_corrects_so_often_and_so_far(run):
    words = ("correct", MODEL, "--label", "ham", "--by", "mallory")
    run(*words, "win a prize", "--correction-rate", "1/3600")
    assert "1 in 3600 are allowed" in run(*words, "cheap", "--correction-rate", "1/3600", code=1)
    assert "0.1 is allowed" in run(*words, "cheap", "--influence", "0.1", code=1)
    run(*words, "cheap", "--by", "alice", code=2)
    assert json.loads(run("log", MODEL, "--json"))[-1]["id"] == 1


@pytest.mark.parametrize("rate", ["", "20", "0/60", "20/0", "20/nan", "2.5/60", f"1{30 * '0'}/1"])
def test_a_rate_that_means_nothing_is_refused(run, rate):
    words = ("correct", MODEL, "--label", "ham", "win")
    assert "wanted N/SECONDS" in run(*words, "--correction-rate", rate, code=2)


def test_models_of_several_columns_are_corrected_too(of_columns):
    run = of_columns
    run("train", "rows.csv", "--text", "subject", "--text", "body", "--label", "label",
        "-o", "mails.hardlimit")  # fmt: skip
    run("train", "rows.csv", "--text", "body", "--category", "city", "--number", "age",
        "--drop", "subject", "--label", "label", "-o", "table.hardlimit")  # fmt: skip
    mail = json.dumps({"subject": "win a prize", "body": "cheap pills"})
    person = json.dumps({"body": "at noon", "city": "Ostend", "age": 33})
    asked = (("mails.hardlimit", mail, "ham"), ("table.hardlimit", person, "new"))
    for model, row, label in asked:
        told = run("correct", model, row, "--label", label, "--by", "alice", "--new-class")
        assert told.startswith(f"corrected #1: now '{label}' (margin 1.00")
        assert f"'{label}' rather than" in run("why", model, row)
        assert run("confirm", model, row).startswith(f"confirmed #2: '{label}'")
        answers = run("predict", "--live", model, "rows.csv").splitlines()
        assert len(answers) == 8 and {line.split("\t")[0] for line in answers} <= {
            "spam", "ham", "new"
        }  # fmt: skip
        assert json.loads(run("log", model, "--json"))[0]["text"] == row
        assert "2: 1 confirmed, 1 corrected" in run("status", model)
        assert run("bake", model, "-o", f"baked-{model}")
        assert run("predict", f"baked-{model}", "rows.csv").splitlines()
        refused = run("correct", model, "a text", "--label", "ham", code=2)
        assert '"body": "..."' in refused
    assert "its answer now is" in run("guard", "add", "table.hardlimit", "rows.csv", code=1)
    for model in ("table.hardlimit", "mails.hardlimit"):
        run("undo", model, "1")
        assert run("guard", "add", model, "rows.csv").startswith("8 guards")
        assert run("guard", "check", model) == "8 of 8 guards hold\n"


def test_kernel_models_have_no_weights_to_compare(tmp_path, capsys):
    numbers, kernel, plain = tmp_path / "n.csv", str(tmp_path / "k"), str(tmp_path / "p")
    numbers.write_text("a,b,y\n0,0,no\n1,0,yes\n0,1,yes\n1,1,no\n")
    assert main(["train", str(numbers), "--kernel", "rbf:1", "-o", kernel]) == 0
    assert main(["train", str(numbers), "-o", plain]) == 0
    capsys.readouterr()
    for pair in ((kernel, kernel), (kernel, plain), (plain, kernel)):
        assert main(["diff", *pair]) == 1
        assert f"{kernel}: a kernel model has no weights of columns" in capsys.readouterr().err
