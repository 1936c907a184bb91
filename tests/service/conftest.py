"""A small model behind the application, and its client."""

import io
import json

import pytest

import hardlimit as hl
from hardlimit.service.app import create_app
from hardlimit.service.logs import Log
from hardlimit.service.settings import Settings

from ..cli.conftest import hardlimit as hardlimit
from .client import Client

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"] * 2
LABELS = ["spam", "ham"] * 4


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("service") / "spam.hardlimit"
    hl.TextClassifier(words=(1, 2), chars=None).fit(TEXTS, LABELS).save(path)
    return str(path)


@pytest.fixture
def start(model, tmp_path):
    """Make a client of a new service; its log is `client.log()`."""
    begun = []

    def make(path=model, live=None, headers=None, reopen=None, **settings):
        live = live or hl.open_live(path, str(tmp_path / f"{len(begun)}.ledger"))
        stream = io.StringIO()
        settings = Settings(**settings)
        app = create_app(
            live, settings, Log(stream, settings.log_share, settings.log_texts), reopen
        )
        client = Client(app, **headers or {})
        client.live = live
        client.log = lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
        begun.append(client)
        return client

    yield make
    for client in begun:
        client.app.work.close()
        client.close()


@pytest.fixture
def client(start):
    return start()
