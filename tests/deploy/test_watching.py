"""deploy/grafana.json and deploy/alerts.yml: what they ask for is what a service exports."""

import contextlib
import json
import re
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

import hardlimit as hl
from hardlimit.service import routes

from ..service.serving import Connection, process

DEPLOY = Path(__file__).parents[2] / "deploy"
BOARD = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
ALERTS = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
# What Prometheus itself makes, and what it adds to each series.
OWN, ADDED = {"up"}, {"job", "instance"}
SELECTOR = re.compile(r"([a-z_]\w*)\{([^}]*)\}")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The labels of each series of a service that has done some work, and all their values."""
    path = tmp_path_factory.mktemp("watched") / "model.hardlimit"
    texts = ["win a prize", "free cash now", "see you at home", "dinner tomorrow"]
    hl.TextClassifier().fit(texts, ["spam", "spam", "ham", "ham"]).save(path)
    with hl.open_live(path) as live:
        for number in range(210):  # for drift there have to be answers before the latest 200
            live.confirm(texts[number % 4])
    with process(path) as service:
        with contextlib.closing(Connection("127.0.0.1", service.port, timeout=20)) as connection:
            connection.ask("POST", "/predict", {"texts": [*texts, "quagga"]})
            for text, label in zip(texts, ("ham", "spam") * 2, strict=True):
                connection.ask("POST", "/correct", {"text": text, "label": label})
            connection.ask("POST", "/confirm", {"text": texts[0]})
            connection.ask("POST", "/guards", {"text": texts[0]})
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = found.setdefault(sample.name, {})
            for name, value in sample.labels.items():
                labels.setdefault(name, set()).add(value)
        # Of a family that nothing was counted in there is the name alone.
        name = family.name + ("_total" if family.type == "counter" else "")
        found.setdefault(name, {})
    return found


def expressions():
    for rule in RULES:
        yield rule["alert"], rule["expr"]
    for panel in [*BOARD["panels"], *BOARD["annotations"]["list"]]:
        for target in panel.get("targets", [panel]):
            if "expr" in target:
                yield panel.get("title") or panel["name"], target["expr"]
    for variable in BOARD["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]["query"]


def series_of(expression):
    """The names of all series in an expression: what is neither function, word nor label."""
    rest = re.sub(r'"[^"]*"', "", expression)
    rest = re.sub(r"\{[^}]*\}|\[[^]]*\]", "", rest)
    rest = re.sub(r"\b(by|ignoring|on|group_left)\s*\([^)]*\)", "", rest)
    rest = re.sub(r"label_values\((\w+), \w+\)", r"\1", rest)
    names = re.findall(r"[a-z_]\w*\b(?!\s*\()", rest)
    return {name for name in names if name not in ("or", "and", "by", "e9")}


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_each_series_and_label_is_one_that_a_service_exports(exported, where, expression):
    names = series_of(expression)
    assert names and names <= exported.keys() | OWN, where
    for name, matchers in SELECTOR.findall(expression):
        for label, _, value in MATCHER.findall(matchers):
            assert label in exported.get(name, {}).keys() | ADDED, (where, name, label)
            if label in ("route", "outcome", "window"):
                known = {one.path for one in routes.discover()} | exported[name][label]
                assert value in known, (where, value)
    of_all = {label for name in names for label in exported.get(name, ())} | ADDED | {"le"}
    for groups in re.findall(r"\b(?:by|ignoring|on) \(([^)]*)\)", expression):
        assert {one.strip() for one in groups.split(",")} <= of_all, where


def test_what_an_expression_asks_for_is_found():
    text = '(sum by (status) (rate(a_total{status=~"5..", job="x"}[5m])) or vector(0)) / b > 1.6e9'
    assert series_of(text) == {"a_total", "b"}
    assert series_of("label_values(c_info, job)") == {"c_info"}


def test_alerts_say_what_happened_and_what_to_do():
    names = [rule["alert"] for rule in RULES]
    assert len(names) == len(set(names)) >= 10
    for rule in RULES:
        assert rule["labels"]["severity"] in ("critical", "warning")
        assert rule["annotations"]["summary"] and rule["annotations"]["description"].endswith(".")
        assert re.fullmatch(r"\d+[mh]", rule.get("for", "1m"))


def test_the_board_has_its_panels_side_by_side_and_names_no_server():
    panels = BOARD["panels"]
    numbers = [panel["id"] for panel in panels]
    assert len(set(numbers)) == len(numbers)
    for one, other in combinations([panel["gridPos"] for panel in panels], 2):
        apart = (
            one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
            or one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        )  # fmt: skip
        assert apart and one["x"] + one["w"] <= 24
    variables = {one["name"] for one in BOARD["templating"]["list"]}
    text = json.dumps(BOARD)
    used = set(re.findall(r"\$\{?(\w+)", text)) - {"__rate_interval", "__all"}
    assert used == variables
    for panel in panels:
        if panel["type"] != "row":
            references = [target["refId"] for target in panel["targets"]]
            assert len(set(references)) == len(references) > 0
            assert {target["datasource"]["uid"] for target in panel["targets"]} == {"${datasource}"}


def test_the_names_in_a_legend_are_labels(exported):
    labels = {label for one in exported.values() for label in one} | ADDED
    for panel in BOARD["panels"]:
        for target in panel.get("targets", ()):
            assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) <= labels
