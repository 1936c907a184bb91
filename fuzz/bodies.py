"""Bodies of requests to the service: an answer that is JSON, or a refusal.

The first byte chooses the route and the model, of texts or of a table; the rest is the body.
"""

import asyncio
import json
from functools import cache

from fuzz.harness import SCRATCH, refusals_pass

TEXTS = ["win a prize", "lunch at noon", "a prize to win", "see you at lunch"]
ROWS = [
    {"city": "Ghent", "age": 41, "note": "pays late"},
    {"city": "Bruges", "age": 23, "note": ""},
]
BODIES = ("PredictBody", "ExplainBody", "ConfirmBody", "CorrectBody", "UndoBody", "GuardBody")

SEEDS = [
    bytes([kind]) + text
    for kind, text in (
        (0, b'{"text": "win a prize now"}'),
        (0, b'{"texts": ["win", "lunch?"], "remember": false}'),
        (8, b'{"texts": [{"city": "Ghent", "age": 41.5, "note": null}, "{\\"city\\": 1}"]}'),
        (1, b'{"text": "win a prize", "top": 5, "max_spans": 7}'),
        (9, b'{"text": {"city": "\\u00e9", "age": true, "note": "\\u202e"}, "top": 3}'),
        (2, b'{"number": 1, "label": "spam", "by": "alice"}'),
        (3, b'{"text": "zebra", "label": "new", "margin": 0.5, "guards": "solve", "by": "a"}'),
        (11, b'{"text": {"city": "Ostend", "age": 1e9, "note": "x"}, "label": 3, "dry_run": true}'),
        (4, b'{"id": 1, "dry_run": true}'),
        (5, b'{"text": "win a prize", "label": null}'),
        (3, b'{"text": "\\ud800", "label": 1e999, "margin": -1, "extra": [[[[]]]]}'),
        (0, b'\xef\xbb\xbf{"text": "win"}'),
        (0, '{"text": "win"}'.encode("utf-16")),
        (0, '{"text": "win"}'.encode("utf-32-le")),
    )
]


@cache
def _live(of_table):
    import hardlimit as hl

    path = str(SCRATCH / ("table" if of_table else "text"))
    if of_table:
        hl.TableClassifier(missing="mean").fit(ROWS * 3, ["stays", "leaves"] * 3).save(path)
    else:
        hl.TextClassifier(words=(1, 1), chars=None).fit(TEXTS, ["spam", "ham"] * 2).save(path)
    return path


def _opened(of_table):
    import hardlimit as hl

    return hl.open_live(_live(of_table), None, recent=5, remember=5)


@cache
def _models():
    return {of_table: _opened(of_table) for of_table in (False, True)}


HOW = ("margin", "guards", "dry_run", "new_class", "by")


def run(data: bytes) -> None:
    """Parse the body, do what it asks, and write the answer."""
    from hardlimit.service import request_schemas
    from hardlimit.service.bodies import check_encoding
    from hardlimit.service.problems import Problem
    from hardlimit.service.validation import parse

    if not data:
        return
    name, of_table = BODIES[(data[0] & 7) % len(BODIES)], bool(data[0] & 8)
    models = _models()
    # Each undo solves the guards of later corrections anew, in fractions.
    if models[of_table].n_entries > 30:
        models[of_table] = _opened(of_table)
    try:
        check_encoding(data[1:])
        body = parse(getattr(request_schemas, name), data[1:])
    except Problem as refusal:
        assert 400 <= refusal.status < 500
        return
    with refusals_pass():
        _do(name, body, models[of_table])


def _do(name, body, live):
    from hardlimit.service.replies import to_json

    text = getattr(body, "text", None)
    if text is None and getattr(body, "number", None) is not None:
        text = live.recent_text(body.number)
    if name == "PredictBody":
        told = asyncio.run(_predict(body, live))
    elif name == "CorrectBody":
        told = _correct(text, body, live)
    elif text is None and name != "UndoBody":
        return
    elif name == "ExplainBody":
        told = to_json([live.why(text, body.top)._asdict(), live.probability(text)])
        if isinstance(text, str) and not live.base.form.columns:
            for span in live.spans(text, body.max_spans):
                assert 0 <= span.start < span.end <= len(text)
    elif name == "ConfirmBody":
        told = to_json(live.confirm(text, body.label, by=body.by).to_dict())
    elif name == "UndoBody":
        told = to_json(live.undo(body.id, by=body.by, dry_run=body.dry_run).to_dict())
    else:
        told = to_json(live.add_guard(text, body.label, by=body.by))
    json.loads(told, parse_constant=_refuse)


def _correct(text, body, live):
    from hardlimit.live.labels import find_label
    from hardlimit.service.replies import to_json

    how = {name: getattr(body, name) for name in HOW}
    if body.corrections is not None:
        pairs = [(one.text, find_label(one.label, live.classes)) for one in body.corrections]
        return to_json([one.to_dict() for one in live.correct_many(pairs, **how)])
    if text is None:
        return to_json(None)
    label = find_label(body.label, live.classes)
    receipt = live.correct(text, label, **how)
    assert receipt.dry_run or live.predict([text], remember=False) == [label]
    return to_json(receipt.to_dict())


async def _predict(body, live):
    """Do what the route does, without a server."""
    from types import SimpleNamespace

    from hardlimit.service.routes.answers import predictions

    figures = SimpleNamespace(count_answers=lambda found: None)
    work = SimpleNamespace(live=live, figures=figures)
    return await predictions(SimpleNamespace(work=work, facts={}), body)


def _refuse(constant):
    raise AssertionError(f"{constant} is no JSON")
