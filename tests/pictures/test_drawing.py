"""What a picture shows: words on axes, in legends and titles, and what is drawn of the data."""

from __future__ import annotations

import numpy as np
import pytest

from hardlimit import pictures, textbook
from hardlimit.exceptions import Given, InputError, KindError, Setting

from ..rounding import near
from .gallery import MODIFIED_OR, drawn, exercise, four_classes


def words_of(picture):
    """The words of a figure: labels of axes, titles, the legend."""
    figure = picture.figure()
    words = [figure.get_suptitle()]
    for axes in figure.axes:
        words += [axes.get_xlabel(), axes.get_ylabel(), axes.get_title()]
    for legend in figure.legends:
        words += [text.get_text() for text in legend.get_texts()]
    return [word for word in words if word]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("roc", ["ROC curve", "false positive rate", "true positive rate", "area under the curve"]),
        (
            "precision_recall",
            ["Precision-recall curve", "precision", "recall", "average precision"],
        ),
        ("confusion", ["Confusion matrix", "predicted class", "true class"]),
        ("margin_distribution", ["margins", "share of rows", "geometric margin"]),
        ("mistakes", ["bound on corrections", "per epoch", "total so far", "epoch"]),
        ("weights", ["Length and direction", "cosine", "radius √k", "gamma k"]),
        ("decision_line", ["Decision line", "normal w", "w·x + c = 0"]),
        ("decision_plane", ["Decision plane", "normal w"]),
        ("decision_regions", ["Decision regions", "misclassified"]),
        ("steps", ["corrected row", "line after", "line before"]),
        ("certificate", ["Certificate", "conflict: 4 rows", "point in both convex hulls"]),
        ("cones", ["solution cone", "covering cone", "signed rows z"]),
        ("criterion_surfaces", ["path of the weights", "start", "end", "solution region"]),
        ("learning_curves", ["Error on held-out rows", "epochs", "averaged", "voted"]),
    ],
)
def test_pictures_use_the_terms_of_the_field(name, wanted):
    words = " | ".join(words_of(drawn(name)))
    assert [term for term in wanted if term not in words] == []


@pytest.mark.parametrize("name", pictures.names())
def test_titles_and_descriptions_are_short_and_plain(name):
    picture = drawn(name)
    assert len(picture.title) < 80 and len(picture.description) < 300
    assert not picture.title.endswith(".") and not picture.description[0].islower()
    for riddle in ("answered", "rightly", "told", "called", "said"):
        assert riddle not in " ".join([*words_of(picture), picture.description]).lower(), riddle


def test_the_threshold_in_use_is_marked_where_its_rows_are():
    y, scores = ["a", "b", "a", "b", "b"], [0.0, 1.0, 2.0, 3.0, 4.0]
    data = pictures.roc(y, scores, threshold=1.5).data
    assert data["mark"] == {
        "threshold": 1.5,
        "false_positive_rate": 0.5,
        "recall": near(2 / 3, 2),
        "precision": near(2 / 3, 2),
    }
    assert pictures.roc(y, scores).data["mark"] is None
    low = pictures.precision_recall(y, scores, threshold=-5.0).data["mark"]
    assert low["recall"] == 1.0 and low["precision"] == near(3 / 5, 2)


def test_the_line_of_a_curve_goes_through_its_points():
    rng = np.random.default_rng(0)
    y, scores = rng.integers(0, 2, 4000), rng.normal(size=4000)
    picture = pictures.roc(y, scores)
    line = picture.figure().axes[0].lines[0]
    x, up = line.get_data()
    points = set(zip(picture.data["false_positive_rate"], picture.data["recall"], strict=True))
    assert set(zip(x, up, strict=True)) <= points and len(x) < len(points)
    assert (x[0], up[0], x[-1], up[-1]) == (0, 0, 1, 1)


def test_numbers_are_written_into_few_cells_only():
    few, many = drawn("confusion"), [f"class {k}" for k in range(14)]
    texts = [text.get_text() for text in few.figure().axes[0].texts]
    assert texts == [str(n) for row in few.data["counts"] for n in row]
    assert not pictures.confusion(many, many).figure().axes[0].texts


