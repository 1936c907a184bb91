"""The loaders: order, split, folding, and each set's size where the sets are on this machine."""

import hashlib
import io
import tarfile

import pytest

from benchmarks import corpora

SIZES = {
    "sms_spam": (5574, 2),
    "banking77": (13083, 77),
    "enron_spam": (33715, 2),
    "20newsgroups": (18846, 20),
    "imdb": (50000, 2),
    "spamassassin": (6046, 2),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HARDLIMIT_DATA", str(tmp_path))
    monkeypatch.setattr(corpora, "CACHE", tmp_path / "cache")
    return tmp_path


def write_archive(path, members):
    path.parent.mkdir()
    with tarfile.open(path, "w:xz") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))


def test_every_fifth_text_is_held_out_beginning_with_the_first():
    whole = corpora.Corpus("numbers", [str(i) for i in range(12)], ["a"] * 12)
    train, test = whole.split()
    assert test.texts == ["0", "5", "10"]
    assert train.texts == ["1", "2", "3", "4", "6", "7", "8", "9", "11"]
    assert len(train.labels) == 9


def test_an_archive_is_ordered_by_the_digest_of_the_path_and_leaves_the_summaries_out(folder):
    names = [f"enron{i % 6 + 1}/{'ham' if i % 2 else 'spam'}/{i}.txt" for i in range(9)]
    content = {name: f"text\n of\t{name}  ".encode() for name in names}
    write_archive(
        folder / "enron_spam" / "enron_spam_raw.tar.xz", {**content, "enron1/Summary.txt": b"no"}
    )
    loaded = corpora.load("enron_spam")
    expected = sorted(names, key=lambda name: hashlib.sha1(name.encode()).digest())
    assert loaded.texts == [f"text of {name}" for name in expected]
    assert loaded.labels == [name.split("/")[1] for name in expected]


def test_bad_bytes_are_replaced_and_the_parts_are_pooled(folder):
    write_archive(
        folder / "imdb" / "aclImdb_labelled.tar.xz",
        {"aclImdb/train/pos/0_9.txt": b"caf\xe9", "aclImdb/test/neg/1_1.txt": b"bad\x85"},
    )
    loaded = corpora.load("imdb")
    assert dict(zip(loaded.labels, loaded.texts, strict=True)) == {
        "pos": "caf\ufffd",
        "neg": "bad\ufffd",
    }


def test_a_table_keeps_its_order_and_its_duplicates(folder):
    path = folder / "sms_spam" / "SMSSpamCollection"
    path.parent.mkdir()
    path.write_text('spam\twin "a" prize\nham\tyes\nham\tyes\n', encoding="utf-8")
    loaded = corpora.load("sms_spam")
    assert loaded.texts == ['win "a" prize', "yes", "yes"]
    assert loaded.labels == ["spam", "ham", "ham"]


def test_the_cache_answers_as_the_first_reading_did(folder):
    path = folder / "sms_spam" / "SMSSpamCollection"
    path.parent.mkdir()
    path.write_text("ham\tyes\u2028no\n", encoding="utf-8")
    first = corpora.load("sms_spam")
    path.unlink()
    assert corpora.load("sms_spam") == first


def test_a_set_that_is_not_there_is_named(folder):
    with pytest.raises(corpora.Missing, match="aclImdb_labelled"):
        corpora.load("imdb")
    assert not (folder / "cache").exists()


@pytest.mark.parametrize("name", ["sms_spam", "banking77"])
def test_a_real_table_has_its_rows(name, tmp_path, monkeypatch):
    check_real(name, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(SIZES) - {"sms_spam", "banking77"}))
def test_a_real_archive_has_its_documents(name, tmp_path, monkeypatch):
    check_real(name, tmp_path, monkeypatch)


def check_real(name, tmp_path, monkeypatch):
    if not corpora.data_folder().exists():
        pytest.skip(f"no data sets in {corpora.data_folder()} (HARDLIMIT_DATA)")
    monkeypatch.setattr(corpora, "CACHE", tmp_path)
    loaded = corpora.load(name)
    assert (len(loaded.texts), len(set(loaded.labels))) == SIZES[name]
