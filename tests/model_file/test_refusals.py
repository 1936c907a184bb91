"""What a refusal is made of: where, what was there, what was wanted, and a fix that fits it."""

import math

import numpy as np
import pytest

from hardlimit import model_file
from hardlimit.exceptions import FileError, InputError, ModelFileError
from hardlimit.model_file import document, table
from hardlimit.model_file.reading import CONTRADICTIONS, refuse_contradictions

ENTRY = {"dtype": "F32", "shape": [2, 4], "data_offsets": [0, 32]}


def refused(path, contents):
    path.write_bytes(contents)
    with pytest.raises(ModelFileError) as caught:
        model_file.open(path)
    return caught.value


def test_every_hostile_file_that_is_not_opened_is_named_in_where(hostile, tmp_path):
    path = tmp_path / "m"
    for name, (contents, _) in hostile["FILES"].items():
        path.write_bytes(contents)
        try:
            model_file.open(path).verify()
        except ModelFileError as error:
            assert str(path) in str(error), name
            assert name == "changed-tensor" or error.where == str(path), name


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("cut-in-header", "copy the file again"),
        ("cut-in-data", "copy the file again"),
        ("appended", table.RESTORE),
        ("not-json", table.RESTORE),
        ("changed-label", table.RESTORE),
        ("version-text", table.RESTORE),
        ("unaligned", table.RESTORE),
        ("too-few-digests", table.RESTORE),
        ("newer", "pip install --upgrade hardlimit"),
        ("messages.csv", ""),
        ("other-program", ""),
    ],
)
def test_the_fix_is_that_of_the_damage(hostile, tmp_path, name, fix):
    error = refused(tmp_path / "m", hostile["FILES"][name][0])
    assert (error.fix or "") == fix
    assert not fix or str(error).endswith(fix)


def test_another_kind_has_what_was_there_and_what_was_wanted(model_path):
    with pytest.raises(ModelFileError) as caught:
        model_file.open(model_path, kind="golden")
    error = caught.value
    assert (error.where, error.wanted) == (str(model_path), "'golden'")
    assert "'example'" in str(error.got)


@pytest.mark.parametrize(
    ("header", "who", "got", "wanted"),
    [
        ({"kind": ""}, "model file: header['kind']", "", "a text: what the model is"),
        ({"kind": None}, "model file: header['kind']", None, "a text: what the model is"),
        ({"kind": "k", "a": math.inf}, "model file: header['a']", math.inf, "a finite number"),
        (
            {"kind": "k", "a": [{"b": -math.inf}]},
            "model file: header['a'][0]['b']",
            -math.inf,
            "a finite number",
        ),
    ],
)  # fmt: skip
def test_a_header_is_refused_by_the_place_of_the_value(header, who, got, wanted):
    with pytest.raises(InputError) as caught:
        document.compose(header, {})
    error = caught.value
    assert (error.who, error.got, error.wanted) == (who, got, wanted)


@pytest.mark.parametrize("value", [(1,), {1}, np.int64(3), b"x", 1j, object()])
def test_values_that_json_would_change_say_to_convert_them(value):
    with pytest.raises(InputError) as caught:
        document.compose({"kind": "k", "a": value}, {})
    assert caught.value.who == "model file: header['a']"
    assert type(value).__name__ in str(caught.value.got)
    assert caught.value.fix == "convert it first"


def test_the_deepest_header_that_is_taken_can_be_read_again():
    deep = []
    for _ in range(document.MAX_DEPTH - 1):
        deep = [deep]
    text = document.compose({"kind": "k", "a": deep}, {})
    parsed = document.parse({"__metadata__": {document.ENTRY: text}}, "m")
    assert parsed["header"]["a"] == deep
    with pytest.raises(InputError, match="nested deeper than 32 levels"):
        document.compose({"kind": "k", "a": [deep]}, {})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dtype": "F32 "}, "unknown element type 'F32 '"),
        ({"dtype": 7}, "unknown element type 7"),
        ({"shape": "24"}, "impossible shape"),
        ({"shape": [2, None]}, "impossible shape"),
        ({"shape": [2, 5]}, "has 32 bytes, its shape claims 40"),
        ({"data_offsets": [0]}, "impossible offsets"),
        ({"data_offsets": [0, 32, 64]}, "impossible offsets"),
        ({"data_offsets": [False, 32]}, "impossible offsets"),
        ({"extra": 1}, "lacks its type, shape or offsets"),
    ],
)
def test_an_entry_of_the_table_is_refused_by_name(change, words):
    with pytest.raises(ModelFileError) as caught:
        table.tensors({"answer.weights": ENTRY | change}, 0, 32, "m")
    assert str(caught.value).startswith("m: tensor 'answer.weights' ")
    assert words in str(caught.value)
    assert (caught.value.where, caught.value.fix) == ("m", table.RESTORE)


def test_a_table_as_it_should_be_has_places_counted_from_the_start_of_the_file():
    (tensor,) = table.tensors({"answer.weights": ENTRY}, 128, 160, "m").values()
    assert tensor == ("answer.weights", "F32", (2, 4), 128, 160)


def test_the_order_is_that_of_the_bytes_not_of_the_names():
    first = {"dtype": "U8", "shape": [8], "data_offsets": [0, 8]}
    second = {"dtype": "U8", "shape": [4], "data_offsets": [8, 12]}
    both = table.tensors({"answer.a": second, "answer.b": first}, 0, 12, "m")
    assert list(both) == ["answer.b", "answer.a"]
    with pytest.raises(ModelFileError, match=r"'answer.a' begins at byte 4, expected 8"):
        table.tensors(
            {"answer.a": second | {"data_offsets": [4, 8]}, "answer.b": first}, 0, 12, "m"
        )


@pytest.mark.parametrize(
    "raw", [b'{"a":1}', b'{"a": 1}', b'{"a":1,"a":1}', b"[1]     ", b"null    "]
)
def test_a_header_that_is_not_as_it_was_written(raw):
    padded = raw if len(raw) == 7 else raw + b" " * (-len(raw) % 8)
    with pytest.raises(ModelFileError, match="the header is damaged"):
        table.parse(padded, "m")
    assert table.parse(b'{"a":1} ', "m") == {"a": 1}


@pytest.mark.parametrize("error", CONTRADICTIONS)
def test_a_contradiction_names_file_and_part(model_path, error):
    file = model_file.open(model_path)
    with pytest.raises(ModelFileError, match="the vocabulary contradicts itself") as caught:
        with refuse_contradictions(file, "the vocabulary"):
            raise error("why")
    assert caught.value.where == str(model_path) and "why" in str(caught.value)


def test_what_is_meant_to_pass_passes(model_path):
    file = model_file.open(model_path)
    with pytest.raises(KeyError), refuse_contradictions(file, "labels", KeyError):
        raise KeyError("asked for")
    with pytest.raises(FileError), refuse_contradictions(file, "labels"):
        raise FileError("says already what is wrong", where="m")
    with pytest.raises(ModelFileError, match="^m: damaged$"), refuse_contradictions(file, "labels"):
        raise ModelFileError("damaged", where="m")
