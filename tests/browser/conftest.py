"""A browser of the distribution, a service, and pages that report whatever goes wrong in them.

``make test-browser`` runs this folder. Without Playwright or Chromium its tests skip.
"""

from __future__ import annotations

import os
import shutil
from urllib.parse import urlsplit

import pytest

import hardlimit as hl

from . import messages
from .serving import Service

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip
WIDE, PHONE = {"width": 1200, "height": 800}, {"width": 390, "height": 780}
# A machine that does other work at the same time is slow.
PATIENCE = 20_000


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="the extra 'browser' is missing")
    pytest.importorskip("uvicorn", reason="the extra 'serve' is missing")
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("HARDLIMIT_CHROMIUM") or next(filter(None, map(shutil.which, names)), "")
    if not found:
        pytest.skip("there is no Chromium here")
    with api.sync_playwright() as playwright:
        # It makes a folder of its own for the user's data, and removes it.
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """Model files to copy: of two classes, and of many."""
    folder = tmp_path_factory.mktemp("trained")
    kinds = {
        "two": (messages.TEXTS, messages.LABELS),
        "many": (messages.TEXTS * 2, messages.FOLDERS),
    }
    for name, (texts, labels) in kinds.items():
        clf = hl.TextClassifier(words=(1, 2 if name == "two" else 1), chars=None)
        clf.fit(texts, labels).save(folder / name)
    return folder


@pytest.fixture
def model(trained, tmp_path):
    return shutil.copy(trained / "two", tmp_path / "spam.hardlimit")


@pytest.fixture
def many(trained, tmp_path):
    return shutil.copy(trained / "many", tmp_path / "desk.hardlimit")


@pytest.fixture
def serve():
    """Start a service of a model; all of them end with the test."""
    started = []

    def start(path, *options):
        started.append(Service(path, *options))
        return started[-1].start()

    yield start
    for one in started:
        one.kill()


@pytest.fixture(scope="session")
def spare(trained, tmp_path_factory):
    """Hand out services of the model of two classes; the next one starts meanwhile."""

    def launch():
        folder = tmp_path_factory.mktemp("served")
        one = Service(shutil.copy(trained / "two", folder / "spam.hardlimit"))
        one.launch()
        return one

    waiting = [launch()]

    def hand_out():
        one = waiting.pop().wait()
        waiting.append(launch())
        return one

    yield hand_out
    for one in waiting:
        one.kill()


@pytest.fixture
def service(spare):
    one = spare()
    yield one
    one.kill()


class Tabs:
    """Makes pages; ``troubles`` has what went wrong in any of them."""

    def __init__(self, browser):
        self.browser, self.contexts, self.troubles = browser, [], []

    def context(self, **options):
        made = self.browser.new_context(**({"viewport": WIDE} | options))
        made.set_default_timeout(PATIENCE)
        made.on("request", self._check_host)
        self.contexts.append(made)
        return made

    def open(self, url, context=None, **options):
        page = (context or self.context(**options)).new_page()
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("console", self._check_console)
        page.goto(url)
        return page

    def _check_host(self, request):
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "file") and parts.hostname != "127.0.0.1":
            self.troubles.append(f"a request to {request.url}")

    def _check_console(self, message):
        # That a request was refused, or found no service, is what some tests are about.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.troubles.append(f"console: {message.text}")


@pytest.fixture
def tabs(browser):
    made = Tabs(browser)
    yield made
    for context in made.contexts:
        context.close()
    assert not made.troubles


@pytest.fixture
def page(tabs, service):
    """The page of the service, with the model loaded."""
    page = tabs.open(service.url)
    page.get_by_text("2 classes").wait_for()
    return page
