"""Raw mail from training to the answer of a pipe."""

import json

import pytest

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


@pytest.fixture(scope="module")
def model(corpus, hardlimit):
    path = corpus.parent / "spam.hardlimit"
    done = hardlimit("train", corpus, "-o", path)
    assert done.returncode == 0, done.stderr
    assert "raw mail" in done.stderr
    return path


def test_one_message_on_standard_input(model, hardlimit):
    done = hardlimit("predict", model, given=MAIL.format(n=1, words="a prize to win"))
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("spam\t") and done.stdout.count("\n") == 1


def test_files_and_folders(model, corpus, hardlimit):
    done = hardlimit("predict", model, corpus / "ham" / "1.eml")
    assert done.stdout.startswith("ham\t"), done.stderr
    (corpus.parent / "bare").write_text(MAIL.format(n=1, words=SPAM))
    assert hardlimit("predict", model, corpus.parent / "bare").stdout.startswith("spam\t")
    assert hardlimit("predict", model, corpus).stdout.count("\n") == 20


def test_evaluate_and_inspect_remember_that_it_is_mail(model, corpus, hardlimit):
    done = hardlimit("evaluate", model, corpus, "--label-from", "name:ham|spam", "--json")
    assert json.loads(done.stdout)["n"] == 20, done.stderr
    assert "raw mail" in hardlimit("inspect", model).stdout


def test_settings_are_remembered(corpus, tmp_path, hardlimit):
    model = tmp_path / "m.hardlimit"
    done = hardlimit("train", corpus, "--mail-set", "parts=subject-marks", "-o", model)
    assert done.returncode == 0, done.stderr
    answer = hardlimit("predict", model, given=f"From: a@b\n\n{SPAM}\n").stdout
    assert "known_features: 0" in answer
    assert hardlimit("predict", model, given=f"Subject: {SPAM}\n\n").stdout.startswith("spam\t")


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
def test_wrong_options(corpus, tmp_path, hardlimit, words, said):
    done = hardlimit("train", corpus, *words, "-o", tmp_path / "m.hardlimit")
    assert done.returncode in (1, 2) and said in done.stderr


@pytest.mark.parametrize(
    ("words", "label", "code"),
    [(SPAM, "spam", 0), (SPAM, "ham", 1), (HAM, "spam", 1), (HAM, "ham", 0)],
)
def test_the_exit_status_tells_the_class(model, hardlimit, words, label, code):
    given = MAIL.format(n=1, words=words)
    done = hardlimit("predict", model, "--exit-status", label, given=given)
    assert done.returncode == code, done.stderr
    assert done.stdout.count("\n") == 1


def test_the_exit_status_of_an_error_and_of_several(model, corpus, tmp_path, hardlimit):
    done = hardlimit("predict", tmp_path / "no-model", "--exit-status", "spam", given="x")
    assert done.returncode == 2 and "no such file" in done.stderr
    done = hardlimit("predict", model, "--exit-status", "spma", given="x")
    assert done.returncode == 2 and "did you mean 'spam'" in done.stderr
    for label in ("ham", "spam"):
        assert hardlimit("predict", model, corpus, "--exit-status", label).returncode == 0
    one = corpus / "ham" / "1.eml"
    assert hardlimit("predict", model, one, one, "--exit-status", "spam").returncode in (1, 2)


def test_explain_says_which_parts_told(model, corpus, hardlimit):
    given = MAIL.format(n=1, words=SPAM + " http://win.example.com/")
    for words, piped in ((["-"], given), ([corpus / "spam" / "1.eml"], "")):
        done = hardlimit("explain", model, *words, given=piped)
        assert "subject__prize" in done.stdout and "Parts of the mail" in done.stdout, done.stderr
    found = json.loads(hardlimit("explain", model, "-", "--json", given=given).stdout)
    assert set(found["parts"]) == {"link", "subject", "text"}
    told = sum(found["parts"].values()) + found["intercept"]
    assert told == pytest.approx(found["score"])
    assert "Parts" not in hardlimit("explain", model, SPAM).stdout


def test_a_report_of_mail(model, corpus, tmp_path, hardlimit):
    page = tmp_path / "page.html"
    done = hardlimit("report", model, corpus, "-o", page)
    assert done.returncode == 0 and "subject__" in page.read_text(), done.stderr


def test_a_maildir(tmp_path, hardlimit):
    for folder, words in (("cur", HAM), (".Spam/cur", SPAM)):
        for n in range(6):
            path = tmp_path / "Maildir" / folder / f"{n}:2,S"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(MAIL.format(n=n, words=words))
        (path.parent.parent / "new").mkdir()
    model = tmp_path / "m.hardlimit"
    done = hardlimit("train", tmp_path / "Maildir", "--label-from", "folder", "-o", model)
    assert done.returncode == 0, done.stderr
    assert "INBOX (6)" in done.stdout and "Spam (6)" in done.stdout
    answer = hardlimit("predict", model, given=MAIL.format(n=9, words=SPAM))
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
