"""The whole page: head, style, contents, one section after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.reports._markup import Markup, join, render_label, tag
from hardlimit.reports._study import Study
from hardlimit.reports._style import STYLE

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)

# With more classes the sections that are not about the answers are opened by a click.
MANY_CLASSES = 10


class _Part(NamedTuple):
    """A section as it stands on the page."""

    name: str
    title: str
    content: Markup
    is_folded: bool


def render_page(study: Study, sections: Sequence[Any]) -> str:
    """Render the sections that have something to say, as HTML."""
    made = []
    for number, module in enumerate(sections):
        progress.report("writing the report", number, len(sections))
        # What a section does inside would be taken for progress of the page.
        with progress.watched_by(_ignore):
            made.append((module, module.content(study)))
    # a section without anything to say leaves no heading behind
    many = len(study.classes) > MANY_CLASSES
    parts = [
        _Part(
            module.__name__.rpartition(".")[2].replace("_", "-"),
            module.TITLE,
            content,
            many and getattr(module, "BACKGROUND", False),
        )
        for module, content in made
        if content
    ]
    contents = [tag("li", tag("a", part.title, href=f"#{part.name}")) for part in parts]
    title = f"Model report: classifier of {_name_rows(study)}"
    return render_document(
        title,
        tag("a", "Skip to the summary", href="#verdict", class_="skip"),
        tag("header", tag("h1", title), _render_subtitle(study)),
        tag("nav", tag("ol", contents), aria_label="Contents"),
        tag("main", "\n", [_render_section(part) for part in parts]),
        tag("footer", tag("p", "Made by hardlimit report.")),
    )


def render_document(title: str, *body: Any) -> str:
    """Render a page that stands by itself: it loads nothing and runs nothing."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        # No name or text of the data can load or run anything, whatever it contains.
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        # inside the page: a file that is mailed has no style sheet beside it
        Markup(f"<style>{STYLE}</style>"),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', *body), lang='en')}\n"


def _ignore(*_: object) -> None:
    """Hear nothing."""


def _name_rows(study: Study) -> str:
    if study.value_columns:
        return "mixed tables"
    return "texts" if study.is_text else "numbers"


def _render_subtitle(study: Study) -> Markup:
    names = study.classes
    named = [[" · " if at else "", render_label(label)] for at, label in enumerate(names[:6])]
    more = f" · {len(names) - 6} more" if len(names) > 6 else ""
    rows = plural(len(study.data), study.thing)
    return tag("p", named, more, f" — evaluated on {rows}", class_="sub")


def _render_section(part: _Part) -> Markup:
    named = f"{part.name}-title"
    heading = tag("h2", part.title, id=named)
    inner = join([heading, part.content])
    if part.is_folded:
        inner = tag("details", tag("summary", heading), part.content)
    return join([tag("section", inner, id=part.name, aria_labelledby=named), Markup("\n")])
