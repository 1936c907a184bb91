"""Two people at once: each sees what the other did, and is told where it conflicts."""

from .acting import answer, choose, row, wait_answer, wait_said


def test_two_tabs_stay_right(tabs, service):
    service.classify("win a prize", "lunch at noon?")
    context = tabs.context()
    one, two = tabs.open(service.url, context), tabs.open(service.url, context)
    for page in (one, two):
        choose(page, "win a prize")
        assert answer(page) == "spam"
    one.locator("#compose-text").fill("still typing")
    two.bring_to_front()
    two.keyboard.press("1")
    wait_answer(two, "ham")
    # The other one follows by itself, and keeps what was typed.
    one.bring_to_front()
    wait_answer(one, "ham")
    one.locator("[role=option][data-state=corrected]:visible", has_text="win a prize").wait_for()
    assert one.locator("#compose-text").input_value() == "still typing"


def test_a_confirmation_of_what_is_no_longer_so_is_refused(tabs, service):
    service.classify("win a prize")
    page = tabs.open(service.url)
    choose(page, "win a prize")
    # Another client corrects while this page has no news of it.
    page.route("**/model", lambda route: None)
    service.ask("correct", {"text": "win a prize", "label": "ham"})
    page.keyboard.press("c")
    page.locator("#say[data-kind=bad]").wait_for()
    assert [one["kind"] for one in service.ask("log")["entries"]] == ["correct"]
    page.unroute("**/model")


def test_an_entry_that_somebody_else_undid(tabs, service):
    service.classify("win a prize")
    page = tabs.open(service.url)
    choose(page, "win a prize")
    page.keyboard.press("1")
    wait_answer(page, "ham")
    page.route("**/model", lambda route: None)
    service.ask("undo", {"id": 1})
    page.locator(".change").get_by_role("button", name="Undo").click()
    wait_said(page, "undone already")
    page.unroute("**/model")


def test_new_texts_do_not_move_what_the_mouse_is_over(tabs, service):
    service.classify("win a prize")
    page = tabs.open(service.url)
    row(page, "win a prize").hover()
    before = row(page, "win a prize").bounding_box()["y"]
    service.classify("lunch at noon?")
    page.get_by_role("button", name="1 new text: show").wait_for()
    page.mouse.move(900, 500)
    row(page, "lunch at noon?").wait_for()
    assert row(page, "win a prize").bounding_box()["y"] > before
