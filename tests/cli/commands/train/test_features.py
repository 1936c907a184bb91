"""What is counted in texts: ``train --features``."""

from __future__ import annotations

import pytest

import hardlimit as hl
from hardlimit.cli.features import parse_features


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ("blocks=0.8:0.6", {"block_weights": (0.8, 0.6)}),
        ("blocks=none", {"block_weights": None}),
        ("min-df=2,max-df=0.5", {"min_df": 2, "max_df": 0.5}),
        ("max-df=1", {"max_df": 1}),
        ("max-df=1.0", {"max_df": 1.0}),
        ("max-features=9,accents=unicode", {"max_features": 9, "strip_accents": "unicode"}),
        ("analyzer=char,stop-words=english", {"analyzer": "char", "stop_words": "english"}),
    ],
)
def test_features_are_parameters(typed, options):
    found = parse_features(typed)
    assert found == options
    assert [type(value) for value in found.values()] == [type(value) for value in options.values()]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("blocks=0.8", "blocks= wants two numbers|block_weights|blocks="),
        ("blocks=a:b", "wants weights such as 0.8:0.6"),
        ("blocks=0:1", "blocks="),
        ("min-df=none", "min-df= wants a number"),
        ("min-df=2,hash=10", "min-df=2: hashing keeps no terms"),
        ("max-df=7.5", "max-df="),
        ("accents=latin", "accents="),
        ("analyzer=word", "analyzer="),
        ("stop-words=nowhere.txt", "nowhere.txt"),
    ],
)
def test_what_is_refused(hardlimit, training_file, tmp_path, typed, sentence):
    done = hardlimit("train", training_file, "-o", tmp_path / "m", "--features", typed)
    assert done.returncode and any(one in done.stderr for one in sentence.split("|")), done.stderr
    assert not (tmp_path / "m").exists()


def test_a_model_is_trained_predicts_and_is_described(hardlimit, training_file, tmp_path):
    (tmp_path / "stop.txt").write_text("the\nat\n\n")
    features = f"words=1-2,chars=2-4,blocks=0.7:0.7,min-df=2,stop-words={tmp_path / 'stop.txt'}"
    path = tmp_path / "m.hardlimit"
    assert not hardlimit("train", training_file, "-o", path, "--features", features).returncode
    model = hl.load(path)
    assert model.block_weights == (0.7, 0.7) and model.min_df == 2
    assert set(model.stop_words) == {"the", "at"}
    told = hardlimit("inspect", path).stdout
    for one in ("weighed 0.7 and 0.7", "without 2 stop words", "min_df 2"):
        assert one in " ".join(told.split()), told
    text = "a text at the door"
    label = hardlimit("predict", path, "-", given=text + "\n").stdout
    assert str(model.predict([text])[0]) in label


def test_a_vocabulary_from_a_file(hardlimit, training_file, tmp_path):
    words = hl.TextVectorizer().fit([training_file.read_text()]).get_feature_names_out()[:5]
    (tmp_path / "terms.txt").write_text("\n".join(words) + "\n")
    features = f"chars=none,vocabulary={tmp_path / 'terms.txt'}"
    path = tmp_path / "m.hardlimit"
    done = hardlimit("train", training_file, "-o", path, "--features", features)
    assert not done.returncode, done.stderr
    assert list(hl.load(path).vectorizer_.get_feature_names_out()) == list(words)
