"""The way of a text: classified, read, confirmed, corrected, undone."""

from .acting import answer, choose, row, view, wait_answer, wait_said, wait_text


def test_a_text_is_classified_corrected_undone_and_confirmed(page, service):
    page.locator("#compose-text").fill("the prize committee meets now")
    page.keyboard.press("Control+Enter")
    row(page, "the prize committee").wait_for()
    page.locator("#reading .why table").first.wait_for()
    assert answer(page) == "spam"
    assert page.locator("#compose-text").input_value() == ""
    page.locator("#reading mark.for").first.wait_for()
    assert page.locator("#reading mark.for").all_inner_texts()[:2] == ["prize", "now"]

    page.get_by_role("button", name="ham 1").click()
    wait_answer(page, "ham")
    wait_said(page, "Corrected #1: now ham.")
    page.locator("[role=option][data-state=corrected]:visible").wait_for()
    assert service.ask("explain", {"text": "the prize committee meets now"})["label"] == "ham"

    page.keyboard.press("u")
    wait_answer(page, "spam")
    wait_said(page, "Undone #1: now spam.")
    page.locator("[role=option][data-state=new]:visible").wait_for()
    entries = service.ask("log")["entries"]
    assert [one["kind"] for one in entries] == ["undo", "correct"]

    page.keyboard.press("c")
    wait_said(page, "Confirmed: spam.")
    page.locator("[role=option][data-state=confirmed]:visible").wait_for()
    page.keyboard.press("u")
    wait_said(page, "Undone #3")
    page.locator("[role=option][data-state=new]:visible").wait_for()
    view(page, "Log")
    card = page.locator(".card", has_text="#1 corrected to ham")
    wait_text(card, "was spam by")


def test_a_correction_says_which_texts_changed_sides(page, service):
    service.classify("cheap pills", "win cheap pills now")
    choose(page, "win cheap pills now")
    page.keyboard.press("1")
    change = page.locator(".change")
    change.get_by_text("Of 1 other remembered text, 1 changed sides:").wait_for()
    flip = change.locator(".flips li")
    wait_text(flip.first, "cheap pills")
    wait_text(flip.first, "spam")
    flip.get_by_role("button").first.click()
    wait_answer(page, "ham")
    wait_text(page.locator(".text"), "cheap pills")
    # What was said is struck out in the list, and the label of now stands beside it.
    wait_text(row(page, "cheap pills").locator(".label.before"), "spam")


def test_a_text_that_is_decided_is_not_counted_again(page, service):
    service.classify("lunch at noon?", "win a prize")
    choose(page, "win a prize")
    page.keyboard.press("1")
    wait_said(page, "Corrected #1")
    page.get_by_role("button", name="Next c").wait_for()
    page.keyboard.press("c")
    page.locator(".text", has_text="lunch at noon?").wait_for()
    page.locator("#reading .why table").first.wait_for()
    page.keyboard.press("c")
    wait_said(page, "Confirmed: ham.")
    page.get_by_role("button", name="Next c").click()
    wait_said(page, "Every text of this list is decided.")
    assert [one["kind"] for one in service.ask("log")["entries"]] == ["confirm", "correct"]


def test_a_try_changes_nothing_until_it_is_done(page, service):
    service.classify("a prize for the meeting at noon")
    choose(page, "a prize for the meeting")
    before = answer(page)
    other = "spam" if before == "ham" else "ham"
    page.keyboard.press("/")
    page.get_by_label("Search labels").fill(other)
    page.get_by_label("Try only").check()
    page.get_by_label("Search labels").press("Enter")
    page.locator(".change[data-kind=tried]").get_by_text("It would be").wait_for()
    assert service.ask("model")["n_entries"] == 0
    page.get_by_role("button", name="Do it").click()
    wait_answer(page, other)
    assert service.ask("model")["n_entries"] == 1


def test_a_new_label_is_made_only_by_choosing_it(page, service):
    service.classify("minutes of the meeting")
    choose(page, "minutes of the meeting")
    page.keyboard.press("/")
    page.get_by_label("Search labels").fill("work")
    page.keyboard.press("Enter")
    assert page.locator("#picker").is_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_answer(page, "work")
    wait_text(page.locator(".change"), "work is a new class")
    assert service.ask("model")["classes"] == ["ham", "spam", "work"]
    page.get_by_text("3 classes").wait_for()


