"""Labels that are no texts stay what they are: numbers go to the browser and come back."""

import hardlimit as hl

from . import messages
from .acting import choose, wait_said


def test_labels_that_are_numbers(tabs, serve, tmp_path):
    path = tmp_path / "numbers.hardlimit"
    labels = [1.0, 2.0] * 4
    hl.TextClassifier(words=(1, 2), chars=None).fit(messages.TEXTS, labels).save(path)
    service = serve(path)
    service.classify("win a prize", "lunch at noon?")
    page = tabs.open(service.url)
    choose(page, "lunch at noon?")
    page.keyboard.press("1")
    wait_said(page, "Corrected #1: now 1.")
    page.locator("#reading .answer .label", has_text="1").wait_for()
    page.keyboard.press("/")
    page.get_by_label("Search labels").fill("2")
    page.keyboard.press("Enter")
    wait_said(page, "now 2.")
    assert service.ask("model")["classes"] == [1.0, 2.0]
