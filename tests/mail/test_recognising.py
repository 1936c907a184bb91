"""What looks like a raw message."""

import pytest

from hardlimit.mail.recognising import looks_like_mail


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"Received: from a by b\nFrom: c@a.org\nSubject: hello\n\n", True),
        (b"Received: 3 parcels\nSubject: stock\n\n", False),  # two fields: any list of notes
        (b"Received: 3 parcels\nreceived: 4\nSubject: stock\n\n", False),
        (b"From: c@a.org\nTo: b@a.org\nSubject: hello\n\n", False),  # a post of a news group
    ],
)
def test_three_fields_of_which_one_is_of_the_way(data, wanted):
    assert looks_like_mail(data) is wanted
