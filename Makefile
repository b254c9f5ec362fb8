# make lab          the workbench in JupyterLab; opens the tour
# make serve        the bench as a page of its own; another workload: make serve WORKLOAD=folder
# make test         the whole test suite
# make check        ruff, mypy --strict and the whole test suite
# make screenshots  pictures of every tab of the bench, light and dark, in PICTURES (output/screenshots)
# make gallery      the reports of docs/gallery, their index and their pictures
#
# Each makes .venv when it is missing and installs into it what pyproject.toml names, at the versions of
# constraints.txt; a second run installs nothing. Another Python: make lab PYTHON=python3.12
# More for pip, such as a mirror or the CPU build of torch: make lab PIP_ARGS="--extra-index-url URL"

PYTHON ?= python3
PIP_ARGS ?=
PYTEST_ARGS ?=
EXTRAS ?=
WORKLOAD ?=
PICTURES ?= output/screenshots

VENV := .venv
BIN := $(VENV)/bin
INSTALL = $(BIN)/python -m pip install --disable-pip-version-check $(PIP_ARGS) --constraint constraints.txt

.PHONY: help lab serve screenshots gallery test check lint types clean

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

lab: $(VENV)/.lab
	$(BIN)/workbench lab

serve: $(VENV)/.lab
	$(BIN)/workbench serve $(WORKLOAD)

screenshots: $(VENV)/.test
	$(BIN)/python -m tests.browser.screenshots $(PICTURES)

gallery: $(VENV)/.test
	$(BIN)/python docs/gallery/build.py

test: $(VENV)/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS)

check: lint types test

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

# check runs its parts one after the other, so that the closing line of pytest is the last one.
.NOTPARALLEL:

$(VENV)/.lab: pyproject.toml constraints.txt | $(VENV)/.python
	$(INSTALL) --editable ".[lab,model,endpoint]"
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/.python
	$(INSTALL) --editable ".[lab,model,endpoint,onnx,redis,test$(EXTRAS)]"
	@touch $@ $(VENV)/.lab

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "error: $(PYTHON) is older than Python 3.11; run make with PYTHON=/path/to/a/newer/python." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
