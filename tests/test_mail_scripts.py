"""The scripts and filters of deploy/mail, run as mail servers run them, on mails that mean harm."""

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hardlimit as hl

FOLDER = Path(__file__).parent.parent / "deploy" / "mail"
SHELLS = [one for one in ("sh", "dash", "bash") if shutil.which(one)]


def mail(subject, body, sender="a@shop.example"):
    return f"From: {sender}\nSubject: {subject}\n\n{body}\n".encode()


SPAM = [mail(f"a prize {n}", f"win your cash now, claim {n}") for n in range(6)]
HAM = [mail(f"lunch {n}", f"see you at noon, the report {n}") for n in range(6)]
LINE = b"From a@shop.example Thu Aug 22 12:36:23 2002\n"
HOSTILE = {
    "substitution": mail("$(touch pwned) `touch pwned`", "win $(touch pwned) && touch pwned; cash"),
    "options": mail("--label=ham -rf", "-- --by root win cash now"),
    "quotes": mail("\"'\"; touch pwned; '", "claim 'your' \"prize\" \\ now"),
    "zero": b"Subject: zero\0byte\n\nclaim\0your cash\n",
    "eight bits": b"Subject: \xff\xfe prize\n\n\x80\x81 cash \xe9\n",
    "two mails in one": LINE + mail("prize", "claim\n\n" + LINE.decode() + "Subject: noon\n\nnoon"),
    "no newline": b"Subject: cash",
    "long": mail("prize", "cash " * 200_000),
}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    for label, mails in (("spam", SPAM), ("ham", HAM)):
        (folder / f"{label}.mbox").write_bytes(b"\n".join(LINE + one for one in mails))
    words = ["train", "spam.mbox", "ham.mbox", "-o", "spam.hardlimit", "-q"]
    program = "import sys; from hardlimit.cli import main; sys.exit(main(sys.argv[1:]))"
    subprocess.run([sys.executable, "-c", program, *words], cwd=folder, check=True)
    return (folder / "spam.hardlimit").read_bytes()


@pytest.fixture
def home(model, tmp_path):
    """A home as a user has it: the program in ~/.local/bin, the model in ~/.hardlimit."""
    program = tmp_path / ".local" / "bin" / "hardlimit"
    program.parent.mkdir(parents=True)
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfrom hardlimit.cli import main\nsys.exit(main())\n"
    )
    program.chmod(0o755)
    (tmp_path / ".hardlimit").mkdir()
    (tmp_path / ".hardlimit" / "spam.hardlimit").write_bytes(model)
    for folder in ("Maildir", "Maildir/.Junk"):
        for part in ("cur", "new", "tmp"):
            (tmp_path / folder / part).mkdir(parents=True)
    return tmp_path


def run(home, name, *words, given=b"", shell="sh", **environment):
    # As Dovecot does it: a home, and little else.
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", **environment}
    return subprocess.run(
        [shell, str(FOLDER / name), *words],
        input=given, env=env, cwd=home, capture_output=True, timeout=120, check=False,
    )  # fmt: skip


def entries(home, ledger=".hardlimit/spam.ledger"):
    with hl.open_live(home / ".hardlimit/spam.hardlimit", home / ledger, read_only=True) as live:
        live.verify()
        return list(live.log())


@pytest.mark.parametrize("shell", SHELLS)
def test_the_scripts_are_those_of_any_shell(shell):
    for name in ("hardlimit-learn", "hardlimit-settled"):
        assert os.access(FOLDER / name, os.X_OK)
        subprocess.run([shell, "-n", str(FOLDER / name)], check=True)


def test_a_moved_mail_is_a_correction_that_only_its_owner_can_read(home):
    done = run(home, "hardlimit-learn", "ham", given=LINE + SPAM[0])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    [entry] = entries(home)
    assert (entry.kind, entry.label, entry.text) == ("correct", "ham", None)
    mode = stat.S_IMODE((home / ".hardlimit/spam.ledger").stat().st_mode)
    assert mode == 0o600


def test_hostile_mails_are_learnt_and_run_nothing(home):
    for name, message in HOSTILE.items():
        done = run(home, "hardlimit-learn", "ham", "eve@shop.example", given=message)
        assert done.returncode == 0, (name, done.stderr)
    assert not list(home.rglob("pwned"))
    assert [one.author for one in entries(home)] == ["eve@shop.example"] * len(HOSTILE)


def test_wrong_calls_are_told_from_what_may_succeed_later(home):
    for words in ((), ("other",), ("spam", ""), ("spam", "-x"), ("spam", "a;touch pwned"),
                  ("spam", "../eve"), ("spam", "a", "b"), ("spam", "$(touch pwned)")):  # fmt: skip
        assert run(home, "hardlimit-learn", *words, given=SPAM[0]).returncode == 64
    assert not list(home.rglob("pwned")) and not (home / ".hardlimit/spam.ledger").exists()
    # EX_TEMPFAIL: the mail server keeps the mail.
    gone = run(home, "hardlimit-learn", "spam", given=SPAM[0], HARDLIMIT_MODEL="/nowhere/model")
    assert gone.returncode == 75 and b"/nowhere/model" in gone.stderr
    (home / ".local/bin/hardlimit").unlink()
    assert run(home, "hardlimit-learn", "spam", given=SPAM[0]).returncode == 75


@pytest.mark.slow
def test_users_share_a_model_and_have_ledgers_of_their_own(home):
    shared = home / ".hardlimit/spam.hardlimit"
    shared.chmod(0o444)
    for user, label in (("alice", "ham"), ("bob", "spam")):
        ledger = str(home / user / "spam.ledger")
        done = run(home, "hardlimit-learn", label, user, given=SPAM[1], HARDLIMIT_LEDGER=ledger)
        assert done.returncode == 0, done.stderr
    assert [one.label for one in entries(home, "alice/spam.ledger")] == ["ham"]
    assert [one.label for one in entries(home, "bob/spam.ledger")] == ["spam"]
    assert stat.S_IMODE((home / "alice").stat().st_mode) == 0o700


