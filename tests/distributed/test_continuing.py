"""An earlier model goes on with new rows in shards."""

from pathlib import Path

import numpy as np
import pytest

from hardlimit import LinearClassifier, TextClassifier, load
from hardlimit.distributed import train
from hardlimit.exceptions import InputError

from .conftest import messages

CHOICES = {"words": (1, 1), "chars": None, "max_iter": 2, "random_state": 1}


def fitted(**more) -> TextClassifier:
    texts, labels = zip(*messages(60), strict=True)
    return TextClassifier(**(CHOICES | more)).fit(texts, labels)


def new_rows(folder: Path, rows=None) -> tuple[str, list[str], list[str]]:
    rows = [("a trophy to win", "spam"), ("dinner at noon", "ham")] * 20 if rows is None else rows
    path = folder / "new.csv"
    path.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in rows))
    return str(path), [text for text, _ in rows], [label for _, label in rows]


def as_bytes(classifier, folder: Path) -> bytes:
    classifier.save(folder / "model")
    return (folder / "model").read_bytes()


@pytest.mark.parametrize("more", [{}, {"idf": "smooth"}, {"hash_bits": 8, "idf": None}])
def test_one_shard_is_partial_fit_of_all_rows(tmp_path, more):
    path, texts, labels = new_rows(tmp_path)
    memory = fitted(**more).partial_fit(texts, labels)
    shard = train(path, train_from=fitted(**more), cluster="threads:2")
    assert as_bytes(shard, tmp_path) == as_bytes(memory, tmp_path)
    memory.partial_fit(texts, labels)
    shard = train(path, train_from=fitted(**more), epochs=2, cluster="threads:2")
    assert np.array_equal(memory.coef_, shard.coef_)


def test_a_model_file_goes_on_in_several_shards_whoever_learns_them(tmp_path):
    path, texts, labels = new_rows(tmp_path)
    found = []
    for cluster in ("threads:1", "threads:3"):
        fitted().save(tmp_path / "before")
        earlier = str(tmp_path / "before")
        made = train(path, train_from=earlier, shards=3, epochs=3, cluster=cluster)
        assert made.n_corrections_ > load(earlier).n_corrections_
        assert "trophy" in made.vectorizer_.get_feature_names_out()
        assert made.with_readout("last").score(texts, labels) == 1
        found.append(as_bytes(made, tmp_path))
    assert found[0] == found[1]
    again = load(tmp_path / "model")
    assert again.predict(["win"])[0] == again.partial_fit(["lunch"], ["ham"]).predict(["win"])[0]


def test_a_new_class_comes_with_the_new_rows(tmp_path):
    rows = [("a trophy to win", "spam"), ("an invoice to pay", "bill"), ("dinner", "ham")] * 9
    path, texts, labels = new_rows(tmp_path, rows)
    made = train(path, train_from=fitted(), shards=2, epochs=4, cluster="threads:2")
    assert made.classes_.tolist() == ["ham", "list", "spam", "bill"]
    assert made.with_readout("last").score(texts, labels) == 1


def test_balanced_classes_count_the_earlier_rows_too(tmp_path):
    path, _, labels = new_rows(tmp_path)
    made = fitted(class_weight="balanced")
    before = dict(made.fitted.state.class_counts.counts)
    train(path, train_from=made, shards=2, cluster="threads:1")
    wanted = {label: n + labels.count(label) for label, n in before.items()}
    assert made.fitted.state.class_counts.counts == wanted


def test_rows_of_numbers_keep_the_scale_and_the_map_of_the_model(tmp_path):
    draw = np.random.default_rng(1)
    X = draw.normal(size=(60, 3)).round(3)
    y = (X.sum(axis=1) > 0).astype(int)
    choices = {"scale": "standard", "map": "polynomial", "max_iter": 2, "random_state": 1}
    memory = LinearClassifier(**choices).fit(X, y).partial_fit(X, y)
    path = tmp_path / "numbers.csv"
    lines = (",".join(map(str, [*row, label])) for row, label in zip(X, y, strict=True))
    path.write_text("a,b,c,label\n" + "".join(f"{line}\n" for line in lines))
    shard = train(path, train_from=LinearClassifier(**choices).fit(X, y), cluster="threads:1")
    assert as_bytes(shard, tmp_path) == as_bytes(memory, tmp_path)
    narrow = LinearClassifier(max_iter=1).fit(X[:, :2], y)
    with pytest.raises(InputError, match="2"):
        train(path, train_from=narrow, cluster="threads:1")


def test_labels_that_no_earlier_row_had_are_refused_of_sets(tmp_path):
    sets = TextClassifier(**CHOICES).fit(["a", "b", "c"], [["x"], ["y"], ["x", "y"]])
    path, _, _ = new_rows(tmp_path, [("a", "x"), ("b", "z")] * 5)
    with pytest.raises(InputError, match="z"):
        train(path, train_from=sets, cluster="threads:1")


@pytest.mark.parametrize("choices", [{}, {"map": "polynomial"}, {"scale": "standard"}], ids=str)
def test_rows_that_lack_a_column_are_refused_before_anything_moves(tmp_path, choices):
    earlier = LinearClassifier(max_iter=2, **choices).fit(np.eye(3), [0, 1, 1])
    before = as_bytes(earlier, tmp_path)
    path = tmp_path / "narrow.csv"
    path.write_text("a,b,label\n" + "1,0,1\n0,1,0\n" * 9)
    with pytest.raises(InputError, match="got 2 columns, wanted 3, as the model was fitted with"):
        train(path, train_from=earlier, cluster="threads:1")
    assert as_bytes(earlier, tmp_path) == before


@pytest.mark.parametrize("name", ["classifier", "initial_weights", "callback", "checkpoint"])
def test_what_only_a_new_training_takes_is_refused(tmp_path, name):
    path, _, _ = new_rows(tmp_path)
    with pytest.raises(InputError, match=name):
        train(path, train_from=fitted(), cluster="threads:1", **{name: fitted()})
    with pytest.raises(InputError, match="max_iter: got 0"):
        train(path, train_from=fitted(), cluster="threads:1", epochs=0)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"rule": "arow"}, "covariance"),
        ({"readout": "voted", "keep": "all"}, "until the weights are mixed"),
        ({"guard": None}, ""),
    ],
)
def test_what_cannot_be_mixed_is_refused(tmp_path, choices, message):
    path, _, _ = new_rows(tmp_path)
    earlier = fitted(**choices)
    if not message:
        with pytest.raises(InputError, match="the earlier model has decided that"):
            train(path, train_from=earlier, C=0.5)
        return
    before = as_bytes(earlier, tmp_path)
    with pytest.raises(InputError, match=message):
        train(path, train_from=earlier, cluster="threads:1")
    assert as_bytes(earlier, tmp_path) == before
