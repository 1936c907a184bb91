"""Everything works without a mouse, and the focus is always somewhere that can be seen."""

from .acting import wait_said


def focus(page):
    return page.evaluate(
        "(() => { const one = document.activeElement; return one.id || one.className || one.role"
        " || one.textContent; })()"
    )


def test_a_whole_round_by_keys(page, service):
    page.keyboard.press("n")
    page.keyboard.type("win a cheap prize")
    page.keyboard.press("Control+Enter")
    page.locator("#reading .why table").first.wait_for()
    page.keyboard.press("Escape")
    assert focus(page) == "rows"

    service.classify("lunch at noon?", "the meeting")
    page.locator("[role=option]:visible").nth(2).wait_for()
    page.keyboard.press("k")
    page.locator("#reading .text", has_text="lunch").wait_for()
    page.keyboard.press("ArrowUp")
    page.locator("#reading .text", has_text="the meeting").wait_for()
    active = page.locator(".rows:visible").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-selected") == "true"
    page.locator("#reading .why table").first.wait_for()
    page.keyboard.press("c")
    wait_said(page, "Confirmed: ham.")
    page.locator("#reading .text", has_text="lunch").wait_for()
    page.locator("#reading .why table").first.wait_for()
    page.keyboard.press("1")
    wait_said(page, "Corrected")
    page.keyboard.press("u")
    wait_said(page, "Undone")
    assert focus(page) == "rows"


def test_views_and_help_by_keys(page):
    for name in ("queue", "guards", "log", "progress", "inbox"):
        page.keyboard.press("]")
        page.locator(f"body[data-view={name}]").wait_for()
    page.keyboard.press("[")
    page.locator("body[data-view=progress]").wait_for()
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keys").wait_for()
    assert page.locator("#help tr").count() > 10
    page.keyboard.press("Escape")
    page.locator("#help").wait_for(state="hidden")
    page.keyboard.press("Escape")
    page.locator("body[data-view=inbox]").wait_for()


def test_single_keys_can_be_switched_off(page, service):
    service.classify("win a prize")
    page.keyboard.press("?")
    page.get_by_label("Single keys do nothing").check()
    page.get_by_role("button", name="Close").click()
    page.locator("[role=option]:visible").wait_for()
    page.keyboard.press("j")
    assert page.locator("[role=option][aria-selected=true]").count() == 0


def test_keys_are_letters_where_something_is_typed(page, service):
    service.classify("win a prize")
    page.keyboard.press("j")
    page.keyboard.press("n")
    page.keyboard.type("cu1?")
    assert page.locator("#compose-text").input_value() == "cu1?"
    assert service.ask("model")["n_entries"] == 0


def test_tab_goes_through_the_page_and_is_seen(page, service):
    service.classify("win a prize")
    page.locator("[role=option]:visible").wait_for()
    page.keyboard.press("j")
    page.locator("#reading .why table").first.wait_for()
    seen = []
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        seen.append(focus(page))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", seen[-1]
    assert "rows" in seen and "compose-text" in seen
    assert any(one.startswith("Confirm") or one == "primary" for one in seen)


def test_what_happens_is_said_to_screen_readers(page):
    assert page.locator("#say").get_attribute("aria-live") == "polite"
    assert page.locator("#trouble").get_attribute("role") == "alert"
    assert page.locator(".rows:visible, .rows").first.get_attribute("role") == "listbox"
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, input, textarea, dialog, section')].filter((one) =>"
        " !(one.textContent.trim() || one.ariaLabel || one.getAttribute('aria-labelledby')"
        " || one.labels?.length || one.hidden)).map((one) => one.outerHTML)"
    )
    assert not unnamed
