"""A classifier of mixed tables: answers, explains, is saved, and learns on."""

import copy
import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from tests.tables.table_data import FEATURES, LABELS, make_rows

import hardlimit as hl
from hardlimit.exceptions import InputError, KindError
from hardlimit.tables import column_values
from hardlimit.tables.settings import SETTINGS

from ..rounding import SINGLE, near


def fitted(**settings):
    return hl.TableClassifier(**settings).fit(FEATURES, LABELS)


def structured(rows):
    kinds = [("age", float), ("city", "U9"), ("plan", "U1"), ("notes", "U99")]
    return np.array([tuple(row.values()) for row in rows], dtype=kinds)


FORMS = {
    "dicts": lambda rows: rows,
    "dict of columns": lambda rows: {name: [row[name] for row in rows] for name in rows[0]},
    "pandas": pd.DataFrame,
    "pandas, categorical": lambda rows: pd.DataFrame(rows).astype({"city": "category"}),
    "structured": structured,
    "other order": lambda rows: pd.DataFrame(rows)[["notes", "plan", "age", "city"]],
    "one more": lambda rows: pd.DataFrame(rows).assign(more=1),
    "tuples": lambda rows: [tuple(row.values()) for row in rows],
    "objects": lambda rows: np.array([list(row.values()) for row in rows], dtype=object),
}


def test_it_tells_the_kinds_and_learns_from_each():
    clf = fitted()
    assert clf.kinds_ == {"age": "number", "city": "category", "plan": "category", "notes": "text"}
    assert clf.score(FEATURES, LABELS) > 0.9
    for column in ("age", "city", "notes"):
        assert fitted(drop_columns=[column]).score(FEATURES, LABELS) < clf.score(FEATURES, LABELS)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_every_form_of_a_table_is_the_same_table(form):
    clf = fitted()
    assert (clf.decision_function(form(FEATURES)) == clf.decision_function(FEATURES)).all()
    if form in (FORMS["tuples"], FORMS["objects"]):  # without names there is nothing to choose by
        return
    again = hl.TableClassifier(**clf.vectorizer_.chosen_features).fit(form(FEATURES), LABELS)
    scores = again.decision_function(FEATURES)
    assert scores == near(clf.decision_function(FEATURES), 20, unit=SINGLE)


@pytest.mark.parametrize("slim", [False, True])
@pytest.mark.parametrize("settings", [{}, {"hash_categories": 6}, {"missing": "mean"}])
def test_a_file_answers_alike(slim, settings, tmp_path):
    clf = fitted(**settings)
    clf.save(tmp_path / "m", training_state=not slim)
    loaded = hl.load(tmp_path / "m")
    assert type(loaded) is hl.TableClassifier and loaded.kinds_ == clf.kinds_
    assert (loaded.decision_function(FEATURES) == clf.decision_function(FEATURES)).all()
    assert str(loaded.explain(FEATURES[0])) == str(clf.explain(FEATURES[0]))
    loaded.save(tmp_path / "again", training_state=not slim)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "again").read_bytes()
    fitted(**settings).save(tmp_path / "other", training_state=not slim)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "other").read_bytes()


@pytest.mark.parametrize(
    "other", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))]
)
def test_copies_answer_alike(other):
    clf = fitted()
    assert (other(clf).decision_function(FEATURES) == clf.decision_function(FEATURES)).all()


def test_an_explanation_names_values_and_deviations():
    found = fitted().explain({**FEATURES[0], "age": 60.5, "city": "Rome"})
    terms = [one.term for one in found.terms]
    assert "city = Rome" in terms and any(t.startswith("age = 60.5 (+2.") for t in terms)
    assert {one.block for one in found.blocks} >= {"age", "city", "notes: words"}
    added = found.intercept + sum(one.contribution for one in found.blocks)
    assert added == near(found.score, 100)


