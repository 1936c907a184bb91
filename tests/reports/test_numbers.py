"""The numbers of the page are those of ``hardlimit evaluate`` and of the data."""

import html
import importlib
import re

import numpy as np

from hardlimit import LinearClassifier, TextClassifier, bounds, evaluation, reports

from ..rounding import roundings
from .conftest import messages


def cells(page, section):
    """The rows of all tables of a section, as lists of texts."""
    body = page.split(f' id="{section}"')[1].split("</section>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body)
    found = []
    for row in rows:
        plain = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
        texts = [re.sub(r"<small>.*?</small>|<[^>]*>", "", cell) for cell in plain]
        found.append([html.unescape(text) for text in texts])
    return found


def facts_of(page, section):
    """The list of facts of a section, by name."""
    body = page.split(f' id="{section}"')[1].split("</section>")[0]
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", body)
    return {html.unescape(name): html.unescape(re.sub("<[^>]*>", "", fact)) for name, fact in pairs}


def answer_of(page):
    """The verdict of the section on separability: Yes, No or Not decided."""
    return re.search(r"<strong>([^<]*)", page.split(' id="separability"')[1])[1].strip()


def test_the_figures_are_those_of_evaluation(kind, page):
    model, X, y = kind
    if isinstance(y[0], set):
        return
    said = model.predict(X).tolist()
    found = evaluation.figures(y, said, classes=model.classes_.tolist())
    rows = {row[0]: row for row in cells(page, "held-out")}
    assert rows["accuracy"][1] == f"{found.accuracy:.4f}"
    assert rows["macro-F1"][1] == f"{found.macro_f1:.4f}"
    for one in found.classes:
        row = rows[str(one.label)]
        assert row[1:] == [
            f"{one.support:,}",
            *(f"{x:.4f}" if n else "–" for x, n in (
                (one.precision, one.predicted), (one.recall, one.support), (one.f1, one.support)
            )),
        ]  # fmt: skip


def test_confusion_and_classes_add_up(texts):
    model, X, y = texts
    page = reports.report(model, X, y)
    rows = [row for row in cells(page, "confusion") if row[0] in ("ham", "spam")]
    counts = [[int(cell.replace("·", "0")) for cell in row[1:]] for row in rows]
    assert sum(map(sum, [row[:2] for row in counts])) == len(y)
    assert [row[2] for row in counts] == [y.count("ham"), y.count("spam")]


def test_the_kept_read_outs_are_those_of_the_model():
    X = np.random.RandomState(0).randn(60, 3)
    y = (X[:, 0] + 0.5 * X[:, 1] ** 2 > 0).tolist()
    model = LinearClassifier(max_iter=9, keep="all").fit(X, y)
    rows = {row[0]: row for row in cells(reports.report(model, X, y), "readouts")}
    assert len(rows) == 8
    for name in rows.keys() - {"read-out"}:
        assert rows[name][1] == f"{model.with_readout(name).score(X, y):.4f}"
    assert rows["averaged"][3] == "in use"


def test_reasons_add_up_to_the_score(texts):
    model, X, y = texts
    for row in range(5):
        found = model.explain(X[row])
        # Weights of texts are float32.
        assert abs(abs(model.decision_function(X)[row]) - found.score) < 1e-5
    page = reports.report(model, X, y, examples=2)
    articles = re.findall(r"<article>(.*?)</article>", page.split('id="uncertain"')[1])
    lead = float(re.search(r"lead of ([\d.]+)", articles[0])[1])
    parts = [float(x) for x in re.findall(r'<td class="n">([-+][\d.]+)</td>', articles[0])]
    # Each of up to twenty terms is printed with four digits.
    assert abs(sum(parts) - lead) < 1e-3


def test_words_of_the_reasons_are_marked():
    model = TextClassifier(words=(1, 1), chars=None).fit(
        ["prize prize", "lunch lunch", "prize now", "lunch now"] * 3, ["spam", "ham"] * 6
    )
    page = reports.report(model, ["Prize, at LUNCH prize"], ["spam"])
    assert '<mark class="for">Prize</mark>, at <mark class="against">LUNCH</mark>' in page


def test_reasons_of_numbers_add_up(kind, page):
    model, _, y = kind
    if not isinstance(model, LinearClassifier) or isinstance(y[0], set):
        return
    articles = re.findall(r"<article>(.*?)</article>", page.split('id="uncertain"')[1])
    assert len(articles) == 3
    for one in articles:
        parts = [float(x) for x in re.findall(r'<td class="n">([-+][\d.]+)</td>', one)]
        # Each of up to twenty terms is printed with four digits.
        assert abs(sum(parts) - float(re.search(r"lead of ([\d.]+)", one)[1])) < 1e-3


def test_duplicates_conflicts_and_leakage_are_counted():
    texts = ["win a prize", "Win a  prize", "win a prize", "lunch", "lunch", "noon at home"]
    labels = ["spam", "ham", "spam", "ham", "ham", "ham"]
    model = TextClassifier().fit(["win a prize", "lunch at noon"] * 4, ["spam", "ham"] * 4)
    page = reports.report(model, texts, labels, train=(["LUNCH", "other"], ["ham", "ham"]))
    facts = facts_of(page, "data")
    assert facts["exact duplicates of an earlier one"] == "2 (33.33 %)"
    assert facts["duplicates up to case and spaces"] == "3 (50.00 %)"
    assert facts["duplicates with different labels"] == "3 rows in 1 group"
    assert facts["also in the training rows"] == "2 (33.33 %)"
    assert "spam</bdi> (2), <bdi>ham</bdi> (1)" in page and "rows 1, 2, 3" in page
    assert "at least 1 of those rows is wrong" in page
    assert "2 texts of 6 are also in the training file" in page


def test_equal_rows_of_numbers_are_found_dense_and_sparse():
    from hardlimit.readers import Csr

    X = np.array([[1.0, 0.0], [1.0, -0.0], [0.0, 2.0]])
    rows = Csr(
        np.array([0, 1, 3, 4]), np.array([0, 0, 1, 1], np.int32), np.array([1.0, 1, 0, 2]), 2
    )
    model = LinearClassifier(max_iter=1).fit(X, [0, 1, 1])
    for data in (X, rows):
        facts = facts_of(reports.report(model, data, [0, 1, 1]), "data")
        assert facts["exact duplicates of an earlier one"] == "1 (33.33 %)"
        assert facts["duplicates with different labels"] == "2 rows in 1 group"


def test_the_area_is_the_same_from_either_side(texts):
    model, X, y = texts
    told = [
        re.search(r"area under the ROC curve is <strong>([\d.]+)", reports.report(
            model, X, y, positive=label
        ))[1]
        for label in ("ham", "spam")
    ]  # fmt: skip
    scores = model.decision_function(X)
    found = evaluation.roc_area(scores, [label == "spam" for label in y]).value
    assert told == [f"{found:.4f}"] * 2 and 0.6 < found < 1


def test_unknown_labels_are_named_and_counted_as_mistakes(texts):
    model, X, y = texts
    page = reports.report(model, X[:3] + ["abc"], [*y[:3], "eggs"])
    assert "Labels that the model does not know" in page and "eggs</bdi> (1)" in page


def test_labels_spelled_as_texts_are_known():
    model = TextClassifier().fit(["a b", "c d"] * 4, [1, 2] * 4)
    assert "100 %" in reports.report(model, ["a b", "c d"], ["1", "2"])


def test_the_separability_verdict_is_proved():
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    model = LinearClassifier(max_iter=1).fit(X, [0, 1, 1, 1])

    def verdict(rows, labels):
        return answer_of(reports.report(model, rows, labels))

    assert verdict(X, [0, 1, 1, 1]) == "Yes."
    assert verdict(X, [1, 0, 0, 0]) == "Yes."  # the model errs everywhere, other weights do not
    assert verdict(X, [0, 1, 1, 0]) == "No."
    assert verdict([*X, X[0]], [0, 1, 1, 1, 1]) == "No."


def test_a_large_set_is_searched_with_a_budget_of_work(monkeypatch):
    separability = importlib.import_module("hardlimit.reports.separability")
    monkeypatch.setattr(separability, "SMALL", 0)
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    model = LinearClassifier(max_iter=1).fit(X, [0, 1, 1, 1])

    def verdict(labels):
        return answer_of(reports.report(model, X, labels))

    assert verdict([1, 0, 0, 0]) == "Yes."
    assert verdict([0, 1, 1, 0]) == "Not decided."  # no search by updates proves inseparability
    monkeypatch.setattr(separability, "WORK_LIMIT", 0)
    assert verdict([1, 0, 0, 0]) == "Not decided."


def test_the_area_and_average_precision_are_those_of_scikit_learn():
    from sklearn import metrics

    draw = np.random.RandomState(3)
    scores, truth = np.round(draw.randn(300), 1), draw.rand(300) < 0.3
    found = evaluation.roc_area(scores, truth)
    assert abs(found.value - metrics.roc_auc_score(truth, scores)) < roundings(2000)
    points = evaluation.ranking(scores, truth)
    average = metrics.average_precision_score(truth, scores)
    assert abs(evaluation.average_precision(points) - average) < roundings(2000)


def test_probabilities_are_judged_where_there_are_some():
    from hardlimit import PerceptronClassifier

    draw = np.random.RandomState(0)
    X = draw.randn(200, 3)
    y = (X[:, 0] + 0.5 * draw.randn(200) > 0).astype(int)
    model = PerceptronClassifier(probability=True, max_iter=20).fit(X, y)
    page = reports.report(model, X, y)
    assert 'id="calibration"' in page
    model = PerceptronClassifier(max_iter=20).fit(X, y)
    assert 'id="calibration"' not in reports.report(model, X, y)


def test_bounds_stand_beside_facts_when_the_training_rows_are_given(texts, parsed):
    model, X, y = texts
    train = messages(1)
    page = reports.report(model, X, y, train=train)
    found = bounds.of(model, *train)
    rows = {row[0]: row for row in cells(page, "promised")}
    told = [line for line in found.lines[0] if line.value is not None]
    assert told and set(rows) == {"theorem", *(line.name for line in told)}
    assert all(f"{line.value:.4g}" == rows[line.name][1] for line in told if line.value < 1)
    assert f"within a radius of {found.radius:.6g}" in page
    assert "Not applicable: Novikoff" in parsed(page).text
    assert "promised" not in parsed(reports.report(model, X, y)).sections()
    other = reports.report(model, X, y, train=(["win a prize"], ["eggs"]))
    assert "promised" not in parsed(other).sections()
