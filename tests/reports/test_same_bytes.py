"""The same model and rows, the same bytes: twice, whatever the hash seed, fresh and loaded."""

import json
import os
import subprocess
import sys

from hardlimit import load, reports


def test_twice_the_same(kind, page):
    assert reports.report(*kind, examples=3) == page


def test_the_hash_seed_does_not_matter(texts, tmp_path):
    model, X, y = texts
    model.save(tmp_path / "m.hardlimit")
    program = (
        "import json, sys\n"
        "from hardlimit import reports\n"
        "X, y = json.loads(sys.stdin.read())\n"
        "page = reports.report(sys.argv[1], X, y, train=(X[:9], y[:9]))\n"
        "sys.stdout.buffer.write(page.encode())"
    )
    pages = {
        subprocess.run(
            [sys.executable, "-c", program, tmp_path / "m.hardlimit"],
            input=json.dumps([X, y]).encode(),
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(pages) == 1 and len(pages.pop()) > 10_000


def test_a_loaded_model_tells_what_the_fresh_one_told(texts, tmp_path):
    model, X, y = texts
    path = tmp_path / "somewhere" / "m.hardlimit"
    path.parent.mkdir()
    model.save(path)
    fresh, loaded = reports.report(model, X, y), reports.report(load(path), X, y)
    assert fresh == loaded
    told = reports.report(path, X, y)
    assert "its SHA-256" in told and "somewhere" not in told


def test_what_comes_first_in_the_rows_does_not_move_the_figures(texts):
    model, X, y = texts
    there, back = reports.report(model, X, y), reports.report(model, X[::-1], y[::-1])
    one, two = (page.split('id="held-out"')[1].split("</section>")[0] for page in (there, back))
    assert one == two
