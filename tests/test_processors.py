"""What the runs as other processors ask of numpy and OpenBLAS, and which files they run."""

import pytest

from . import processors
from .processors import NO_FLOATS, OLDEST, PROCESSORS, ROOT, check_kernels, float_tests

# What numpy has kernels for, by its names before and since version 2.4.
OLD_NAMES = ["SSSE3", "SSE41", "POPCNT", "SSE42", "AVX", "F16C", "FMA3", "AVX2", "AVX512F"]
NEW_NAMES = ["X86_V3", "X86_V4", "AVX512_ICL", "AVX512_SPR"]


@pytest.mark.parametrize(
    ("names", "haswell", "oldest"),
    [
        (OLD_NAMES, "AVX512F", "AVX F16C FMA3 AVX2 AVX512F"),
        (NEW_NAMES, "X86_V4 AVX512_ICL AVX512_SPR", "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"),
    ],
)
def test_instructions_have_the_names_of_the_installed_numpy(monkeypatch, names, haswell, oldest):
    monkeypatch.setattr(processors, "numpy_features", lambda: ({}, names))
    for processor, disabled in ((PROCESSORS["haswell"], haswell), (OLDEST, oldest)):
        assert processor.environment()["NPY_DISABLE_CPU_FEATURES"] == disabled


def test_a_processor_of_more_instructions_than_this_one_is_left_out(monkeypatch, capsys):
    monkeypatch.setattr(processors, "numpy_features", lambda: ({"AVX2": True}, []))
    monkeypatch.setattr(processors.platform, "machine", lambda: "x86_64")
    assert PROCESSORS["skylakex"].reason_against() == "this machine has no X86_V4"
    assert PROCESSORS["haswell"].reason_against() == ""
    assert processors.run("skylakex", PROCESSORS["skylakex"])
    assert capsys.readouterr().out == "skylakex: left out, this machine has no X86_V4\n"
    monkeypatch.setattr(processors.platform, "machine", lambda: "aarch64")
    assert "this is aarch64" in PROCESSORS["haswell"].reason_against()


def test_the_oldest_processor_is_really_passed_for():
    if reason := OLDEST.reason_against():
        pytest.skip(reason)
    pytest.importorskip("threadpoolctl")
    assert check_kernels(OLDEST).startswith("numpy as compiled; ")


def test_files_are_run_unless_they_are_named_and_compare_no_floats():
    assert all((ROOT / "tests" / name).exists() for name in NO_FLOATS)
    run = {str(path.relative_to(ROOT / "tests")) for path in float_tests()}
    assert {"certificates/finders/test_logistic.py", "classifiers/test_twin.py"} <= run
    assert "cli/test_margins_and_cycles.py" in run  # compares floats
    assert not {"service/test_keys.py", "readers/test_csv.py", "test_layers.py"} & run
