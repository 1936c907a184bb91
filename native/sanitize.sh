#!/bin/sh
# Runs tests against a build with sanitizers: AddressSanitizer and UndefinedBehaviorSanitizer, or
# ThreadSanitizer.
#
#     native/sanitize.sh [--threads] .venv/bin/python [pytest arguments]
#
# The builds and their environments stand apart in build/sanitize and build/sanitize-threads;
# everything but hardlimit itself comes from the environment of the given Python.
set -eu
cd "$(dirname "$0")/.."
place=$PWD/build/sanitize
sanitizers=address,undefined
library=libasan.so
if test "$1" = --threads; then
    place=$place-threads
    sanitizers=thread
    library=libtsan.so
    shift
fi
python=$1
shift
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
    -C cmake.define.HARDLIMIT_SANITIZE="$sanitizers" \
    -C cmake.define.CMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS .

# Python itself is not instrumented: both libraries must be there before it starts, libstdc++ too,
# since they look up the throwing of exceptions at that moment. Python's own leaks are not ours.
LD_PRELOAD="$("$compiler" -print-file-name=$library) $("$compiler" -print-file-name=libstdc++.so)"
# An allocation beyond all bounds is refused as it is without the sanitizer, for Python to tell.
ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
UBSAN_OPTIONS=print_stacktrace=1
TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:allocator_may_return_null=1
export LD_PRELOAD ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
# Only Python's own streams are captured: a report that ends the process must be seen.
# No stubs are made from this build: test_stub.py looks at the ordinary one.
test $# -gt 0 || set -- --pyargs hardlimit tests
# ThreadSanitizer needs its own part of the address space, which a random layout may take.
layout=
if test "$sanitizers" = thread && setarch -R true 2>/dev/null; then layout="setarch -R"; fi
exec $layout "$place/venv/bin/python" -m pytest -p no:cacheprovider --capture=sys \
    --ignore=tests/test_stub.py "$@"
