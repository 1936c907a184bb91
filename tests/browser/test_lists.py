"""The lists: each has a text in view of its own, and a row says what is known of its text."""

import re

from .acting import answer, choose, row, view, wait_answer, wait_said, wait_text

TEXTS = [f"win {k} cheap prizes at lunch" for k in range(30)]


def selected(page):
    return page.locator("[role=option][aria-selected=true]:visible .excerpt")


def test_each_list_has_a_text_in_view_of_its_own(page, service):
    service.classify("the prize meeting", "win cheap pills prize", *TEXTS)
    choose(page, TEXTS[3])
    view(page, "Least certain")
    first = page.locator("[role=option]:visible .excerpt").first
    wait_text(selected(page), first.inner_text())
    assert page.locator("#list").evaluate("(one) => one.scrollTop") == 0
    page.keyboard.press("j")
    wait_text(selected(page), page.locator("[role=option]:visible .excerpt").nth(1).inner_text())
    view(page, "Inbox")
    wait_text(page.locator(".text"), TEXTS[3])
    wait_text(selected(page), TEXTS[3])


def test_home_and_end_go_to_the_ends(page, service):
    service.classify(*TEXTS)
    row(page, TEXTS[0]).wait_for()
    page.keyboard.press("End")
    wait_text(selected(page), TEXTS[0])
    page.keyboard.press("Home")
    wait_text(selected(page), TEXTS[-1])
    wait_text(page.locator(".text"), TEXTS[-1])
    # In a text that has the focus they scroll, as they do everywhere.
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    assert selected(page).inner_text() == TEXTS[-1]


def test_what_was_said_is_gone_with_the_next_step(page, service):
    service.classify("lunch at noon?", "win a prize")
    choose(page, "win a prize")
    for leave in (lambda: view(page, "Log"), lambda: page.keyboard.press("j")):
        view(page, "Inbox")
        page.locator("#reading .why table").first.wait_for()
        page.keyboard.press("1")
        wait_said(page, "Corrected")
        leave()
        page.locator("#say:empty").wait_for(state="attached")


def test_a_guarded_text_says_so_and_is_guarded_no_more(page, service):
    service.classify("lunch at noon?", "win a prize")
    choose(page, "lunch at noon?")
    page.keyboard.press("g")
    wait_text(row(page, "lunch at noon?").locator(".guarded"), "guarded")
    assert row(page, "win a prize").locator(".guarded").count() == 0
    wait_text(page.locator(".answer"), "guarded by #1")
    service.ask("correct", {"text": "lunch at noon? pills", "label": "spam", "guards": "flag"})
    wait_text(row(page, "lunch at noon?").locator(".guarded"), "guard broken")
    page.get_by_role("button", name="Unguard g").click()
    wait_said(page, "Guard #1 removed")
    page.get_by_role("button", name="Guard g").wait_for()
    row(page, "lunch at noon?").locator(".guarded").wait_for(state="detached")
    assert service.ask("guards")["guards"] == []


def test_a_label_that_is_nearly_one_of_the_model_is_not_made(page, service):
    service.classify("minutes of the meeting")
    choose(page, "minutes of the meeting")
    page.keyboard.press("/")
    page.get_by_label("Search labels").fill("sp am")
    page.get_by_text("has to differ from").wait_for()
    assert page.locator("#labels [role=option]").count() == 0
    # Another client makes a class of which this page has no news.
    page.route("**/model", lambda route: None)
    service.ask("correct", {"text": "a new job", "label": "Work", "new_class": True})
    page.get_by_label("Search labels").fill("work")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_text(page.locator(".change"), "look nearly the same")
    page.unroute("**/model")
    page.keyboard.press("Enter")
    wait_answer(page, "Work")
    assert service.ask("model")["classes"] == ["ham", "spam", "Work"]


