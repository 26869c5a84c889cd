# From a clean clone: `make play` to play, `make test` to check everything. `make help` lists the rest.
#
# Everything lives in .venv and build/; nothing is installed outside this folder and no step needs root.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
STAMPS := $(VENV)/stamps
LOGS := build/logs
PIP := -m pip install --disable-pip-version-check --constraint constraints.txt
EDITABLE := -m pip install --disable-pip-version-check --verbose --no-deps --no-build-isolation -e .
# An editable install compiles no Python, and where PYTHONDONTWRITEBYTECODE is set nothing would ever be: GUIs start the
# engine often, and compiling its modules takes longer than all the rest of its start.
BYTECODE := -m compileall -q src/philidor
STEP := $(PYTHON) tools/step.py
CHECK := $(PY) tools/check.py

# What the compiled core is made from: a change here compiles again, a change in Python needs nothing.
NATIVE_SOURCES := pyproject.toml CMakeLists.txt constraints.txt \
    $(shell find cpp -name tests -prune -o -name fuzz -prune -o -type f -print)
ALL_VARIANTS := $(if $(filter x86_64 AMD64 amd64,$(shell uname -m)),v2;v3,generic)
# Here only the one that this CPU will load: compiling them all takes two minutes longer. The C++ tests run on the
# oldest too, and a wheel has them all.
VARIANTS ?= $$($(PYTHON) tools/variants.py)

# What the pages of the board are made from, and the last file that is made.
WEB_SOURCES := tools/pages.py $(shell find web -name node_modules -prune -o -name build -prune -o -type f -print)
PAGES := src/philidor/frontends/web/static/index.html

# Playing does not need the development tools; once they are there, they serve for playing too.
ifneq ($(wildcard $(STAMPS)/dev)$(filter-out play,$(MAKECMDGOALS)),)
INSTALLED := $(STAMPS)/dev
else
INSTALLED := $(STAMPS)/play
endif

# The steps share one .venv and one build folder; compilers and pytest bring their own parallelism.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help play test lint format types docs fuzz bench stubs native web wheel clean

help:
	@echo "make play     set up and start the board in the browser; ARGS=--terminal: a game in the terminal"
	@echo "make test     set up and run every check: lint, types, rooms, stubs, docs, C++ tests, fuzzers, Python tests"
	@echo "make lint     ruff, clang-format, mypy and the rooms' import rules"
	@echo "make format   let ruff and clang-format rewrite the files"
	@echo "make bench    speed, as JSON too"
	@echo "make fuzz     run each fuzz target for FUZZ_SECONDS (60); needs clang"
	@echo "make docs     build the documentation into site/"
	@echo "make stubs    write the compiled core's type stubs again"
	@echo "make native   compile the core"
	@echo "make web      build the pages of the board in the browser; needs Node.js"
	@echo "make wheel    build a wheel into dist/"
	@echo "make clean    remove everything that make has made"

play: $(INSTALLED) $(if $(findstring --terminal,$(ARGS)),,$(PAGES))
	@$(PY) -m philidor play $(ARGS)

test: $(INSTALLED)
	@$(CHECK) all

lint: $(INSTALLED)
	@$(CHECK) ruff format clang-format types rooms

format: $(INSTALLED)
	@$(PY) -m ruff check --fix --quiet . ; $(PY) -m ruff format .
	@find cpp tools -name '*.h' -o -name '*.cpp' -o -name '*.c' | xargs $(VENV)/bin/clang-format -i

types: $(INSTALLED)
	@$(CHECK) types

docs: $(INSTALLED)
	@$(CHECK) docs

fuzz: $(INSTALLED)
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-60} $(CHECK) fuzz

bench: $(INSTALLED)
	@$(PY) benchmarks/run.py $(ARGS)

stubs: $(INSTALLED)
	@$(PY) tools/stubs.py

native: $(INSTALLED)

web: $(PAGES)

wheel: $(INSTALLED) $(PAGES)
	@$(STEP) "[1/1] building a wheel into dist/" $(LOGS)/wheel.log \
	    $(PY) -m pip wheel --verbose --no-build-isolation --no-deps --wheel-dir dist . \
	    "--config-settings=cmake.define.PHILIDOR_VARIANTS=$(ALL_VARIANTS)"
	@ls -l dist/*.whl

clean:
	rm -rf $(VENV) build dist site web/build web/node_modules $(dir $(PAGES)) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# 1. A virtual environment.
$(STAMPS)/venv: tools/prerequisites.py
	@$(PYTHON) tools/prerequisites.py
	@$(STEP) "[1/4] creating $(VENV)" $(LOGS)/venv.log $(PYTHON) -m venv --clear $(VENV)
	@mkdir -p $(STAMPS) && touch $@

# 2. The libraries and tools that pyproject.toml names, in the versions that constraints.txt names.
$(STAMPS)/libraries-play: $(STAMPS)/venv pyproject.toml constraints.txt
	@$(PY) tools/requirements.py > $(LOGS)/libraries-play.txt
	@$(STEP) "[2/4] installing libraries" $(LOGS)/libraries-play.log $(PY) $(PIP) -r $(LOGS)/libraries-play.txt
	@touch $@

$(STAMPS)/libraries-dev: $(STAMPS)/venv pyproject.toml constraints.txt
	@$(PY) tools/requirements.py dev train > $(LOGS)/libraries-dev.txt
	@$(STEP) "[2/4] installing libraries and development tools" $(LOGS)/libraries-dev.log \
	    $(PY) $(PIP) -r $(LOGS)/libraries-dev.txt
	@touch $@

# 3. philidor itself, editable.
$(STAMPS)/play: $(STAMPS)/libraries-play $(NATIVE_SOURCES)
	@$(STEP) "[3/4] compiling the C++ core" $(LOGS)/play.log $(PY) $(EDITABLE) \
	    "--config-settings=cmake.define.PHILIDOR_VARIANTS=$(VARIANTS)"
	@$(PY) $(BYTECODE)
	@touch $@

$(STAMPS)/dev: $(STAMPS)/libraries-dev $(NATIVE_SOURCES)
	@$(STEP) "[3/4] compiling the C++ core" $(LOGS)/dev.log $(PY) $(EDITABLE) \
	    "--config-settings=cmake.define.PHILIDOR_VARIANTS=$(VARIANTS)"
	@$(PY) $(BYTECODE)
	@touch $@

# 4. The pages of the board.
$(PAGES): $(WEB_SOURCES)
	@$(PYTHON) tools/pages.py --look
	@$(STEP) "[4/4] building the pages of the board" $(LOGS)/web.log $(PYTHON) tools/pages.py
	@touch $@
