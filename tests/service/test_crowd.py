"""Who gives way to a new connection."""

import pytest

from hardlimit.service.limits import REQUEST, REST, Crowd


class One:
    def __init__(self, wait):
        self.wait, self.ended = wait, False

    def waiting(self):
        return self.wait

    def give_way(self):
        self.ended = True


@pytest.fixture
def crowd():
    return Crowd()


def ended(crowd, members, times=1):
    """The places of those that ended, in their order."""
    left, found = list(members), []
    for _ in range(times):
        new = One((REQUEST, 999.0))
        if not crowd.make_room([*left, new], new):
            found.append(None)
            continue
        assert not new.ended
        (gone,) = [one for one in left if one.ended]
        left.remove(gone)
        found.append(members.index(gone))
    return found


def test_the_longest_wait_ends_first_and_requests_before_what_is_half_there(crowd):
    members = [One((REST, 1.0)), One((REQUEST, 5.0)), One(None), One((REQUEST, 3.0))]
    assert ended(crowd, members, 5) == [3, 1, 0, None, None]


def test_one_that_moved_since_is_passed_over(crowd):
    members = [One((REQUEST, number)) for number in (1.0, 2.0, 3.0)]
    assert ended(crowd, members) == [0]
    members[1].wait = (REQUEST, 9.0)
    assert ended(crowd, members[1:], 2) == [1, 0]


def test_a_new_wait_for_a_request_ends_before_an_old_wait_for_a_rest(crowd):
    members = [One((REQUEST, 1.0)), One((REST, 2.0))]
    assert ended(crowd, members) == [0]
    later = [members[1], One((REQUEST, 5.0))]
    assert ended(crowd, later, 2) == [1, 0]
