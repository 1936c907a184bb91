"""Runs what computes in floats as other processors would: ``python tests/processors.py NAME ...``.

numpy and OpenBLAS choose kernels by the processor, and so does the C library for exp, log and pow.
Each of the three can be asked for the kernels of an older one. Without names all processors are
run; ``--list`` prints the files that are run. Each ends with one line, and the first that is red
makes the status 1.

What is run: the doctests, every test file outside ``NO_FLOATS``, and those inside that compare
floats by a tolerance. ``NO_FLOATS`` names what makes text, bytes, processes or whole numbers.
"""

import os
import platform
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

NO_FLOATS = (
    *("browser", "cli", "distributed", "faults", "hostile", "mail", "model_file", "readers"),
    *("service", "streaming", "benchmarks"),
    *("foundation/storage", "test_banned_calls.py", "test_demo_corpus.py", "test_docs_build.py"),
    *("test_docs_choices.py", "test_docs_pages.py", "test_examples.py", "test_fuzz.py"),
    *("test_layers.py", "test_mail_scripts.py", "test_plain_words.py", "test_plural_nouns.py"),
    *("test_public_face.py", "test_repository.py", "test_said_again.py", "test_stub.py"),
    *("test_wheel.py", "test_tolerances.py", "text/test_side_by_side_under_stress.py"),
)

COMPARES_FLOATS = re.compile(r"rounding import|\b(approx|allclose|isclose)\(")

# numpy's names for instructions, older and newer ones; what a level keeps, it does not disable.
SSE = {"SSE", "SSE2", "SSE3", "SSSE3", "SSE41", "POPCNT", "SSE42", "X86_V2"}
AVX2 = SSE | {"AVX", "F16C", "FMA3", "AVX2", "X86_V3"}
# The C library's names, those of its releases before 2.33 too.
NO_FMA = "glibc.cpu.hwcaps=" + ",".join(
    f"-{name}{usable}"
    for name in ("AVX512F", "AVX2", "AVX", "FMA", "FMA4")
    for usable in ("", "_Usable")
)


@dataclass(frozen=True)
class Processor:
    """Which kernels it would choose.

    keeps : numpy's instructions, None for all that this machine has.   core : the kernels of
    OpenBLAS, ``also`` what builds without them take.   needs : one of these instructions.
    """

    keeps: set[str] | None
    core: str = ""
    also: tuple[str, ...] = ()
    threads: int = 1
    needs: tuple[str, ...] = ()

    def environment(self):
        """The variables that make numpy, OpenBLAS and the C library choose so."""
        chosen = {"OPENBLAS_NUM_THREADS": str(self.threads)}
        if self.core:
            chosen["OPENBLAS_CORETYPE"] = self.core
        if self.keeps is not None:
            chosen["NPY_DISABLE_CPU_FEATURES"] = " ".join(self._disabled())
        if self.keeps == SSE:
            chosen["GLIBC_TUNABLES"] = NO_FMA
        return os.environ | chosen

    def _disabled(self):
        return [name for name in numpy_features()[1] if name not in self.keeps]

    def reason_against(self):
        """Why this machine cannot pass for it, or nothing."""
        if self.core and platform.machine() not in ("x86_64", "AMD64"):
            return f"these are kernels of x86-64, and this is {platform.machine()}"
        if self.needs and not any(numpy_features()[0].get(name) for name in self.needs):
            return f"this machine has no {self.needs[0]}"
        return ""


AVX512 = ("X86_V4", "AVX512_SKX")
HAS_AVX2 = ("X86_V3", "AVX2")
PROCESSORS = {
    "own": Processor(None, threads=2),
    "skylakex": Processor(None, "SkylakeX", threads=1, needs=AVX512),
    "haswell": Processor(AVX2, "Haswell", threads=1, needs=HAS_AVX2),
    "zen": Processor(AVX2, "Zen", ("Haswell",), threads=2, needs=HAS_AVX2),
    "sandybridge": Processor(SSE, "Sandybridge", threads=2, needs=("AVX",)),
    # OpenBLAS calls the kernels that all older processors share by the oldest of their names.
    "prescott": Processor(SSE, "Prescott", ("Katmai",), threads=1),
}
OLDEST = PROCESSORS["prescott"]


def numpy_features():
    """What numpy says of this machine, and for which instructions it has kernels of their own."""
    try:
        from numpy._core import _multiarray_umath as umath
    except ImportError:  # before numpy 2
        from numpy.core import _multiarray_umath as umath
    return umath.__cpu_features__, umath.__cpu_dispatch__


ASK = """
import numpy, scipy.linalg, threadpoolctl
from processors import numpy_features
has, dispatched = numpy_features()
print("numpy", *(name for name in dispatched if has[name]))
for one in threadpoolctl.threadpool_info():
    if one["internal_api"] == "openblas":
        print("openblas", one["architecture"], one["num_threads"])
"""


def check_kernels(processor):
    """Return what numpy and OpenBLAS chose, in words; refuse what was not asked for."""
    asked = [sys.executable, "-c", ASK]
    told = subprocess.run(
        asked, env=processor.environment(), cwd=ROOT / "tests", capture_output=True, text=True,
        check=True,
    ).stdout.splitlines()  # fmt: skip
    features = told[0].split()[1:]
    libraries = [line.split()[1:] for line in told[1:]]
    if processor.keeps is not None and not set(features) <= processor.keeps:
        raise SystemExit(f"numpy still uses {features}")
    wanted = {name.lower() for name in (processor.core, *processor.also)}
    for core, threads in libraries:
        if processor.core and core.lower() not in wanted:
            raise SystemExit(f"OpenBLAS uses {core}, wanted {processor.core}")
        if int(threads) > processor.threads:
            raise SystemExit(f"OpenBLAS uses {threads} threads, wanted {processor.threads}")
    chosen = " and ".join(sorted({f"{core} x{threads}" for core, threads in libraries})) or "none"
    return f"numpy {' '.join(features) or 'as compiled'}; OpenBLAS {chosen}"


def float_tests():
    """The test files that compute in floats."""
    tests = ROOT / "tests"
    without = [tests / name for name in NO_FLOATS]
    return [
        path
        for path in sorted(tests.rglob("test_*.py"))
        if not any(path == one or one in path.parents for one in without)
        or COMPARES_FLOATS.search(path.read_text())
    ]


def run(name, processor):
    """Run the tests as one processor, print its line; whether they passed."""
    reason = processor.reason_against()
    if reason:
        print(f"{name}: left out, {reason}", flush=True)
        return True
    kernels, began = check_kernels(processor), time.monotonic()
    side_by_side = ["-n", "auto", "--maxprocesses", "4", "--dist", "loadfile"]
    files = [str(path.relative_to(ROOT)) for path in float_tests()]
    command = [sys.executable, "-m", "pytest", "-q", "-r", "fE", *side_by_side, "--pyargs"]
    command += ["hardlimit", *files]
    ended = subprocess.run(
        command, cwd=ROOT, env=processor.environment(), capture_output=True, text=True
    )
    if ended.returncode:
        print(ended.stdout[-20_000:], ended.stderr[-2000:], flush=True)
    counted = re.findall(r"^=*\s*(\d+ .*) in [\d.]+s", ended.stdout, re.M) or ["no tests"]
    print(f"{name}: {counted[-1]}, {time.monotonic() - began:.0f} s; {kernels}", flush=True)
    return not ended.returncode


def main(names):
    if names == ["--list"]:
        print(*(path.relative_to(ROOT) for path in float_tests()), sep="\n")
        return 0
    results = [run(name, PROCESSORS[name]) for name in names or PROCESSORS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