def test_many_labels_are_searched(tabs, serve, many):
    service = serve(many)
    service.classify("win cheap pills")
    page = tabs.open(service.url)
    choose(page, "win cheap pills")
    rival = service.ask("explain", {"text": "win cheap pills"})["rival"]
    page.keyboard.press("/")
    assert page.locator("#labels [role=option]").first.inner_text().startswith(rival)
    page.get_by_label("Search labels").fill("cafe")
    options = page.locator("#labels [role=option]").all_inner_texts()
    assert options[0].startswith("caf\u00e9") and options[-1].startswith("New label")
    page.keyboard.press("Enter")
    wait_answer(page, "caf\u00e9")
    # A label that was used has a number from now on, after the three likeliest ones.
    page.mouse.move(900, 700)
    service.classify("minutes of the meeting")
    choose(page, "minutes of the meeting")
    page.keyboard.press("9")
    wait_said(page, "No label has the number 9")
    offered = page.locator(".label-buttons button").all_text_contents()
    name, number = offered[-2].split()
    assert name == "caf\u00e9" and offered[-1] == "other label\u2026 /"
    page.keyboard.press(number)
    wait_said(page, "now caf\u00e9.")


def test_a_reload_shows_the_same(page, service):
    service.classify("lunch at noon?", "win a prize")
    choose(page, "win a prize")
    page.keyboard.press("1")
    wait_answer(page, "ham")
    page.locator("#compose-text").fill("half a sentence")
    page.reload()
    row(page, "win a prize").wait_for()
    assert row(page, "win a prize").get_attribute("data-state") == "corrected"
    assert row(page, "lunch at noon?").get_attribute("data-state") == "new"
    assert page.locator("#compose-text").input_value() == "half a sentence"
    view(page, "Log")
    page.locator(".card", has_text="corrected to").wait_for()


def test_the_least_certain_comes_first_and_leaves_when_it_is_decided(page, service):
    service.classify("win cheap pills prize", "the prize meeting", "lunch at noon meeting")
    view(page, "Least certain")
    page.locator("[role=option]:visible").nth(2).wait_for()
    wait_text(page.locator("[role=option]:visible").first, "the prize meeting")
    # It opens with the first of them.
    wait_text(page.locator(".text"), "the prize meeting")
    page.locator("#reading .why table").first.wait_for()
    page.keyboard.press("c")
    wait_said(page, "Confirmed")
    page.locator("[role=option]:visible", has_text="the prize meeting").wait_for(state="hidden")
    assert "the prize meeting" not in page.locator(".text").inner_text()
    # One that is corrected stays in view, and can be taken back from there.
    page.locator("#reading .why table").first.wait_for()
    page.keyboard.press("1")
    wait_said(page, "Corrected #2")
    page.keyboard.press("u")
    wait_said(page, "Undone #2")
    assert page.locator(".toolbar").get_by_role("button", name="Undo").is_hidden()


def test_the_log_undoes_an_entry_and_the_undo(page, service):
    service.ask("correct", {"text": "win a prize", "label": "ham"})
    view(page, "Log")
    page.get_by_role("button", name="Undo #1").click()
    wait_said(page, "Undone #1")
    page.locator(".card.undone", has_text="#1 ").wait_for()
    page.get_by_role("button", name="Undo #2").click()
    wait_said(page, "Undone #2")
    page.locator(".card", has_text="undid #2").wait_for()
    assert service.ask("explain", {"text": "win a prize"})["label"] == "ham"


def test_a_refusal_is_told_in_plain_words_and_the_text_is_kept(model, serve, tabs):
    service = serve(model, "--max-body", "1024")
    page = tabs.open(service.url)
    page.locator("#compose-text").fill("win " * 1000)
    page.keyboard.press("Control+Enter")
    wait_said(page, "The text is too long for this service.")
    assert page.locator("#compose-text").input_value() == "win " * 1000
    page.locator("#compose-text").fill("win a prize")
    page.keyboard.press("Control+Enter")
    wait_said(page, "Classified: spam")
