"""Which of the hypotheses that passed by are remembered, and which one answers.

``last``
    the weights after the last presentation.
``averaged``
    their mean over the presentations, in one of three conventions. With ``w_t`` the weights after
    presentation t of n, ``w_0 = 0``:

    ========== ==================================== ============================================
    ``post``   ``(w_1 + ... + w_n) / n``            the counts of Freund and Schapire; the default
    ``pre``    ``(w_0 + ... + w_{n-1}) / n``        each vector counts before it is corrected
    ``ciml``   ``(w_0 + w_1 + ... + w_n) / (n+1)``  the usual two-vector algorithm with c = 1
    ========== ==================================== ============================================

    ``post`` and ``ciml`` point the same way; ``pre`` does not and can classify differently.

Both come from one fit: a read-out is a mixture of the last weights and of the sum of all before.
"""

from __future__ import annotations

from typing import NamedTuple

from hardlimit.exceptions import InputError

READOUTS = ("last", "averaged")
AVERAGINGS = ("post", "pre", "ciml")


class Mixture(NamedTuple):
    """A read-out as ``(of_last * w_n + of_sum * (w_0 + ... + w_{n-1})) / divisor``."""

    of_last: float
    of_sum: float
    divisor: float


def mixture(readout: str, averaging: str, presentations: int) -> Mixture:
    """How a read-out mixes the last weights and the sum after so many presentations.

    >>> mixture("averaged", "post", 4)
    Mixture(of_last=1, of_sum=1, divisor=4)
    """
    n = presentations
    if readout == "last" or n == 0:
        return Mixture(1, 0, 1)
    if averaging == "pre":
        return Mixture(0, 1, n)
    return Mixture(1, 1, n + 1 if averaging == "ciml" else n)


def check(keep: tuple[str, ...] | str, readout: str, averaging: str) -> tuple[str, ...]:
    """Refuse what is not there, and a read-out that is not kept."""
    if not isinstance(keep, str | tuple | list):
        raise InputError(f"keep: got {keep!r}, wanted a tuple of {' and '.join(READOUTS)}")
    kept = (keep,) if isinstance(keep, str) else tuple(keep)
    for name in (*kept, readout):
        if name not in READOUTS:
            raise InputError(f"keep and readout: got {name!r}, wanted {' or '.join(READOUTS)}")
    if readout not in kept and readout != "last":
        raise InputError(f"readout={readout!r} is not kept; wanted keep={(*kept, readout)!r}")
    if averaging not in AVERAGINGS:
        raise InputError(f"averaging: got {averaging!r}, wanted one of {', '.join(AVERAGINGS)}")
    return kept
