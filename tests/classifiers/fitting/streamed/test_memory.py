"""What a stream says that it takes at most is what its process takes at most."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
    import json, random, sys
    import hardlimit as hl
    from hardlimit.classifiers.fitting.streamed import memory

    def peak():
        with open("/proc/self/status") as file:
            return next(int(one.split()[1]) for one in file if one.startswith("VmHWM")) << 10

    def batches():
        draw = random.Random(1)
        for _ in range(16):
            texts = [" ".join(f"{draw.getrandbits(40):x}" for _ in range(100)) for _ in range(1024)]
            yield texts, ["ham", "spam"] * 512

    plans, before = [], peak()
    clf = hl.TextClassifier(max_iter=1, order="stream", **json.loads(sys.argv[1]))
    clf.fit_stream(batches, announce=plans.append)
    print(json.dumps([peak() - before, before, memory.PROGRAM, plans[0].memory]))
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc")
@pytest.mark.parametrize(
    ("features", "counts"),
    [
        ({"words": (1, 2), "chars": None, "idf": None, "max_features": 5000}, True),
        ({"words": (1, 2), "chars": None, "idf": None, "hash_bits": 16}, False),
    ],
)
def test_a_stream_takes_no_more_than_it_says(features: dict[str, object], counts: bool) -> None:
    words = [sys.executable, "-c", textwrap.dedent(PROGRAM), json.dumps(features)]
    done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=120)
    more, before, program, said = json.loads(done.stdout)
    assert before <= program == said.pop("program")
    assert ("terms being counted" in said) == counts
    assert more <= sum(said.values()), (more, said)
