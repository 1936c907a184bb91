"""The table of Freund and Schapire's experiment."""

from benchmarks.rows import freund_schapire as row


def test_the_remembered_figures_are_marked_and_stand_below_ours():
    ours = {"voted": 2.74, "supports": 8146, "mistakes": 10235}
    first, second = row.table_lines(2, ours)
    assert first[:2] == ("2", "2.74")
    assert first[-2:] == ("8,146", "10,235")
    assert second[0] == "2 (r)"
    assert second[-2:] == ("8,190", "10,201")


def test_a_degree_that_nothing_is_remembered_of_has_one_line():
    assert len(list(row.table_lines(5, {}))) == 1


def test_all_columns_are_given():
    assert set().union(*row.REMEMBERED.values()) <= set(row.COLUMNS)