def test_a_margin_of_zero_is_a_mistake():
    class Undecided:
        classes_ = np.array(["a", "b"])

        def decision_function(self, X):
            return np.array([0.0, 1.0, -1.0])

    data = pictures.margin_distribution(Undecided(), [[0], [1], [2]], ["b", "b", "a"]).data
    assert data["wrong"] == 1 and data["margins"] == [0.0, 1.0, 1.0]
    assert data["kind"] == "functional"


def test_a_moved_threshold_moves_the_margins():
    class Shifted:
        classes_ = ["a", "b"]
        threshold_ = 0.5

        def decision_function(self, X):
            return np.array([0.25, 1.0])

    data = pictures.margin_distribution(Shifted(), [[0], [1]], ["a", "a"]).data
    assert data["margins"] == [-0.5, 0.25]


def test_margins_of_many_classes_are_leads_over_the_best_rival():
    class Three:
        classes_ = ["a", "b", "c"]

        def decision_function(self, X):
            return np.array([[1.0, 3.0, 2.0], [0.0, -1.0, -4.0]])

    data = pictures.margin_distribution(Three(), [[0], [1]], ["c", "a"]).data
    assert data["margins"] == [-1.0, 1.0] and data["rows"] == [0, 1]
    with pytest.raises(InputError, match="does not know the label 'd'"):
        pictures.margin_distribution(Three(), [[0], [1]], ["d", "a"])
    with pytest.raises(InputError, match="got 2 rows and 1 label,"):
        pictures.margin_distribution(Three(), [[0]], ["a"])


def fix_settings(error):
    return {part.name: part.value for part in error.fix if isinstance(part, Setting)}


def test_errors_offer_the_way_out_as_a_setting():
    X = [[1, 2, 3], [4, 5, 6]]
    with pytest.raises(InputError) as caught:
        pictures.decision_line(((1, 1, 1), 0), X, [0, 1])
    assert fix_settings(caught.value) == {"columns": ["x1", "x2"], "rest": "mean"}
    with pytest.raises(InputError) as caught:
        pictures.decision_line(((1, 1, 1), 0), X, [0, 1], columns=[0, 1])
    assert fix_settings(caught.value) == {"rest": "mean"}
    xor = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.raises(InputError) as caught:
        pictures.steps(textbook.trace(*xor, order="shuffled", max_iter=50), panels=True)
    assert fix_settings(caught.value) == {"panels": False}
    assert caught.value.who == "pictures.steps" and isinstance(caught.value.got, Given)


@pytest.mark.parametrize("draw", [pictures.steps, pictures.weights, pictures.criterion_surfaces])
def test_what_is_no_trace_is_named(draw):
    with pytest.raises(KindError) as caught:
        draw({"steps": []})
    assert caught.value.got == "dict" and "textbook.trace" in caught.value.wanted


def test_rows_and_labels_of_different_numbers():
    X, y = MODIFIED_OR
    line = ((1, 1), 1)
    for draw in (pictures.decision_line,):
        with pytest.raises(InputError) as caught:
            draw(line, X, y[:3])
        assert caught.value.got == "4 rows and 3 labels"


def test_classes_have_looks_of_their_own_without_colour():
    X, y = four_classes()

    class Constant:
        classes_ = sorted(set(y))

        def predict(self, rows):
            return ["a"] * len(rows)

    picture = pictures.decision_regions(Constant(), X, y, cells=3)
    looks = [tuple(map(tuple, c.get_paths()[0].vertices.tolist()))
             for c in picture.figure().axes[0].collections][:4]  # fmt: skip
    assert len(set(looks)) == 4
    assert picture.data["wrong"] == len(y) - y.count("a") and picture.data["leads"] is None


def test_panels_name_the_rows_that_were_corrected():
    picture = pictures.steps(textbook.trace(*MODIFIED_OR))
    titles = [axes.get_title() for axes in picture.figure().axes]
    assert titles == ["1.  row 1", "2.  row 2", "3.  row 3"]
    batch = pictures.steps(textbook.trace(*exercise(), order="batch"), panels=True)
    first = batch.figure().axes[0].get_title()
    rows = batch.data["corrections"][0]["rows"]
    assert first == f"1.  {len(rows)} rows" or first.startswith("1.  row")