def test_a_stream_goes_on_in_memory_and_in_a_file(tmp_path):
    clf = fitted()
    clf.save(tmp_path / "m")
    loaded, new = hl.load(tmp_path / "m"), {**FEATURES[0], "city": "Oslo", "notes": "unseen word"}
    for one in (clf, loaded):
        one.partial_fit([new] * 3, ["perhaps"] * 3)
    assert (loaded.decision_function(FEATURES) == clf.decision_function(FEATURES)).all()
    assert "city = Oslo" in clf.vectorizer_.get_feature_names_out()
    begun = hl.TableClassifier().partial_fit(FEATURES, LABELS)
    assert begun.decision_function(FEATURES).shape == (len(FEATURES),)


def test_a_refused_batch_leaves_nothing_behind():
    clf = fitted()
    before = clf.vectorizer_.get_feature_names_out().tolist()
    bad = [{**FEATURES[0], "city": "Oslo"}, {**FEATURES[1], "notes": None}]
    with pytest.raises(InputError, match="column 'notes'"):
        clf.partial_fit(bad, LABELS[:2])
    assert clf.vectorizer_.get_feature_names_out().tolist() == before


def test_probabilities_several_classes_and_votes(tmp_path):
    assert fitted(probability=True).predict_proba(FEATURES).sum(1) == near(np.ones(120), 10)
    labels = [f"{label}{number % 3}" for number, label in enumerate(LABELS)]
    many = hl.TableClassifier(max_iter=30).fit(FEATURES, labels)
    assert many.decision_function(FEATURES).shape == (120, 6)
    votes = fitted(rule="perceptron", readout="voted", keep=("last", "voted"), max_iter=2)
    votes.save(tmp_path / "m")
    loaded = hl.load(tmp_path / "m")
    assert np.array_equal(loaded.decision_function(FEATURES), votes.decision_function(FEATURES))


def test_unknown_categories_are_nothing_and_are_counted():
    clf = fitted()
    row = {**FEATURES[0], "city": "Oslo"}
    clf.predict([row, row, FEATURES[1]])
    assert {name: dict(n) for name, n in clf.vectorizer_.unknown_.items()} == {"city": {"Oslo": 2}}
    assert not any("Oslo" in one.term for one in clf.explain(row).terms)


def test_missing_values():
    table = pd.DataFrame(FEATURES)
    table.loc[3, "age"] = np.nan
    table.loc[4, "city"] = None
    table.loc[5, "notes"] = None
    with pytest.raises(InputError, match="row 3: column 'age'.*missing='mean'"):
        hl.TableClassifier().fit(table, LABELS)
    clf = hl.TableClassifier(missing="mean").fit(table, LABELS)
    names = clf.vectorizer_.get_feature_names_out().tolist()
    assert "age missing" in names and "city missing" in names
    assert clf.explain(table.iloc[3].to_dict()).known_features
    # Without a missing value in training there is no column that says so.
    whole = fitted(missing="mean")
    assert "age missing" not in whole.vectorizer_.get_feature_names_out()
    mean = {**FEATURES[0], "age": np.mean([row["age"] for row in FEATURES])}
    scores = whole.decision_function([{**FEATURES[0], "age": None}, mean])
    assert scores[0] == near(scores[1], 1000)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"number_columns": ["age", "age"]}, "'age' is named twice"),
        ({"number_columns": ["age"], "category_columns": ["age"]}, "'age' is named twice"),
        ({"number_columns": "age"}, "number_columns"),
        ({"number_columns": ["aeg"]}, "no column 'aeg'.*did you mean 'age'"),
        ({"number_columns": ["city"]}, "row 0: column 'city'.*category_columns=\\['city'\\]"),
        ({"missing": "median"}, "missing"),
        ({"missing_values": "?"}, "missing_values"),
        ({"hash_categories": 0}, "hash_categories"),
        ({"column_weights": (1, 1)}, "column_weights"),
        ({"column_weights": (1, 1, -1)}, "column_weights"),
        ({"drop_columns": ["age", "city", "plan", "notes"]}, "no column is left"),
    ],
)
def test_settings_that_are_none(settings, message):
    with pytest.raises(InputError, match=message):
        fitted(**settings)


