import pytest

from hardlimit.exceptions import ColumnError, InputError
from hardlimit.readers import Layout, label_variants, open_rows


def layout_of(write, data, need_label=True, name="x.csv", **asked):
    with open_rows(write(name, data), Layout(**asked), need_label=need_label) as table:
        return table.layout.text, table.layout.label, table.layout.header


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ("Message,Folder\na,x\n", ("Message", "Folder", True)),
        ("id,body,category\n1,a,x\n", ("body", "category", True)),
        ("folder,anything\nx,a\n", ("anything", "folder", True)),
        ("review,stars\ngood one,5\n", ("review", "stars", True)),
        ("ham,see you\nham,ok\nspam,win\n", (1, 0, False)),
        ("see you,ham\nok,ham\nwin,spam\n", (0, 1, False)),
        ("one,two\nsee you,ham\nok,ham\nwin,spam\n", ("one", "two", True)),
    ],
)
def test_found_by_name_or_content(write, data, wanted):
    assert layout_of(write, data) == wanted


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"text": "a", "label": "c"}, ("a", "c", True)),
        ({"text": "2", "label": "0"}, (2, 0, False)),
        ({"text": 2, "label": 0}, (2, 0, False)),
        ({"text": 2, "label": 0, "header": True}, ("c", "a", True)),
        ({"text": "0", "label": "c"}, ("a", "c", True)),
    ],
)
def test_asked_for(write, asked, wanted):
    assert layout_of(write, "a,b,c\n1,2,3\n", **asked) == wanted


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (
            {"text": "mesage"},
            r"no column 'mesage' for the text; there are 'Message', 'Folder'; "
            r"did you mean 'Message'\?",
        ),
        ({"label": "fold"}, r"no column 'fold' for the label; .*did you mean 'Folder'\?"),
        ({"text": 7}, "no column 7 for the text; there are"),
        ({"text": "Folder", "label": "Folder"}, "'Folder' cannot be text and label at once"),
        ({"header": False, "text": "Message"}, "no column 'Message' for the text; there are '0'"),
    ],
)
def test_not_there(write, asked, wanted):
    with pytest.raises(ColumnError, match=wanted):
        layout_of(write, "Message,Folder\na,x\n", **asked)


def test_undecided_names_the_columns_and_the_options(write):
    with pytest.raises(
        ColumnError, match="There are 'a', 'b', 'c'; say text=NAME and label=NAME, or "
    ):
        layout_of(write, "a,b,c\n1,2,3\n")
    with pytest.raises(
        ColumnError, match=r"There are '0', '1', '2'; say text=NUMBER and label=NUMBER \(from 0\)"
    ):
        layout_of(write, "a,b,c\n1,2,3\n", header=False)


def test_to_predict_the_label_need_not_be_there(write):
    assert (
        layout_of(write, "id,text\n1,a\n", need_label=False, text="text", label="folder")[0]
        == "text"
    )
    assert layout_of(write, "a\nb\n", need_label=False) == (0, None, False)
    assert layout_of(write, "text\nb\n", need_label=False) == ("text", None, True)


def test_bare_texts_for_a_model_of_two_columns(write):
    asked = {"text": 1, "label": 0, "header": False}
    assert layout_of(write, "a\nb\n", need_label=False, name="x.tsv", **asked)[0] == 0


def test_twins_by_number(write):
    assert layout_of(write, "text,text,label\na,b,c\n", text=1, header=True)[0] == 1


def test_label_variants():
    counts = {"spam": 120, "Spam": 3, "spam ": 1, "ham": 400, "caf\u00e9": 2, "cafe\u0301": 1, 1: 5}
    assert label_variants(counts) == [
        "labels that differ only in case or spaces: 'spam' (120), 'Spam' (3), 'spam ' (1)",
        "labels that differ only in case or spaces: 'caf\u00e9' (2), 'cafe\u0301' (1)",
    ]
    assert label_variants({"a": 1, "b": 2, True: 3}) == []
    assert label_variants({" <=50K": 2, ">50K": 1}) == [
        "labels keep the spaces around them: ' <=50K'"
    ]


def test_layout_json():
    full = Layout("csv", "a", 1, True, ";", False, "utf-8")
    assert Layout.from_json(full.to_json()) == full
    assert Layout.from_json({}) == Layout()


@pytest.mark.parametrize(
    ("plain", "wanted"),
    [
        ({"colour": "red"}, "unknown entries"),
        ({"text": 1.5}, "got text=1.5, wanted a column's name or number"),
        ({"text": True}, "got text=True, wanted a column's name"),
        ({"header": 1}, "got header=1, wanted True or False"),
        ({"delimiter": ",,"}, "delimiter=.*, wanted one character"),
        ({"delimiter": '"'}, "delimiter=.*, wanted one character"),
        ({"label": -1}, "column number from 0"),
    ],
)
def test_layout_refuses(plain, wanted):
    with pytest.raises(InputError, match=wanted):
        Layout.from_json(plain)
