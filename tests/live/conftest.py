"""Small models that the tests of this folder correct."""

import pytest

import hardlimit as hl

from .killing import correct, kill
from .messages import LABELS, MANY, TEXTS


@pytest.fixture(scope="session")
def two(tmp_path_factory):
    path = tmp_path_factory.mktemp("two") / "two.hardlimit"
    hl.TextClassifier(words=(1, 2), chars=None).fit(TEXTS, LABELS).save(path)
    return str(path)


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    path = tmp_path_factory.mktemp("many") / "many.hardlimit"
    hl.TextClassifier(words=(1, 1), chars=None).fit(TEXTS, MANY).save(path)
    return str(path)


@pytest.fixture
def ledger(tmp_path):
    return str(tmp_path / "its.ledger")


@pytest.fixture
def killed(two, ledger, tmp_path):
    """A ledger of ten entries whose process was killed, and the weights after each entry."""
    with hl.open_live(two, ledger) as live:
        digests = correct(live, 10)
        return kill(ledger, tmp_path / "killed"), digests