def test_tables_that_are_none():
    clf = fitted()
    with pytest.raises(InputError, match="no column 'city'"):
        clf.predict([{"age": 1, "plan": "a", "notes": "x"}])
    for wrong in ("text", ["text"], np.zeros(3), [(1, 2), (3,)]):
        with pytest.raises((InputError, KindError)):
            clf.predict(wrong)
    twice = pd.DataFrame([[1, 2]] * 4, columns=["a", "a"])
    with pytest.raises(InputError, match="2 columns are called 'a'"):
        hl.TableClassifier().fit(twice, LABELS[:4])


def test_more_rows_of_the_same_kind_are_answered():
    more = make_rows(100, seed=1)
    labels = [row["churned"] for row in more]
    assert fitted().score(more, labels) > 0.8


def test_it_is_tuned():
    found = hl.TableClassifier(max_iter=1).tune(
        FEATURES, LABELS, grid={"column_weights": [(1, 1, 1), (1, 1, 4)]}, folds=3, n_jobs=2
    )
    alone = hl.TableClassifier(max_iter=1).tune(
        FEATURES, LABELS, grid={"column_weights": [(1, 1, 1), (1, 1, 4)]}, folds=3
    )
    assert [trial.scores for trial in found.trials] == [trial.scores for trial in alone.trials]
    assert found.classifier.score(FEATURES, LABELS) > 0.7
    assert len(hl.TableClassifier().tune(FEATURES, LABELS, folds=2).trials) == 24


def test_weights_at_the_start():
    start = {"age": 2.0, "city = Rome": 1.5, "notes: angry": 3.0, "city = Oslo": 7.0}
    clf = hl.TableClassifier(max_iter=1).fit(FEATURES, LABELS, initial_weights=start)
    assert dict(clf.telling_terms(200)["yes"])["city = Oslo"] == 7.0
    more = hl.TableClassifier(max_iter=1).fit(FEATURES, LABELS, initial_weights=clf)
    assert dict(more.telling_terms(200)["yes"])["city = Oslo"] == 7.0
    with pytest.raises(InputError, match="'foo'.*the name of a feature"):
        hl.TableClassifier().fit(FEATURES, LABELS, initial_weights={"foo": 1.0})


def test_what_has_no_meaning_is_refused(tmp_path):
    with pytest.raises(InputError, match="column 'notes' is a text"):
        fitted().to_onnx(tmp_path / "m.onnx")
    with pytest.raises(InputError, match="come from rows"):
        hl.TableClassifier.from_weights({"age": 1.0})


def test_a_report_takes_any_table():
    table = pd.DataFrame(FEATURES).astype({"city": "category"})
    page = hl.reports.report(fitted(), table, LABELS)
    assert "classifier of mixed tables" in str(page)


def test_its_parameters_are_those_of_texts_and_its_own():
    texts, tables = (
        inspect.signature(one).parameters for one in (hl.TextClassifier, hl.TableClassifier)
    )
    own = {*SETTINGS}
    assert {*tables} - own == {*texts} - own
    differ = {n for n, one in texts.items() if n in tables and tables[n].default != one.default}
    assert differ == {"max_iter"}
    assert all(tables[n].annotation == one.annotation for n, one in texts.items() if n in tables)


def test_values_of_columns_whose_kinds_are_known_are_not_counted(monkeypatch):
    clf = fitted()
    named = {
        f"{kind}_columns": [name for name, one in clf.kinds_.items() if one == kind]
        for kind in ("text", "number", "category")
    }
    monkeypatch.setattr(column_values, "count_values", lambda values: 1 / 0)
    other = hl.TableClassifier(**named).fit(FEATURES, LABELS)
    assert (other.decision_function(FEATURES) == clf.decision_function(FEATURES)).all()