def test_the_number_of_a_label_is_that_of_the_text_in_view(page, service):
    service.classify("lunch at noon?", "win a prize")
    choose(page, "win a prize")
    assert answer(page) == "spam"
    # While nothing is known of the next text, the number of a label means nothing.
    page.route("**/explain", lambda route: None)
    page.keyboard.press("j")
    wait_text(page.locator(".text"), "lunch at noon?")
    page.keyboard.press("1")
    wait_said(page, "still being loaded")
    assert page.get_by_role("button", name="ham 1").is_disabled()
    assert service.ask("model")["n_entries"] == 0


def test_a_text_without_a_known_term_has_no_bar(page, service):
    service.classify("\u4f1a\u8b70\u306f\u6b63\u5348\u3067\u3059", "", "win a prize")
    page.locator("[role=option]:visible").nth(2).wait_for()
    states = page.locator("[role=option]:visible .row-head").all_inner_texts()
    assert ["no known term" in one for one in states] == [False, True, True]
    page.locator("[role=option]:visible").get_by_text("empty text").wait_for()
    for k, is_known in enumerate((True, False, False)):
        page.locator("[role=option]:visible").nth(k).click()
        page.locator(f"#reading {'.why table' if is_known else '.blind'}").first.wait_for()
        assert page.locator(".track.wide").is_visible() == is_known
        assert page.locator(".blind").is_visible() != is_known
        assert ("%" in page.locator(".answer").inner_text()) == is_known
    page.locator("#compose-text").fill("\u4f1a\u8b70")
    page.keyboard.press("Control+Enter")
    wait_said(page, "with no known term")


def test_equal_texts_are_one_row_that_stays_in_view(page, service):
    service.classify("win a prize", "lunch at noon?")
    choose(page, "win a prize")
    page.mouse.move(900, 700)
    service.classify("win a prize", "win a prize")
    wait_text(row(page, "win a prize").locator(".times"), "3")
    assert page.locator("[role=option]:visible").count() == 2
    # It is the newest now, and still the one in view.
    wait_text(page.locator("[role=option]:visible .excerpt").first, "win a prize")
    wait_text(selected(page), "win a prize")
    wait_text(page.locator(".answer"), "asked 3 times")
    page.keyboard.press("j")
    wait_text(page.locator(".text"), "lunch at noon?")


def test_the_three_likeliest_of_many_labels_have_keys(tabs, serve, many):
    service = serve(many)
    service.classify("win cheap pills")
    page = tabs.open(service.url)
    choose(page, "win cheap pills")
    ranked = service.ask("explain", {"text": "win cheap pills", "labels": 4})["labels"]
    likely = [one["label"] for one in ranked]
    assert answer(page) == likely[0]
    offered = page.locator(".label-buttons button").all_text_contents()
    assert offered == [f"{one} {k + 1}" for k, one in enumerate(likely[1:])] + [
        "other label\u2026 /"
    ]
    page.keyboard.press("2")
    wait_answer(page, likely[2])
    wait_said(page, f"now {likely[2]}.")


def test_times_of_other_days_have_their_date(page):
    told = page.evaluate(
        "import('/static/words.js').then(({ shortTime }) => [0, 1, 40].map((days) => {"
        " const at = new Date(); at.setDate(at.getDate() - days); at.setHours(9, 5, 0);"
        " return shortTime(at.toISOString()); }))"
    )
    assert told[:2] == ["09:05", "yesterday 09:05"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d 09:05", told[2])


def test_a_long_text_has_one_scrollbar(page, service):
    service.classify(*TEXTS, "win a prize at lunch. " * 400)
    choose(page, "win a prize at lunch.")
    color = "(one) => getComputedStyle(one).scrollbarColor"
    page.locator("#reading").focus()
    page.mouse.move(900, 500)
    assert page.locator("#list").evaluate(color) == "rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)"
    assert page.locator("#reading").evaluate(color) == "auto"
    page.mouse.move(100, 500)
    assert page.locator("#list").evaluate(color) == "auto"
