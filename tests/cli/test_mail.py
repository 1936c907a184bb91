"""Raw mail from training to the answer of a pipe."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from hardlimit.cli import main

from ..rounding import SINGLE, near

MAIL = (
    "Received: from x by y\nFrom: a@b.org\nMessage-ID: <{n}@b>\nSubject: {words}\n\n{words} {n}\n"
)
SPAM, HAM = "win a prize now", "see you at lunch"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mail") / "corpus"
    for label, words in (("spam", SPAM), ("ham", HAM)):
        (folder / label).mkdir(parents=True)
        for n in range(10):
            (folder / label / f"{n}.eml").write_text(MAIL.format(n=n, words=words))
    return folder


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command in this process, with a text on standard input."""

    def command(*words, given=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        capsys.readouterr()
        code = main([*map(str, words)])
        said = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=said.out, stderr=said.err)

    return command


@pytest.fixture(scope="module")
def model(corpus):
    path = corpus.parent / "spam.hardlimit"
    assert main(["train", str(corpus), "-o", str(path)]) == 0
    return path


def test_a_folder_of_mail_is_told(corpus, tmp_path, run):
    assert "raw mail" in run("train", corpus, "-o", tmp_path / "m").stderr


def test_one_message_on_standard_input(model, hardlimit):
    done = hardlimit("predict", model, given=MAIL.format(n=1, words="a prize to win"))
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("spam\t") and done.stdout.count("\n") == 1


def test_a_mailbox_on_standard_input_gets_a_verdict_for_each_message(model, run):
    line = "From a@b.org Thu Aug 22 12:36:23 2002\n"
    mails = [MAIL.format(n=1, words=words) for words in ("a prize to win", HAM)]
    done = run("predict", model, "--exit-status", "ham", given="\n".join(line + m for m in mails))
    assert [answer.split("\t")[0] for answer in done.stdout.splitlines()] == ["spam", "ham"]
    assert done.returncode == 0


def test_files_and_folders(model, corpus, run):
    done = run("predict", model, corpus / "ham" / "1.eml")
    assert done.stdout.startswith("ham\t"), done.stderr
    (corpus.parent / "bare").write_text(MAIL.format(n=1, words=SPAM))
    assert run("predict", model, corpus.parent / "bare").stdout.startswith("spam\t")
    assert run("predict", model, corpus).stdout.count("\n") == 20


@pytest.mark.filterwarnings("ignore:.*mail headers")  # its terms come from there
def test_a_model_that_learnt_from_files_as_they_stand_goes_on_so(corpus, tmp_path, run):
    plain = tmp_path / "plain.hardlimit"
    assert "raw mail" not in run("train", corpus, "--no-mail", "-o", plain).stderr
    for words in (["predict", plain, corpus], ["evaluate", plain, corpus]):
        done = run(*words)
        assert done.returncode == 0 and "raw mail" not in done.stderr
    # The host in a header is a word to it.
    answer = run("explain", plain, "received from x by y", "--json").stdout
    assert json.loads(answer)["known_features"] > 0
    assert "parts" not in json.loads(answer)
    read = run("predict", plain, corpus, "--mail", "--json").stdout
    assert read != run("predict", plain, corpus, "--json").stdout


def test_evaluate_and_inspect_remember_that_it_is_mail(model, corpus, run):
    done = run("evaluate", model, corpus, "--label-from", "name:ham|spam", "--json")
    assert json.loads(done.stdout)["n"] == 20, done.stderr
    assert "raw mail" in run("inspect", model).stdout


def test_settings_are_remembered(corpus, tmp_path, run):
    model = tmp_path / "m.hardlimit"
    done = run("train", corpus, "--mail-set", "parts=subject-marks", "-o", model)
    assert done.returncode == 0, done.stderr
    answer = run("predict", model, given=f"From: a@b\n\n{SPAM}\n").stdout
    assert "known_features: 0" in answer
    assert run("predict", model, given=f"Subject: {SPAM}\n\n").stdout.startswith("spam\t")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--mail-set", "nope=1"], "no setting 'nope'"),
        (["--mail-set", "max-text=x"], "a whole number"),
        (["--mail-set", "keep-labels=x"], "yes or no"),
        (["--mail-set", "parts=nope"], "nope"),
        (["--no-mail", "--mail-set", "parts=body"], "does not go with --no-mail"),
        (["--label-from", "nope"], "--label-from"),
    ],
)
def test_wrong_options(corpus, tmp_path, run, words, said):
    done = run("train", corpus, *words, "-o", tmp_path / "m.hardlimit")
    assert done.returncode in (1, 2) and said in done.stderr


