"""What errors show: no credentials of URIs, and no text costs more than linear time to look at."""

import time

import pytest

from hardlimit.exceptions import DataFormatError, mask


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("https://h/a.csv#token=SECRET", "https://h/a.csv#..."),
        ("http://h/a.csv#SECRET", "http://h/a.csv#..."),
        ("HTTPS://h/a.csv?x#SECRET", "HTTPS://h/a.csv?x#..."),
        ("s3://b/a.csv#token=SECRET", "s3://b/a.csv#..."),
        ("s3://b/a#1.csv and s3://b/part-?.csv", "s3://b/a#1.csv and s3://b/part-?.csv"),
        ("'https://h/a?k=SECRET', 'https://h/#SECRET'", "'https://h/a?...', 'https://h/#...'"),
        ("https://ann:SECRET@h/a?k=SECRET: gone", "https://***@h/a?... gone"),
    ],
)
def test_credentials_are_masked(text, wanted):
    assert mask(text) == wanted
    assert "SECRET" not in repr(DataFormatError("damaged", where=text, got=text))


@pytest.mark.parametrize("piece", ["https://", "a://b?", "a://b#", "https://a:b@c?d=e'", "a:"])
def test_long_texts_take_linear_time(piece):
    def seconds(n):
        text, best = piece * n + "://", 9.0
        for _ in range(3):
            began = time.process_time()
            mask(text)
            best = min(best, time.process_time() - began)
        return max(best, 0.002)

    assert seconds(16_000) / seconds(2000) < 30
