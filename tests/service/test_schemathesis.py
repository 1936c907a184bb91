"""Requests made from the OpenAPI document, valid ones and broken ones, to a running service."""

import os
import subprocess
import sys

import pytest

import hardlimit as hl
from hardlimit.service.app import create_app
from hardlimit.service.keys import KeyFile
from hardlimit.service.logs import Log
from hardlimit.service.settings import Settings

from .serving import in_thread

pytest.importorskip("schemathesis", reason="make test-service installs it")
pytestmark = pytest.mark.slow

# A text whose words the model does not know is a text: no document can say that it is refused.
CONFIG = """
seed = 1
checks.not_a_server_error.enabled = true
[[operations]]
include-path-regex = "^/(correct|guards)$"
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "422"]
"""


def test_nothing_is_found(model, tmp_path):
    keys = KeyFile(str(tmp_path / "its.keys"))
    token = keys.add("root", "admin")
    settings = Settings(keys=keys.path)
    live = hl.open_live(model, str(tmp_path / "its.ledger"))
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    with open(tmp_path / "log", "w") as log:
        app = create_app(live, settings, Log(log), lambda: hl.open_live(model, None))
        with in_thread(app, settings) as port:
            found = subprocess.run(
                [
                    sys.executable, "-m", "schemathesis.cli", "run", "--no-color",
                    f"http://127.0.0.1:{port}/openapi.json", "--checks", "all",
                    "--header", f"Authorization: Bearer {token}", "--continue-on-failure",
                    "--max-examples", os.environ.get("HARDLIMIT_EXAMPLES", "20"),
                ],
                capture_output=True, text=True, cwd=tmp_path, timeout=600,
            )  # fmt: skip
        app.work.close()
    assert found.returncode == 0, found.stdout + found.stderr
    assert "17 selected / 17 total" in found.stdout
