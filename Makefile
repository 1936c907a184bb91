# make demo, make test: both make their own environment in .venv when it is not there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILD_TOOLS := scikit-build-core "nanobind==3.1.0" cmake ninja
# Whether pip itself could be newer is nobody's question here.
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Else every process of the tests would compile the package's Python anew.
unexport PYTHONDONTWRITEBYTECODE
NATIVE := $(filter-out %unicode_tables.hpp,$(shell find native -name '*.?pp'))

.PHONY: demo test test-all test-processors test-service test-remote test-spark test-browser screenshots check bench bench-quick docs readme
.PHONY: sanitize fuzz mutants stubs format clean

demo: $(VENV)/.installed
	@$(BIN)/hardlimit demo

# What is said of the source and the prose, and not of the program: `make check` runs it.
HOUSE := $(addprefix tests/test_,layers.py banned_calls.py plain_words.py plural_nouns.py said_again.py glossary.py \
  repository.py tolerances.py stub.py)

# Memory that a test gave back is kept for the next: to fault it in again took a twentieth of the time.
KEEP_MEMORY := MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_MMAP_THRESHOLD_=1000000000
# A file of tests goes to one process as a whole; at most four processes.
SIDE_BY_SIDE := -n auto --maxprocesses 4 --dist loadfile

# Plain assertions: to rewrite those of 600 files takes half of the time before the first test. What
# fails is run once more with the values.
test: $(VENV)/.installed-test
	@$(KEEP_MEMORY) $(BIN)/python -m pytest $(SIDE_BY_SIDE) --assert=plain $(HOUSE:%=--ignore=%) --pyargs hardlimit tests || \
	  { echo "What failed, once more, with its values:"; \
	    $(BIN)/python -m pytest --last-failed --last-failed-no-failures=none --pyargs hardlimit tests; \
	    exit 1; }

test-all: $(VENV)/.installed-test
	$(BIN)/python -m pytest -m "not browser" --pyargs hardlimit tests

# What computes in floats, with the kernels that numpy, OpenBLAS and the C library choose on other
# processors. PROCESSORS="prescott" names some; tests/processors.py has the list, and says which
# test files are run: all but those of NO_FLOATS, which make text, bytes, processes or integers.
PROCESSORS =
test-processors: $(VENV)/.installed-test
	$(BIN)/python tests/processors.py $(PROCESSORS)

# The triage page in Chromium, with a service of its own; skips where there is none.
test-browser: $(VENV)/.installed-browser
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m browser tests/browser

# The pictures of the page and of a report in README.md and docs/.
screenshots: $(VENV)/.installed-browser
	$(BIN)/python -m tests.browser.screenshots docs/_static

# Requests made from the OpenAPI document to a running service; EXAMPLES=500 makes more of them.
EXAMPLES = 20
test-service: $(VENV)/.installed-test
	$(BIN)/python -m pip install -q "hardlimit[test,test-service]"
	HARDLIMIT_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -m slow tests/service/test_schemathesis.py

# A server of S3 on this machine, with faults before it.
test-remote: $(VENV)/.installed-test
	$(BIN)/python -m pip install -q "hardlimit[test,test-remote]"
	$(BIN)/python -m pytest -m "slow or not slow" tests/distributed/test_s3.py

# Real clusters of Spark on this machine; RUNS=10 kills more of their processes. Skips without Java.
RUNS = 3
test-spark: $(VENV)/.installed-test
	$(BIN)/python -m pip install -q "hardlimit[test,test-spark]"
	HARDLIMIT_RUNS=$(RUNS) $(BIN)/python -m pytest -m slow tests/distributed/test_spark.py

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)
	$(BIN)/python -m pytest -q -m "slow or not slow" $(HOUSE)

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .
	$(BIN)/clang-format -i $(NATIVE)

# ONLY="features epoch" measures these rows alone.
bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks $(ONLY)

# The main ratios on small samples, under two minutes; nothing is stored.
bench-quick: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks.quick

# The pages of docs/, those made from docstrings and examples/ among them; a warning is an error.
docs: $(VENV)/.installed-docs
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "Read docs/_build/html/index.html"

# The tables in README.md and docs/choices.md that are computed.
readme: $(VENV)/.installed
	$(BIN)/python -m benchmarks.readme

