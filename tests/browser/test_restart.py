"""The service is killed and started again: nothing that was acknowledged is lost."""

from .acting import choose, row, view, wait_answer, wait_said


def test_a_killed_service_loses_nothing(tabs, service):
    service.classify("win a prize")
    page = tabs.open(service.url)
    choose(page, "win a prize")
    page.keyboard.press("1")
    wait_answer(page, "ham")
    # The labels of the text as it is now are loaded: a digit names one of them.
    page.locator("#reading button:enabled", has_text="spam").first.wait_for()
    fingerprint = service.ask("model")["fingerprint"]
    page.locator("#compose-text").fill("typed before the end")

    service.kill()
    page.get_by_text("The service does not answer").wait_for()
    page.locator("#reach[data-state=off]").wait_for()
    page.locator(".rows:visible").focus()
    page.keyboard.press("1")
    wait_said(page, "Whether this was done is not known")
    assert page.locator("#compose-text").input_value() == "typed before the end"

    service.start()
    page.get_by_role("button", name="Try now").click()
    page.locator("#reach[data-state=on]").wait_for()
    page.locator("#trouble").wait_for(state="hidden")
    assert service.ask("model")["fingerprint"] == fingerprint
    page.get_by_role("button", name="Classify").click()
    row(page, "typed before the end").wait_for()
    assert page.locator("#compose-text").input_value() == ""
    view(page, "Log")
    page.locator(".card", has_text="corrected to ham").wait_for()
