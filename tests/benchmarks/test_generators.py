"""The drawn data: what was promised of them holds, and a seed draws the same again."""

import numpy as np

from benchmarks.generators import separable_set, zipf_rows

from ..rounding import SINGLE, near


def drawn(**more):
    return zipf_rows(n_rows=400, n_columns=4096, per_row=20, **more)


def test_sparse_rows_are_canonical_and_of_unit_length():
    rows = drawn()
    columns = rows.indices.reshape(400, 20)
    assert (np.diff(columns, axis=1) > 0).all()
    assert rows.data.dtype == np.float32
    assert columns.min() >= 0 and columns.max() < 4096
    assert np.square(rows.data.reshape(400, 20)).sum(axis=1) == near(1, 40, unit=SINGLE)
    assert rows.matrix().has_canonical_format


def test_a_seed_draws_the_same_rows_again_and_another_seed_others():
    first, again, other = drawn(), drawn(), drawn(seed=1)
    for field in ("data", "indices", "y"):
        assert (getattr(first, field) == getattr(again, field)).all()
    assert (first.indices != other.indices).any()


def test_columns_scattered_or_in_order_of_frequency():
    counts = np.bincount(drawn(scattered=False).indices, minlength=4096)
    assert counts[0] == counts.max() and counts[:64].sum() > 0.3 * counts.sum()
    assert np.bincount(drawn().indices, minlength=4096)[:64].sum() < 0.2 * counts.sum()


def test_columns_follow_zipf():
    counts = np.sort(np.bincount(drawn().indices))[::-1]
    assert counts[0] > 300
    assert counts[0] > 4 * counts[19] > 16 * counts[399]


def test_noise_flips_its_share_of_the_targets():
    clean, noisy = drawn(noise=0.0), drawn(noise=0.25)
    assert (clean.indices == noisy.indices).all()
    assert 0.15 < (clean.y != noisy.y).mean() < 0.35
    assert set(clean.y) == {-1, 1}


def test_a_separable_set_has_a_separator_with_its_margin():
    for number in range(3):
        X, y = separable_set(number)
        draw = np.random.default_rng([7, number])
        w = draw.standard_normal(10)
        margins = y * (X @ w) / np.sqrt(w @ w)
        assert X.shape == (500, 10)
        assert margins.min() >= 0.02
