"""Models of every kind, and a reader of HTML that forgives nothing."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, kernels, reports

EMPTY = {"meta", "br", "col", "wbr"}
SPAM = "win a prize now call free cash claim urgent reply mobile".split()
HAM = "see you later at home dinner love meeting tomorrow thanks".split()


class Page(HTMLParser):
    """A page taken apart; raises where tags are not balanced or ids come twice."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.said, self.headings = [], [], [], [], []
        assert text.startswith("<!doctype html>\n<html lang=")
        self.feed(text)
        self.close()
        assert self.open == [], self.open
        assert len(self.ids) == len(set(self.ids)), self.ids

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), attrs
        self.tags.append((tag, attributes, tuple(self.open)))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag in ("h1", "h2", "h3"):
            self.headings.append(int(tag[1]))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        raise AssertionError(f"<{tag}/> is no HTML")

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if "style" not in self.open:
            self.said.append(data)

    def unknown_decl(self, data):
        raise AssertionError(data)

    handle_pi = handle_comment = unknown_decl

    @property
    def text(self):
        """All that is said, on one line."""
        return " ".join("".join(self.said).split())

    def all(self, name):
        """The attributes of all elements of a name."""
        return [attributes for tag, attributes, _ in self.tags if tag == name]

    def sections(self):
        return [one["id"] for one in self.all("section")]


def messages(seed=0, rows=120, classes=("ham", "spam")):
    draw = np.random.RandomState(seed)
    texts, labels = [], []
    for _ in range(rows):
        number = int(draw.randint(len(classes)))
        words = [SPAM, HAM][number % 2] if draw.rand() < 0.9 else HAM
        own = f"word{number} " if number > 1 else ""
        texts.append(own + " ".join(draw.choice(words, 6)))
        labels.append(classes[number])
    return texts, labels


def points(seed=0, rows=90, classes=2):
    draw = np.random.RandomState(seed)
    X = draw.randn(rows, 4)
    y = (X[:, 0] + 0.3 * draw.randn(rows) > 0).astype(int) + (
        (X[:, 1] > 0.5).astype(int) if classes > 2 else 0
    )
    return X, y.tolist()


def text_model():
    texts, labels = messages(1)
    return TextClassifier().fit(texts, labels), *messages(2)


def many_classes():
    classes = [f"class {k}" for k in range(6)]
    model = TextClassifier(max_iter=3).fit(*messages(1, 200, classes))
    return model, *messages(2, 90, classes)


def voting():
    return TextClassifier(keep="voted", readout="voted").fit(*messages(1)), *messages(2)


def numbers():
    return LinearClassifier(max_iter=20).fit(*points(1)), *points(2)


def three_classes():
    return LinearClassifier(max_iter=20, keep="all").fit(*points(1, 90, 3)), *points(2, 60, 3)


def scaled_rows():
    return LinearClassifier(max_iter=20, scale="rows").fit(*points(1)), *points(2)


def sparse():
    from hardlimit.readers import Csr

    X, y = points(1)
    X = np.where(np.abs(X) > 0.7, X, 0.0)
    counts = (X != 0).sum(1)
    rows = Csr(
        np.concatenate(([0], counts.cumsum())).astype(np.int64),
        np.nonzero(X)[1].astype(np.int32),
        X[X != 0],
        X.shape[1],
    )
    return LinearClassifier(max_iter=20).fit(rows, y), rows, y


def kernel():
    model = KernelClassifier(kernels.Polynomial(degree=2), max_iter=5).fit(*points(1))
    return model, *points(2)


def several_labels():
    X, y = points(1, 90, 3)
    sets = [{"big"} if one else set() for one in y]
    sets = [one | ({"even"} if x[2] > 0 else set()) for one, x in zip(sets, X, strict=True)]
    return LinearClassifier(max_iter=20).fit(X, sets), X, sets


def streamed():
    texts, labels = messages(1)
    return TextClassifier().partial_fit(texts, labels), *messages(2)


KINDS = [
    text_model, many_classes, voting, numbers, three_classes, scaled_rows, sparse, kernel,
    several_labels, streamed,
]  # fmt: skip


@pytest.fixture(scope="session", params=KINDS, ids=lambda make: make.__name__)
def kind(request):
    """A model of some kind, with rows and labels."""
    return request.param()


@pytest.fixture(scope="session")
def page(kind):
    """The report of that model."""
    return reports.report(*kind, examples=3)


@pytest.fixture(scope="session")
def texts():
    """A model of texts, with texts and labels."""
    return text_model()


@pytest.fixture(scope="session")
def parsed():
    return Page
