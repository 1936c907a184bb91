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


def test_the_base_install_is_enough():
    program = (
        "import sys\n"
        "for name in ('scipy', 'sklearn', 'matplotlib', 'flint', 'pandas'):\n"
        "    sys.modules[name] = None\n"
        "from hardlimit import LinearClassifier, TextClassifier, reports\n"
        "X, y = [[0., 0.], [0., 1.], [1., 0.], [1., 1.]], [0, 1, 1, 0]\n"
        "model = LinearClassifier(max_iter=5).fit(X, y)\n"
        "page = reports.report(model, X, y, train=(X, y))\n"
        "assert '<strong>No. </strong>' in page, page\n"
        "texts = ['win a prize', 'lunch at noon'] * 5, ['spam', 'ham'] * 5\n"
        "print(len(page), len(reports.report(TextClassifier().fit(*texts), *texts)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
