"""Names of members without importing them are the names of the members."""

from hardlimit import budgets, guards, kernels, readouts, scaling
from hardlimit.foundation.discovery import file_names


def test_files_are_called_as_what_they_hold():
    assert set(file_names("hardlimit.readouts")) == set(readouts.names())
    assert set(file_names("hardlimit.guards")) == set(guards.names())
    assert set(file_names("hardlimit.budgets")) == set(budgets.names())
    assert set(file_names("hardlimit.kernels")) == set(kernels.names())
    assert {"none", *file_names("hardlimit.scaling")} == set(scaling.names())
