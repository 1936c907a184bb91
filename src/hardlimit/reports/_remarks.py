"""Remarks on the rows that could change what the figures mean."""

from __future__ import annotations

from functools import partial

from hardlimit import describing
from hardlimit.classifiers.fitting import mail
from hardlimit.foundation.formatting import plural
from hardlimit.reports import _duplicates
from hardlimit.reports._markup import Markup, join, render_label
from hardlimit.reports._study import Study
from hardlimit.reports._tables import format_percent
from hardlimit.text import mail_headers


def list_remarks(study: Study) -> list[Markup | str | None]:
    """List what could change the meaning of the figures."""
    return [
        _remark_on_unknown_labels(study),
        _remark_on_unknown_terms(study),
        _remark_on_mail_headers(study),
        _remark_on_seen_rows(study),
        _remark_on_conflicts(study),
        _remark_on_duplicates(study),
    ]


def _remark_on_unknown_labels(study: Study) -> Markup | None:
    unseen = study.figures.unseen if study.is_judged else {}
    if not unseen:
        return None
    named = [
        [", " if at else "", render_label(label), f" ({n:,})"]
        for at, (label, n) in enumerate(list(unseen.items())[:10])
    ]
    more = f" and {len(unseen) - 10} more" if len(unseen) > 10 else ""
    return join(["Labels that the model does not know, counted as errors: ", named, more, "."])


def _remark_on_unknown_terms(study: Study) -> str | None:
    blank = 0 if study.known_terms is None else int((study.known_terms == 0).sum())
    if not blank:
        return None
    texts = plural(blank, "text has", "texts have")
    return f"{texts} no term that the model knows: the intercept alone decides."


def _remark_on_mail_headers(study: Study) -> str | None:
    # A mail that was cut into columns has no headers in its text any more.
    if not study.is_text or study.text_columns or not study.has_weights:
        return None
    terms = partial(describing.telling_terms, study.model, mail.TOP)
    found = mail_headers.find(study.data.examples, lambda: mail.telling_terms(terms()))
    if found is None:
        return None
    return f"Note that {mail.describe(found)}; {mail.FIX}."


def _remark_on_seen_rows(study: Study) -> str | None:
    seen = study.data_facts.seen
    if seen is None or not seen.any():
        return None
    thing = study.thing
    things = plural(
        int(seen.sum()), f"{thing} of {len(seen):,} is", f"{thing}s of {len(seen):,} are"
    )
    sentence = f"{things} also in the training file"
    # without rows of both kinds there is nothing to compare
    if study.is_judged and not seen.all():
        new, old = study.correct[~seen].mean(), study.correct[seen].mean()
        sentence += (
            f": {format_percent(float(old))} of those are correct, and "
            f"{format_percent(float(new))} of the others"
        )
    return sentence + "."


def _remark_on_conflicts(study: Study) -> str | None:
    conflicts = study.data_facts.conflicts
    if not conflicts:
        return None
    groups = plural(len(conflicts), f"{study.thing} occurs", f"different {study.thing}s occur")
    wrong = plural(
        _duplicates.count_unavoidable_errors(conflicts), "of those rows is", "of those rows are"
    )
    return f"{groups} with different labels: whatever the classifier, at least {wrong} wrong."


def _remark_on_duplicates(study: Study) -> str | None:
    repeated = study.data_facts.alike.repeated
    # fewer than one in twenty hardly move an interval
    if repeated * 20 < len(study.data):
        return None
    things = plural(repeated, f"{study.thing} repeats", f"{study.thing}s repeat")
    return (
        f"{things} an earlier one: there is less evidence than the number of rows suggests, and "
        "the "
        "intervals are narrower than they should be."
    )