@pytest.mark.parametrize(
    ("words", "label", "code"),
    [(SPAM, "spam", 0), (SPAM, "ham", 1), (HAM, "spam", 1), (HAM, "ham", 0)],
)
def test_the_exit_status_tells_the_class(model, run, words, label, code):
    given = MAIL.format(n=1, words=words)
    done = run("predict", model, "--exit-status", label, given=given)
    assert done.returncode == code, done.stderr
    assert done.stdout.count("\n") == 1


def test_the_exit_status_of_an_error_and_of_several(model, corpus, tmp_path, run):
    done = run("predict", tmp_path / "no-model", "--exit-status", "spam", given="x")
    assert done.returncode == 2 and "no such file" in done.stderr
    done = run("predict", model, "--exit-status", "spma", given="x")
    assert done.returncode == 2 and "did you mean 'spam'" in done.stderr
    for label in ("ham", "spam"):
        assert run("predict", model, corpus, "--exit-status", label).returncode == 0
    one = corpus / "ham" / "1.eml"
    assert run("predict", model, one, one, "--exit-status", "spam").returncode in (1, 2)


def test_explain_says_which_parts_told(model, corpus, run):
    given = MAIL.format(n=1, words=SPAM + " http://win.example.com/")
    for words, piped in ((["-"], given), ([corpus / "spam" / "1.eml"], "")):
        done = run("explain", model, *words, given=piped)
        assert "subject__prize" in done.stdout and "Parts of the mail" in done.stdout, done.stderr
    found = json.loads(run("explain", model, "-", "--json", given=given).stdout)
    assert set(found["parts"]) == {"link", "subject", "text"}
    told = sum(found["parts"].values()) + found["intercept"]
    assert told == near(found["score"], 20, unit=SINGLE)
    assert "Parts" not in run("explain", model, SPAM).stdout


def test_a_report_of_mail(model, corpus, tmp_path, run):
    page = tmp_path / "page.html"
    done = run("report", model, corpus, "-o", page)
    assert done.returncode == 0 and "subject__" in page.read_text(), done.stderr


def test_a_maildir(tmp_path, run):
    for folder, words in (("cur", HAM), (".Spam/cur", SPAM)):
        for n in range(6):
            path = tmp_path / "Maildir" / folder / f"{n}:2,S"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(MAIL.format(n=n, words=words))
        (path.parent.parent / "new").mkdir()
    model = tmp_path / "m.hardlimit"
    done = run("train", tmp_path / "Maildir", "--label-from", "folder", "-o", model)
    assert done.returncode == 0, done.stderr
    assert "INBOX (6)" in done.stdout and "Spam (6)" in done.stdout
    answer = run("predict", model, given=MAIL.format(n=9, words=SPAM))
    assert answer.stdout.startswith("Spam\t")


def test_a_report_takes_labels_from_where_it_is_told(model, corpus, tmp_path, hardlimit):
    page = tmp_path / "report.html"
    words = ("--label-from", "name:(ham|spam)", "-o", page)
    done = hardlimit("report", model, corpus, *words)
    assert done.returncode == 0 and "no labels" not in done.stderr
    assert "Of 20 texts, 20 are correct" in page.read_text().replace("<strong>", "")


def test_the_next_commands_are_about_mail(corpus, tmp_path, hardlimit):
    done = hardlimit("train", corpus, "-o", tmp_path / "m")
    assert "< message.eml" in done.stdout and "a new text" not in done.stdout


def test_a_path_that_has_no_label(corpus, tmp_path, hardlimit):
    words = ("--label-from", "name:(ham|spam)", "-o", tmp_path / "m")
    done = hardlimit("train", corpus / "ham", corpus / "spam", *words)
    assert "is looked for in '0.eml', the path inside ham" in done.stderr


def test_a_mailbox_on_standard_input_is_measured(hardlimit, tmp_path):
    box = "".join(
        f"From a@b Thu Aug 22 12:36:2{i} 2002\nX-Kind: {kind}\nSubject: {kind} {i}\n\nnow\n\n"
        for i, kind in enumerate(["spam", "ham"] * 3)
    )
    (tmp_path / "all.mbox").write_text(box)
    from_header = ("--label-from", "header:X-Kind")
    trained = hardlimit("train", tmp_path / "all.mbox", *from_header, "-o", tmp_path / "m")
    assert trained.returncode == 0, trained.stderr
    done = hardlimit("evaluate", tmp_path / "m", "-", *from_header, given=box)
    assert done.returncode == 0, done.stderr
    assert "6, of which 6 correct" in done.stdout