@pytest.mark.slow
def test_many_moves_at_once_are_all_kept(home):
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    script = str(FOLDER / "hardlimit-learn")
    running = []
    for number in range(4):
        process = subprocess.Popen(["sh", script, "ham"], stdin=subprocess.PIPE, env=env)
        process.stdin.write(SPAM[number])
        process.stdin.close()
        running.append(process)
    assert [process.wait(120) for process in running] == [0] * 4
    assert len(entries(home)) == 4


def test_what_lies_in_its_folder_for_a_week_is_confirmed(home):
    week = time.time() - 7.5 * 86400
    names = {
        "Maildir/cur/1.host:2,S": HAM[0], "Maildir/cur/$(touch pwned).2.host:2,S": HAM[1],
        "Maildir/cur/3.host:2,": HAM[2], "Maildir/cur/4.host:2,S": SPAM[3],
        "Maildir/.Junk/cur/5.host:2,": SPAM[1],
    }  # fmt: skip
    for name, message in names.items():
        (home / name).write_bytes(message)
        os.utime(home / name, (week, week))
    (home / "Maildir/cur/new.host:2,S").write_bytes(HAM[4])
    assert run(home, "hardlimit-settled", "ham", "Maildir").returncode == 0
    assert run(home, "hardlimit-settled", "spam", "Maildir/.Junk").returncode == 0
    # Not the unread one, the new one, and the one whose answer is another.
    found = entries(home)
    assert [one.kind for one in found] == ["confirm"] * 3
    assert sorted(str(one.label) for one in found) == ["ham", "ham", "spam"]
    assert not list(home.rglob("pwned"))
    limited = run(home, "hardlimit-settled", "ham", "Maildir", HARDLIMIT_MOST="1")
    assert limited.returncode == 0 and len(entries(home)) == 4
    for words in ((), ("ham",), ("ham", "nowhere"), ("other", "Maildir")):
        assert run(home, "hardlimit-settled", *words).returncode == 64


def filtered(home, program, message):
    """Deliver one mail by a filter's own program; return where it lies."""
    before = set(home.glob("Maildir/**/new/*"))
    at = str(home / "Maildir") + "/"
    if program == "procmail":
        shutil.copy(FOLDER / "procmailrc", home / ".procmailrc")
        (home / ".procmailrc").chmod(0o600)
        words = ["procmail", f"HOME={home}", f"MAILDIR={at}", f"DEFAULT={at}", f"ORGMAIL={at}",
                 f"LOGFILE={home}/log", str(home / ".procmailrc")]  # fmt: skip
    else:
        # maildrop takes the home of its user from the system.
        text = (FOLDER / "mailfilter").read_text()
        (home / ".mailfilter").write_text(f'HOME="{home}"\n{text}')
        (home / ".mailfilter").chmod(0o600)
        words = ["maildrop", str(home / ".mailfilter")]
    env = {**os.environ, "HOME": str(home)}
    subprocess.run(words, input=message, env=env, cwd=home, check=True, timeout=60)
    [found] = set(home.glob("Maildir/**/new/*")) - before
    return "Junk" if ".Junk" in found.parts else "inbox"


@pytest.mark.slow
@pytest.mark.parametrize("program", ["procmail", "maildrop"])
def test_mails_are_delivered_by_the_model_and_its_corrections(home, program):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    assert filtered(home, program, SPAM[0]) == "Junk"
    assert filtered(home, program, HAM[0]) == "inbox"
    assert filtered(home, program, mail("hello", "win your cash now, claim")) == "Junk"
    assert filtered(home, program, HOSTILE["substitution"]) == "Junk"
    assert not list(home.rglob("pwned"))
    # A correction holds for the very next mail.
    assert run(home, "hardlimit-learn", "ham", given=SPAM[0]).returncode == 0
    assert filtered(home, program, SPAM[0]) == "inbox"
    # Where the model cannot answer, the mail is delivered as without it.
    (home / ".hardlimit/spam.hardlimit").write_bytes(b"damaged")
    assert filtered(home, program, SPAM[2]) == "inbox"


@pytest.mark.slow
def test_the_crontab_writes_a_model_with_all_corrections(home):
    assert run(home, "hardlimit-learn", "ham", given=SPAM[0]).returncode == 0
    lines = (FOLDER / "crontab").read_text().splitlines()
    jobs = [line.split(None, 5)[5] for line in lines if line[:1].isdigit()]
    assert jobs[1].startswith("hardlimit -q bake ")
    folders = f"{home}/.local/bin:{FOLDER}:/usr/bin:/bin"
    for job in jobs:
        env = {"HOME": str(home), "PATH": folders}
        subprocess.run(["sh", "-c", job], env=env, cwd=home, check=True, timeout=120)
    baked = hl.load(home / ".hardlimit/spam-baked.hardlimit")
    reader = hl.mail.MailReader()
    assert baked.predict([reader.read(SPAM[0])]).tolist() == ["ham"]
    assert json.dumps([one.kind for one in entries(home)]) == '["correct", "bake"]'


def test_the_units_and_the_page_name_files_that_are_there():
    page = (FOLDER.parent.parent / "docs/guides/mail-user.md").read_text()
    for file in FOLDER.iterdir():
        assert f"`{file.name}`" in page, file.name
    service = (FOLDER / "hardlimit-bake.service").read_text()
    assert service.count("ExecStart=") == 3
