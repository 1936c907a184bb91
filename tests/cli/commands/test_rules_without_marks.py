"""What `hardlimit rules` prints has no marks of the documentation, and whole sources."""

import inspect
import json
import re

import pytest

from hardlimit import rules
from hardlimit.cli import main


def printed(capsys, *words):
    assert main(["rules", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", rules.names())
def test_one_rule(name, capsys):
    out = printed(capsys, name)
    assert not re.search(r":[a-z]+:`|``", out)
    cls = next(one.cls for one in rules.describe() if one.name == name)
    source = re.search(r"^Source: .*?(?=\n\n|\Z)", inspect.getdoc(cls), re.S | re.M)[0]
    assert " ".join(source.split()) in " ".join(out.split())


def test_the_lists(capsys):
    for out in (printed(capsys), json.dumps(json.loads(printed(capsys, "--json")))):
        assert not re.search(r":[a-z]+:`|``", out)


def test_a_class_is_named_as_it_is_typed(capsys):
    assert "take margin-perceptron" in printed(capsys, "dynamic-margin")
