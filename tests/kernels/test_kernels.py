"""Every kernel: its compiled twin, its error bounds, its definiteness, its name."""

import operator
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import KernelClassifier, kernels
from hardlimit.engine import Points, Products
from hardlimit.exceptions import InputError, KindError

COMPUTED = [
    kernels.Linear(),
    kernels.Polynomial(2, 1),
    kernels.Polynomial(5, 0.25),
    kernels.RBF(0.3),
    kernels.RBF(20.0),
]


def everyone(products):
    return np.arange(products.rows.n_rows), np.arange(products.others.n_rows)


def test_every_computed_kernel_is_looked_at():
    named = {type(kernel).__name__.lower() for kernel in COMPUTED}
    assert named | {"precomputed"} == set(kernels.names())


@pytest.mark.parametrize("kernel", COMPUTED, ids=repr)
@pytest.mark.parametrize("offset", [0.0, 1e3, 1e8])
def test_the_matrix_product_stays_within_its_bounds(kernel, offset):
    draw = np.random.default_rng(1)
    for n_columns in (1, 7, 300):
        X = offset + draw.standard_normal((40, n_columns)) * draw.choice([1e-3, 1, 30], (40, 1))
        products = Products(kernel, 0.25, Points.of(X), Points.of(X))
        rows, others = everyone(products)
        fast, exact = products.block(rows, others), products.native.block(rows, others)
        deviation, magnitude = products.bounds(rows)
        assert (np.abs(fast - exact) <= deviation[:, None]).all()
        assert (np.abs(exact) <= magnitude[:, None]).all()


@pytest.mark.parametrize("kernel", COMPUTED, ids=repr)
def test_dense_and_sparse_rows_give_the_same_bits(kernel):
    draw = np.random.default_rng(2)
    X = draw.standard_normal((20, 9)) * (draw.random((20, 9)) < 0.4)
    Z = X[:7].astype(np.float32)
    results = []
    for first, second in ((X, Z), (csr_matrix(X), csr_matrix(Z)), (X, csr_matrix(Z))):
        products = Products(kernel, 0.0, Points.of(first), Points.of(second))
        results.append(products.native.block(*everyone(products)).tobytes())
    assert len(set(results)) == 1


def test_whole_numbers_are_exact():
    draw = np.random.default_rng(3)
    X = draw.integers(-5, 6, (12, 4))
    rows = X.tolist()
    inner = [[sum(map(operator.mul, x, z)) for z in rows] for x in rows]
    exact = [[Fraction(1 + product) ** 3 for product in line] for line in inner]
    kernel = kernels.Polynomial(3, 1)
    products = Products(kernel, 0.0, Points.of(X), Points.of(X))
    for found in (kernel(X, X), products.native.block(*everyone(products))):
        assert [[Fraction(v) for v in row] for row in found.tolist()] == exact


@pytest.mark.parametrize("kernel", COMPUTED, ids=repr)
def test_every_kernel_is_positive_semidefinite_on_drawn_rows(kernel):
    draw = np.random.default_rng(4)
    X = draw.standard_normal((60, 5))
    kernels.check_semidefinite(kernel(X, X))


@pytest.mark.parametrize("kernel", [*COMPUTED, kernels.Precomputed(), kernels.Precomputed(True)])
def test_json(kernel):
    assert kernels.resolve(kernels.KERNELS.to_json(kernel)) == kernel


@pytest.mark.parametrize("name", kernels.names())
def test_the_page_of_a_kernel(name):
    page = type(kernels.resolve(name)).__doc__
    for part in ("semi-definite", "Cost", "Examples"):
        assert part in page or (part == "semi-definite" and "Positive definite" in page), part


def test_a_function_of_matrices_or_of_rows():
    for n_columns in (1, 2, 3, 4):
        check_function(np.arange(3.0 * n_columns).reshape(3, -1), np.ones((2, n_columns)))


