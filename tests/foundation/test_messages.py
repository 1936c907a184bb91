"""Messages have a bound, whatever is put into them."""

import pytest

from hardlimit import readers
from hardlimit.cli.face import CommandFace
from hardlimit.exceptions import FileError, InputError, Setting, mask, shorten

LONG = "x" * 1_000_000


@pytest.mark.parametrize("face", [str, lambda error: CommandFace().sentence(error)])
@pytest.mark.parametrize(
    "error",
    [
        InputError(LONG),
        InputError("short", where=LONG),
        InputError(who=LONG, parameter=LONG, got=LONG, wanted=LONG, fix=LONG),
        InputError("short", fix=("use ", Setting("order", LONG))),
        FileError("cannot be read", where="/" + "turn/" * 100_000),
    ],
)
def test_every_part_of_a_sentence_has_a_bound(face, error):
    assert 4 < len(face(error)) < 3500


def test_both_ends_of_a_long_text_are_shown():
    assert shorten("start" + LONG + "end", 40) == "start" + "x" * 12 + " ... " + "x" * 14 + "end"
    assert shorten("a" * 40, 40) == "a" * 40


@pytest.mark.parametrize("columns", [10**5])
def test_a_table_of_many_columns(tmp_path, columns):
    path = tmp_path / "a.csv"
    path.write_text(",".join(f"column{i}" for i in range(columns)) + "\n" + "a," * columns + "\n")
    with pytest.raises(InputError) as caught:
        list(readers.open_rows(path, need_label=True))
    assert len(str(caught.value)) < 1000
    path.write_text("text," * columns + "label\n" + "a," * columns + "b\n")
    with pytest.raises(InputError, match="100,000 columns are called 'text'") as caught:
        list(readers.open_rows(path, need_label=True))
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("begin", ["http://host/a.csv", "https://u:pass@host/a?x=1", "s3://b/a#b"])
@pytest.mark.parametrize("end", ["", ": no such file", "' and more"])
def test_what_stands_behind_a_name_of_the_web_is_not_shown(begin, end):
    """Of a store a name may have the sign, as long as nothing is set behind it."""
    shown = str(FileError(f"got '{begin}#token=SECRET{end}", where=f"{begin}#token=SECRET"))
    assert "SECRET" not in shown and "pass" not in shown
    assert mask("HTTP://host/a.csv#SECRET: gone") == "HTTP://host/a.csv#... gone"
    assert mask("s3://bucket/a#b.csv gs://bucket/a#12") == "s3://bucket/a#b.csv gs://bucket/a#12"
