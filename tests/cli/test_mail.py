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
