"""``hardlimit demo`` as a stranger sees it."""

from __future__ import annotations

import os


def test_demo_beats_the_baseline_by_far_and_fits_the_screen(hardlimit, tmp_path) -> None:
    done = hardlimit("demo", "-o", tmp_path / "demo.hardlimit", COLUMNS="80")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    lines = done.stdout.splitlines()
    # Lines that name the command by its path are as long as the path of the environment.
    paths = (str(tmp_path), f"{os.sep}bin{os.sep}")
    assert max(len(line) for line in lines if not any(path in line for path in paths)) <= 80
    figure = {line.split()[0]: line.split()[1] for line in lines if len(line.split()) > 1}
    assert float(figure["accuracy"]) > 0.7 > 0.2 > float(figure["baseline"])
    for expected in ("most telling terms", "contribution", "hardlimit train FILE"):
        assert expected in done.stdout
    assert (tmp_path / "demo.hardlimit").exists()
