"""Tensors that contradict each other, under digests that fit them: refused or used, never a crash.

A digest is no signature; so whoever made the file, its numbers cannot lead outside of the tensors.
"""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import model_file
from hardlimit.exceptions import HardlimitError

TEXTS = ["win a prize now", "lunch at noon", "cheap prize", "meeting 日本語テキスト", "see you"]
LABELS = ["spam", "ham", "spam", "ham", "ham"]


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("forged") / "text.hardlimit"
    hl.TextClassifier(random_state=0).fit(TEXTS, LABELS).save(path)
    return model_file.open(path)


def forged(original, chance):
    """The tensors with one bit, one byte, eight bytes or the length of one of them changed."""
    tensors = {name: np.array(original.array(name)) for name in original.names}
    name = original.names[chance.integers(len(tensors))]
    tensor = tensors[name]
    values = tensor.reshape(-1).view(np.uint8)
    at = chance.integers(max(values.size, 1))
    change = chance.integers(4)
    if change == 0:
        values[at : at + 1] ^= np.uint8(1 << chance.integers(8))
    elif change == 1:
        values[at : at + 1] = 255
    elif change == 2:
        values[at : at + 8] = chance.integers(0, 256, len(values[at : at + 8]))
    elif tensor.ndim:
        tensors[name] = tensor[: chance.integers(len(tensor) + 1)]
    return tensors


def use_in_every_way(path):
    classifier = hl.load(path)
    classifier.predict(["win a prize at noon", "日本語"])
    classifier.explain("win a prize at noon")
    classifier.telling_terms()
    classifier.partial_fit(["a new thing"], ["ham"])
    classifier.predict(["win lunch"])


@pytest.mark.parametrize("seed", range(8))
def test_forged_contents_are_refused_or_used(original, tmp_path, seed):
    chance = np.random.default_rng(seed)
    refused = 0
    for _ in range(15):
        path = tmp_path / "forged"
        model_file.write(path, original.header, forged(original, chance))
        try:
            use_in_every_way(path)
        except HardlimitError:
            refused += 1
    assert refused  # half of them are; not one would mean that nothing was forged
