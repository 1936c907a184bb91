"""Draw the pictures of the page and of a report: ``python -m tests.browser.screenshots FOLDER``.

They show small models of a help desk, made here, so that nobody's messages are in them.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hardlimit as hl

from .conftest import ARGUMENTS, PHONE
from .serving import Service

WIDE = {"width": 1200, "height": 720}
EXAMPLES = {
    "billing": [
        "the invoice has the wrong amount", "I was charged twice this month",
        "please send the invoice again", "refund the second charge on my card",
    ],
    "shipping": [
        "my parcel has not arrived", "the delivery was left in the rain",
        "where is my order, tracking says delivered", "change the delivery address of my order",
    ],
    "fault": [
        "the screen stays black after the update", "it does not switch on any more",
        "the app crashes when I open the camera", "the battery is empty after one hour",
    ],
}  # fmt: skip
TEXTS = [
    "The parcel arrived, but the box was wet and the screen is black.",
    "I was charged for an order that I never made.",
    "Tracking says delivered. There is no parcel here.",
    "The app asks for an update every hour and then crashes.",
    "Can you change the address on the invoice?\nThe delivery address is fine.",
    "The battery that you sent does not fit, please send another one.",
    "Please refund the delivery charge.",
]


def draw(folder: Path) -> None:
    """Write triage-wide.png, triage-phone.png and report.png."""
    with tempfile.TemporaryDirectory() as scratch:
        _shoot_report(_write_report(Path(scratch) / "report.html"), folder)
        service = Service(_train(Path(scratch) / "desk.hardlimit")).start()
        try:
            _decide(service)
            _shoot(service, folder)
        finally:
            service.kill()


def _train(path: Path) -> Path:
    pairs = [(text, label) for label, texts in EXAMPLES.items() for text in texts]
    clf = hl.TextClassifier(words=(1, 2), chars=None)
    clf.fit(*map(list, zip(*pairs, strict=True))).save(path)
    return path


def _write_report(path: Path) -> Path:
    """Write the report on short mixtures of the examples, some of which nobody could tell."""
    draw = random.Random(3)

    def rows(count: int) -> tuple[list[str], list[str]]:
        labels = [draw.choice(list(EXAMPLES)) for _ in range(count)]
        return [_mix(draw, label) for label in labels], labels

    clf = hl.TextClassifier(probability=True).fit(*rows(400))
    path.write_text(hl.reports.report(clf, *rows(240)))
    return path


def _mix(draw: random.Random, label: str) -> str:
    other = draw.choice(["", *EXAMPLES[draw.choice(list(EXAMPLES))]])
    words = f"{draw.choice(EXAMPLES[label])} {other}".split()
    return " ".join(draw.sample(words, min(5, len(words))))


def _decide(service: Service) -> None:
    service.classify(*TEXTS)
    service.ask("confirm", {"text": TEXTS[1], "label": "billing", "by": "alice"})
    service.ask("correct", {"text": TEXTS[2], "label": "shipping", "by": "alice"})
    service.ask("guards", {"text": TEXTS[3], "by": "alice"})


@contextmanager
def _chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright  # the tests are collected without it

    found = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


def _shoot_report(report: Path, folder: Path) -> None:
    with _chromium() as browser:
        page = browser.new_page(viewport=WIDE, color_scheme="light")
        page.goto(report.as_uri())
        page.screenshot(path=folder / "report.png")


def _shoot(service: Service, folder: Path) -> None:
    with _chromium() as browser:
        page = browser.new_page(viewport=WIDE, color_scheme="light")
        page.goto(service.url)
        page.locator("[role=option]", has_text="address on the invoice").click()
        page.locator("#reading .why table").first.wait_for()
        page.get_by_role("button", name="billing").click()
        page.locator(".change .flips, .change p").first.wait_for()
        page.locator(".why", has_text="Corrections that pushed it").wait_for()
        page.screenshot(path=folder / "triage-wide.png")
        page = browser.new_page(viewport=PHONE, color_scheme="dark")
        page.goto(service.url)
        page.locator("[role=option]", has_text="does not fit").click()
        page.locator("#reading .why table").first.wait_for()
        page.screenshot(path=folder / "triage-phone.png")


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
