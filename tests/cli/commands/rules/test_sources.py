"""``hardlimit rules NAME`` prints the source of every rule whole."""

import inspect

import pytest

from hardlimit import rules
from hardlimit.cli import main


@pytest.mark.parametrize("name", rules.names())
def test_the_source_is_printed_whole(name, capsys):
    assert main(["rules", name]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    found = inspect.getdoc(rules.get(name)) or ""
    source = " ".join(found.partition("\nSource:")[2].partition("\n\n")[0].split())
    assert source.endswith(".") and ")" in source
    assert source.replace("``", "") in printed
