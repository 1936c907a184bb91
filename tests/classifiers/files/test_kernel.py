"""Kernel models in files and pickles: they answer the same, learn on, and forged ones are found."""

import copy
import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import hardlimit
from hardlimit import KernelClassifier, kernels, model_file
from hardlimit.exceptions import HardlimitError, InputError, ModelFileError


def whole(seed, n=60, d=4, classes=3):
    draw = np.random.default_rng(seed)
    return draw.integers(-3, 4, (n, d)).astype(float), draw.integers(0, classes, n)


def models():
    X, y = whole(11)
    K = kernels.Polynomial(2, 1)(X, X)
    for readout in ("last", "averaged", "longest", "voted"):
        for kernel, rows in (("rbf", X), (kernels.RBF(2.0), csr_matrix(X)), ("precomputed", K)):
            keep = ("last", "averaged", "longest", "voted")
            clf = KernelClassifier(kernel, keep=keep, readout=readout, max_iter=5)
            yield clf.fit(rows, y), rows, y


class TestSaving:
    """A model file and a pickle answer as the model does, and learn on."""

    @pytest.mark.parametrize("training_state", [True, False])
    def test_loaded_models_answer_the_same(self, tmp_path, training_state):
        for clf, X, _ in models():
            clf.save(tmp_path / "model", training_state=training_state)
            loaded = hardlimit.load(tmp_path / "model")
            assert (loaded.decision_function(X) == clf.decision_function(X)).all()
            assert (loaded.support_ == clf.support_).all()
            assert loaded.get_params()["readout"] == clf.readout
            loaded.save(tmp_path / "again", training_state=training_state)
            assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()

    def test_they_learn_on(self, tmp_path):
        X, y = whole(12)
        for rule in ("perceptron", "romma", "alma"):
            clf = KernelClassifier("rbf", rule, max_iter=3).fit(X, y)
            clf.save(tmp_path / "model")
            models = [clf, hardlimit.load(tmp_path / "model"), pickle.loads(pickle.dumps(clf))]
            for model in models:
                model.partial_fit(X[::-1], y[::-1])
            for other in models[1:]:
                assert (other.dual_coef_ == clf.dual_coef_).all()

    def test_pickles_and_copies(self):
        for clf, X, _ in models():
            for other in (pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)):
                assert (other.decision_function(X) == clf.decision_function(X)).all()

    def test_a_function_is_not_saved(self, tmp_path):
        clf = KernelClassifier(lambda A, B: A @ B.T).fit(*whole(1))
        with pytest.raises(InputError, match="executed"):
            clf.save(tmp_path / "model")

    def test_a_precomputed_kernel_keeps_no_rows(self, tmp_path):
        X, y = whole(11)
        K = np.tile(kernels.RBF()(X, X), (10, 10))
        clf = KernelClassifier("precomputed", max_iter=2).fit(K, np.tile(y, 10))
        clf.save(tmp_path / "model")
        assert (tmp_path / "model").stat().st_size < 30_000


class TestForgedFiles:
    """Tensors that contradict each other, under digests that fit them: refused or used."""

    def tampered(self, model, chance):
        tensors = {name: np.array(model.array(name)) for name in model.names}
        name = model.names[chance.integers(len(tensors))]
        values = tensors[name].reshape(-1).view(np.uint8)
        at = chance.integers(max(values.size, 1))
        change = chance.integers(3)
        if change == 0:
            values[at : at + 8] = 255
        elif change == 1:
            values[at : at + 8] = chance.integers(0, 256, len(values[at : at + 8]))
        else:
            tensors[name] = tensors[name][: chance.integers(len(tensors[name]) + 1)]
        return tensors

    def use_in_every_way(self, path, X, y):
        clf = hardlimit.load(path)
        clf.predict(X)
        clf.n_support_  # noqa: B018
        if clf.fitted.choices.readout != "voted" and not kernels.resolve(clf.kernel).given:
            clf.partial_fit(X, y)
            clf.predict(X)

    @pytest.mark.parametrize("seed", range(3))
    def test_forged(self, tmp_path, seed):
        chance, refused = np.random.default_rng(seed), 0
        for clf, X, y in models():
            clf.save(tmp_path / "model")
            model = model_file.open(tmp_path / "model")
            for _ in range(4):
                forged = self.tampered(model, chance)
                model_file.write(tmp_path / "forged", model.header, forged)
                try:
                    self.use_in_every_way(tmp_path / "forged", X, y)
                except HardlimitError:
                    refused += 1
        assert refused > 5

    def test_the_header_is_not_trusted(self, tmp_path):
        clf, _, _ = next(iter(models()))
        clf.save(tmp_path / "model")
        model = model_file.open(tmp_path / "model")
        tensors = {name: model.array(name) for name in model.names}
        for key, value in [("columns", 3), ("columns", -1), ("columns", "x"), ("intercept", []),
                           ("intercept", ["0x0p+0"] * 9)]:  # fmt: skip
            model_file.write(tmp_path / "forged", model.header | {key: value}, tensors)
            with pytest.raises(ModelFileError):
                hardlimit.load(tmp_path / "forged")
        for kernel in ("gauss", {"name": "rbf", "parameters": {"gamma": -1.0}}, 3, None):
            changed = model.header["parameters"] | {"kernel": kernel}
            model_file.write(tmp_path / "forged", model.header | {"parameters": changed}, tensors)
            with pytest.raises(ModelFileError):
                hardlimit.load(tmp_path / "forged")
