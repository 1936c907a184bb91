import pytest

from hardlimit.readers.detecting import detect


@pytest.mark.parametrize(
    ("content", "label", "wanted"),
    [
        ("a,b,kind\n" + "1,2,x\n3,4,y\n" * 3, None, ("numeric-csv", "kind")),
        ("kind,a,b\n" + "x,1,2\ny,3,4\n" * 3, None, ("numeric-csv", "kind")),
        ("1,2,0\n3,4,1\n5,6,1\n", None, ("numeric-csv", "2")),
        ("a,b,c\n" + "1,2,3\n" * 3, "a", ("numeric-csv", "a")),
        ("-1 1:0.5 # why\n+1 2:1e-3\n", None, ("svmlight", None)),
        # texts, or what may be
        ("id,spam,text\n" + "1,0,win\n2,1,see\n" * 3, None, None),
        ("1,0,win a prize\n2,1,see you\n3,0,at home\n4,1,bye\n", None, None),
        ("id,stars,review\n" + "1,5,good\n2,1,bad\n" * 3, "stars", None),
        ("kind,words\n" + "1,2\n" * 5, None, None),
        ("a,b,kind\n" + "1,?,x\n3,4,y\n" * 3, None, None),
        ("spam 1:2\nham 2:3\n", None, None),
        ('a,"b\n', None, None),
        ("", None, None),
    ],
)
def test_numbers_only_where_no_text_can_be(write, content, label, wanted):
    assert detect(str(write("x.csv", content)), label) == wanted
