"""What holds for every report: whole HTML, nothing from outside, readable without eyes."""

import re

from hardlimit import reports


def test_every_kind_of_model_gives_a_whole_page(page, parsed):
    page = parsed(page)
    assert page.sections()[0] == "verdict" and page.sections()[-1] == "method"
    for link in page.all("a"):
        assert link["href"][0] == "#" and link["href"][1:] in page.ids


def test_without_labels_what_needs_them_is_left_out(kind, parsed):
    model, X, _ = kind
    page = parsed(reports.report(model, X, examples=3))
    assert "have no labels" in page.text
    assert not {"held-out", "confusion", "curves", "margins", "errors"} & set(page.sections())
    assert {"verdict", "data", "training", "method"} <= set(page.sections())


def test_nothing_is_loaded_and_nothing_runs(page):
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    # The browser refuses the rest, should a name of the data ever get through.
    assert policy and "default-src 'none'" in policy[1].replace("&#39;", "'")
    assert "script-src" not in policy[1] and page.index(policy[0]) < page.index("<title>")
    page = page.replace(policy[0], "")
    for word in ("http", "src=", "<script", "url(", "@import", "javascript:", "<iframe", "<object"):
        assert word not in page
    assert not re.search(r"<[^>]* on\w+=", page)


def test_headings_go_down_one_at_a_time(page, parsed):
    levels = parsed(page).headings
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def test_tables_and_pictures_can_be_read_aloud(page, parsed):
    page = parsed(page)
    assert all(one.get("scope") in ("col", "row") for one in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table")) > 0
    for one in page.all("svg"):
        assert one["role"] == "img" and len(one["aria-label"]) > 20
    inside = [parents for tag, _, parents in page.tags if tag == "title"]
    assert sum("svg" in parents for parents in inside) == len(page.all("svg"))


def test_every_table_scrolls_in_a_box_of_its_own(texts, parsed):
    page = parsed(reports.report(*texts))
    boxes = [one for one in page.all("div") if one.get("class") == "scroll"]
    assert len(boxes) == len(page.all("table"))
    assert all(one["tabindex"] == "0" and one["aria-label"] for one in boxes)
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all(
        "meta"
    )


def test_numbers_in_pictures_are_finite(page):
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.S))
    assert not re.search(r'="[^"]*\b(nan|inf)\b', drawn)


def test_sections_are_found_and_stand_in_order():
    found = reports.sections()
    places = [module.PLACE for module in found]
    assert places == sorted(places) and len(set(places)) == len(places)
    assert len({module.TITLE for module in found}) == len(found) > 12
    assert all(module.__doc__ and module.content.__doc__ for module in found)