def check_function(X, Z):
    expected = 1 + X @ Z.T
    assert (kernels.resolve(lambda a, b: 1 + a @ b.T)(X, Z) == expected).all()
    assert (kernels.resolve(lambda a, b: 1 + float(np.dot(a, b)))(X, Z) == expected).all()
    assert (kernels.resolve(lambda a, b: 1 + sum(x * z for x, z in zip(a, b)))(X, Z)  # noqa: B905
            == expected).all()  # fmt: skip


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: kernels.resolve("gauss"), InputError, "wanted one of linear"),
        (lambda: kernels.resolve(3), KindError, "function k"),
        (lambda: kernels.resolve(kernels.RBF), KindError, "kernel object"),
        (lambda: kernels.Polynomial(0), InputError, "1 .. 64"),
        (lambda: kernels.Polynomial(1.5), InputError, "1 .. 64"),
        (lambda: kernels.Polynomial("2"), InputError, "1 .. 64"),
        (lambda: kernels.Polynomial(2, -1), InputError, "not positive semi-definite"),
        (lambda: kernels.RBF(0), InputError, "> 0"),
        (lambda: kernels.RBF(float("nan")), InputError, "> 0"),
        (lambda: kernels.RBF()([[1.0]], [[1.0, 2.0]]), InputError, "wanted the same number"),
        (lambda: kernels.Precomputed()([[1.0]], [[1.0]]), InputError, "the matrix K"),
        (lambda: kernels.resolve(lambda X, Z: X)(np.eye(3), np.eye(2)), InputError, "shape"),
        (lambda: kernels.resolve(lambda X, Z: X @ Z.T * np.nan)(np.eye(3), np.eye(3)),
         InputError, "NaN"),
    ],
)  # fmt: skip
def test_refusals(make, error, words):
    with pytest.raises(error, match=words.replace("(", r"\(")):
        make()


class TestSemidefinite:
    """What a matrix that is no Gram matrix is refused for."""

    @pytest.mark.parametrize(
        ("matrix", "words"),
        [
            (np.ones((2, 3)), r"shape \(2, 3\), wanted \(n, n\)"),
            (np.diag([1.0, -1.0]), r"K\[1, 1\] = -1 is negative"),
            ([[1.0, 0.5], [0.0, 1.0]], "differs from"),
            ([[1.0, 2.0], [2.0, 1.0]], "exceeds the lengths"),
            ([[1, -0.9, -0.9], [-0.9, 1, -0.9], [-0.9, -0.9, 1.0]], "negative eigenvalue"),
        ],
    )
    def test_refused(self, matrix, words):
        with pytest.raises(InputError, match=words):
            kernels.check_semidefinite(matrix)

    def test_low_rank_and_rounding_pass(self):
        draw = np.random.default_rng(5)
        X = draw.standard_normal((300, 3)) * 1e4
        kernels.check_semidefinite(X @ X.T)
        kernels.check_semidefinite(np.zeros((4, 4)))

    @pytest.mark.parametrize("n", [10, 200])
    def test_every_entry_may_be_off_by_its_rounding(self, n):
        """All in the worst direction at once, where the matrix itself has an eigenvalue of 0."""
        signs = np.where(np.arange(n) % 2, 1.0, -1.0)
        kernels.check_semidefinite(np.outer(signs, signs) - 0.9e-10)
        with pytest.raises(InputError, match="negative eigenvalue"):
            kernels.check_semidefinite(np.outer(signs, signs) - 2e-10)

    def test_a_large_matrix_is_looked_at_in_part(self, monkeypatch):
        from hardlimit.kernels import _definite

        monkeypatch.setattr(_definite, "LARGEST", 30)
        draw = np.random.default_rng(6)
        K = draw.standard_normal((200, 200))
        K = 0.9 * (K + K.T) / np.abs(K + K.T).max()
        np.fill_diagonal(K, 1.0)
        with pytest.raises(InputError, match="negative eigenvalue"):
            kernels.check_semidefinite(K)

    @pytest.mark.parametrize("rank", [1, 2, 30])
    def test_a_matrix_of_float32_may_be_off_by_its_own_rounding(self, rank):
        draw = np.random.default_rng(7)
        X = (draw.standard_normal((150, rank)) * 100).astype(np.float32)
        K, y = X @ X.T, draw.integers(0, 2, 150)
        kernels.check_semidefinite(K)
        KernelClassifier("precomputed", max_iter=2, until=None).fit(K, y)
        with pytest.raises(InputError, match="inner products"):
            kernels.check_semidefinite(K - np.float32(0.01 * K.max()) * np.eye(150, dtype="f"))
        with pytest.raises(InputError, match="inner products"):  # float64 is held to its own
            kernels.check_semidefinite(K - 1e-6 * K.max() * np.eye(150))
