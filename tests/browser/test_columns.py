"""Rows of a model of several columns are read as lines, typed as JSON, and corrected."""

import hardlimit as hl

from .acting import choose, wait_said

ROWS = [{"city": "Ghent", "note": "pays late"}, {"city": "Bruges", "note": "new here"}] * 4


def test_a_row_is_shown_a_line_a_column_and_corrected(tabs, serve, tmp_path):
    path = tmp_path / "people.hardlimit"
    classifier = hl.TableClassifier(category_columns=["city"], text_columns=["note"])
    classifier.fit(ROWS, ["stays", "leaves"] * 4).save(path)
    service = serve(path)
    service.classify({"city": "Ostend", "note": "pays <b>late</b>"})
    page = tabs.open(service.url)
    choose(page, "Ostend")
    text = page.locator("#reading .text")
    text.filter(has_text="note: pays <b>late</b>").wait_for()
    assert text.inner_text().strip() == "city: Ostend\nnote: pays <b>late</b>"
    page.keyboard.press("1")
    wait_said(page, "Corrected #1: now leaves.")
    page.locator("#reading", has_text="city = Ostend").wait_for()
    box = page.locator("#compose-text")
    assert box.get_attribute("placeholder") == '{"city":"…","note":"…"}'
    box.fill('{"city": "Ghent", "note": "new here"}')
    box.press("Control+Enter")
    text.filter(has_text="city: Ghent\nnote: new here").wait_for()
