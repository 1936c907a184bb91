"""Draw the pictures of docs/guides/triage.md: ``python -m tests.browser.screenshots FOLDER``.

They show a small model of a help desk, made here, so that nobody's messages are in them.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

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
    """Write triage-wide.png and triage-phone.png."""
    with tempfile.TemporaryDirectory() as scratch:
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


def _decide(service: Service) -> None:
    service.classify(*TEXTS)
    service.ask("confirm", {"text": TEXTS[1], "label": "billing", "by": "alice"})
    service.ask("correct", {"text": TEXTS[2], "label": "shipping", "by": "alice"})
    service.ask("guards", {"text": TEXTS[3], "by": "alice"})


def _shoot(service: Service, folder: Path) -> None:
    found = shutil.which("chromium") or shutil.which("google-chrome")
    from playwright.sync_api import sync_playwright  # the tests are collected without it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
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
        browser.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
