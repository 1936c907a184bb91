"""What is told of an error."""

import pytest

from hardlimit.exceptions import CorrectionError, FileError
from hardlimit.service.problems import problem_of


@pytest.mark.parametrize(
    ("error", "wait"),
    [
        (CorrectionError("too many", topic="rate", wait=59.2), b"60"),
        (CorrectionError("too many", topic="rate"), b"1"),
        (FileError("another process writes", topic="busy"), b"1"),
    ],
)
def test_a_client_is_told_when_to_try_again(error, wait):
    assert problem_of(error).headers == ((b"retry-after", wait),)


def test_what_no_time_mends_names_none():
    assert problem_of(CorrectionError("no", topic="influence")).headers == ()
