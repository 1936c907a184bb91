import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import certify
from hardlimit.certificates import NotSeparable, Separable, load_proof
from hardlimit.exceptions import ProofError

GATES = [[0, 0], [0, 1], [1, 0], [1, 1]]


@pytest.mark.parametrize("make", [list, np.array, lambda X: csr_matrix(np.array(X, float))])
def test_the_gates(make, tmp_path):
    X = make(GATES)
    xor = certify(X, [0, 1, 1, 0])
    assert isinstance(xor, NotSeparable) and not xor
    assert xor.multipliers == {0: 1, 1: 1, 2: 1, 3: 1}
    both = certify(X, [0, 0, 0, 1], gap=0.5)
    assert isinstance(both, Separable) and both
    assert ((np.array(GATES) @ both.w + both.intercept > 0) == [0, 0, 0, 1]).all()
    for verdict, y in ((xor, [0, 1, 1, 0]), (both, [0, 0, 0, 1])):
        verdict.check(X, y)
        verdict.save(tmp_path / "proof.json")
        again = load_proof(tmp_path / "proof.json")
        assert again == verdict
        again.check(X, y)
        with pytest.raises(ProofError, match="of other data"):
            again.check(X, [1, 0, 1, 0])
