"""The chart: axes, a readout by mouse and keys, the same figures as a table."""

from .acting import view, wait_text


def test_the_chart_tells_its_figures(page, service):
    for k in range(80):
        label = "ham" if k % 4 == 0 else None
        text = f"win a prize {k}"
        if label:
            service.ask("correct", {"text": text, "label": label})
        else:
            now = service.ask("explain", {"text": text})["label"]
            service.ask("confirm", {"text": text, "label": now})
    view(page, "Progress")
    page.locator(".figures").get_by_text("correct before learning").wait_for()
    page.locator(".chart svg .line.accuracy path").wait_for()
    assert page.locator(".chart .grid text").count() >= 3
    last = page.locator(".readout").inner_text()
    assert last.startswith("#") and "correct before learning" in last and "%" in last
    page.locator(".chart").focus()
    page.keyboard.press("Home")
    first = page.locator(".readout").inner_text()
    page.locator(".chart").hover()
    page.get_by_text("The figures as a table").click()
    rows = page.locator(".scroll tbody tr")
    progress = service.ask("progress")
    windows = (progress.get("progress") or progress)["windows"]
    assert rows.count() == len(windows)
    assert first != last or len(windows) == 1
    wait_text(page.locator(".figures"), "80 decisions")


def test_without_decisions_there_is_no_chart(page):
    view(page, "Progress")
    page.get_by_text("there is nothing to measure").wait_for()
    assert page.locator(".chart").is_hidden()
