#!/bin/sh
# Runs the tests against a build with AddressSanitizer and UndefinedBehaviorSanitizer.
#
#     native/sanitize.sh .venv/bin/python [pytest arguments]
#
# The build and its environment stand apart in build/sanitize; everything but hardlimit itself comes
# from the environment of the given Python.
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
place=$PWD/build/sanitize
compiler=${CXX:-c++}

if ! test -x "$place/venv/bin/python"; then
    "$python" -m venv --without-pip "$place/venv"
fi
site() { "$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
# A folder named in a .pth file is searched for packages, but its own .pth files are not run: the
# editable hardlimit of the development environment stays out of sight.
site "$python" >"$(site "$place/venv/bin/python")/development.pth"

"$place/venv/bin/python" -m pip install --quiet --no-build-isolation --no-deps \
    --force-reinstall --prefix "$place/venv" \
    -C build-dir="$place/{wheel_tag}" -C install.strip=false -C cmake.build-type=Debug \
    -C cmake.define.HARDLIMIT_SANITIZE=ON \
    -C cmake.define.CMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS .

# Python itself is not instrumented: both libraries must be there before it starts, libstdc++ too,
# since libasan looks up the throwing of exceptions at that moment. Python's own leaks are not ours.
LD_PRELOAD="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libstdc++.so)"
# An allocation beyond all bounds is refused as it is without the sanitizer, for Python to tell.
ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
UBSAN_OPTIONS=print_stacktrace=1
export LD_PRELOAD ASAN_OPTIONS UBSAN_OPTIONS
# Only Python's own streams are captured: a report that ends the process must be seen.
# No stubs are made from this build: test_stub.py looks at the ordinary one.
test $# -gt 0 || set -- --pyargs hardlimit tests
exec "$place/venv/bin/python" -m pytest -p no:cacheprovider --capture=sys \
    --ignore=tests/test_stub.py "$@"