stubs: $(VENV)/.installed-dev
	$(BIN)/python -m nanobind.stubgen -m hardlimit._native -p native/stub_patterns.txt -o src/hardlimit/_native.pyi

# All quick tests with address checks; those of threads for some minutes, also with checks of races.
THREADS := tests/classifiers/test_threads.py tests/engine/test_locking.py tests/classifiers/test_jobs.py \
  tests/text/test_side_by_side.py tests/text/test_side_by_side_under_stress.py
sanitize: $(VENV)/.installed-test
	./native/sanitize.sh $(BIN)/python
	./native/sanitize.sh $(BIN)/python -m slow $(THREADS)
	./native/sanitize.sh --threads $(BIN)/python -m "slow or not slow" $(THREADS)

# SECONDS=600 is the time of each target, TARGETS="readers proofs" names some of them.
SECONDS = 60
# SANITIZED=1 changes the inputs at random instead, under checks of addresses: all targets.
fuzz: $(VENV)/.installed-$(if $(SANITIZED),test,fuzz)
	$(if $(SANITIZED),HARDLIMIT_FUZZ_SECONDS=$(SECONDS) ./native/sanitize.sh $(BIN)/python -m slow \
	  tests/test_fuzz.py $(if $(TARGETS),-k '$(subst $() , or ,$(strip $(TARGETS)))'),$(BIN)/python -m fuzz.run $(TARGETS) --seconds $(SECONDS))

# Small changes of one room, e.g. ROOM=live or ROOM=service/keys.py, and whether its tests notice.
# SAMPLE=0 tries all of them; SEED=2 draws others.
ROOM = live
SAMPLE = 200
SEED = 1
JOBS = 2
mutants: $(VENV)/.installed-mutants
	@$(BIN)/python -m mutants $(ROOM) --sample $(SAMPLE) --seed $(SEED) --jobs $(JOBS)

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "hardlimit needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing: sudo apt-get install python3-venv"; exit 1; }
	@test -e "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" || \
	  { echo "Python's C headers are missing: sudo apt-get install python3-dev"; exit 1; }
	@command -v $${CXX:-c++} >/dev/null || \
	  { echo "A C++ compiler is missing: sudo apt-get install g++"; exit 1; }
	@echo "Making an environment in $(VENV)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q $(BUILD_TOOLS)
	@touch $@

# What the package needs is downloaded while it is compiled.
$(VENV)/.installed: $(VENV)/.made pyproject.toml CMakeLists.txt $(NATIVE)
	@echo "Compiling hardlimit into $(VENV): about a minute"
	@$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" \
	  >$(VENV)/dependencies.txt
	$(BIN)/python -m pip install -q -r $(VENV)/dependencies.txt & needed=$$!; \
	  $(BIN)/python -m pip install -q --no-build-isolation --no-deps -e .; compiled=$$?; \
	  wait $$needed && exit $$compiled
	@touch $@

# Of the installed package, so that nothing is compiled: only what the tests need is installed.
$(VENV)/.installed-test: $(VENV)/.installed
	$(BIN)/python -m pip install -q "hardlimit[test]"
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed-test
	$(BIN)/python -m pip install -q "hardlimit[test,dev]"
	@touch $@

$(VENV)/.installed-browser: $(VENV)/.installed-test
	$(BIN)/python -m pip install -q "hardlimit[test,browser]"
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed-test
	$(BIN)/python -m pip install -q "hardlimit[test,docs]"
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed-test
	-$(BIN)/python -m pip install -q vowpalwabbit
	-$(BIN)/python -m pip install -q liblinear-official
	-$(BIN)/python -m pip install -q river
	-$(BIN)/python -m pip install -q fasttext-wheel || $(BIN)/python -m pip install -q fasttext
	@touch $@

$(VENV)/.installed-fuzz: $(VENV)/.installed-test
	$(BIN)/python -m pip install -q "hardlimit[test,fuzz]"
	@touch $@

$(VENV)/.installed-mutants: $(VENV)/.installed-test
	$(BIN)/python -m pip install -q "hardlimit[test,mutants]"
	@touch $@

clean:
	rm -rf build docs/_build docs/generated $(VENV)
