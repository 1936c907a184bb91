"""Several labels at the beginning of lines of sparse numbers: rows with sets, or a refusal.

The first byte chooses the separator and whether bad rows are left out; the rest is the file.
"""

from fuzz.harness import refusals_pass, scratch

SEPARATORS = (",", ";", "|", "+")

SEEDS = [
    bytes([kind]) + text
    for kind in (0, 1, 4)
    for text in (
        b"1,3 5:0.2 7:1 # note\n2 1:1\n 4:0.5\n\n# all\n3,1,3 qid:7 2:1e3\n",
        b"1;3 5:0.2\r\n-1;2.5 1:1\r\n",
        b"1,x 5:0.2\n1,,2 5:0.2\n1,nan 2:3\n1,1_0 2:3\n1,1e999 2:3\n\xff,2 1:1\n",
        b"0.5,1e-3,+2 1:1 2:2",
    )
]


def run(data: bytes) -> None:
    """Read the file, and look at its sets."""
    from hardlimit import readers

    if not data:
        return
    separator, skip_bad = SEPARATORS[data[0] & 3], bool(data[0] & 4)
    path = scratch(data[1:], "input.svmlight")
    with refusals_pass():
        found = readers.load_numbers(
            path, format="svmlight", labels_separator=separator, skip_bad=skip_bad
        )
        assert found.y is not None and len(found.y) == found.X.shape[0] == len(found.X.indptr) - 1
        for labels in found.y:
            assert type(labels) is tuple and len({*labels}) == len(labels)
            assert all(type(one) in (int, float) and one - one == 0 for one in labels)
