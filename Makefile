# The commands of this repository; `make help` lists them. Each sets up $(VENV) first where that is
# missing or older than pyproject.toml or constraints.txt, and does so only once.

PYTHON       ?= python3
VENV         ?= .venv
PIP_ARGS     ?=
PYTEST_ARGS  ?=
COMPARE_ARGS ?=
BENCH_ARGS   ?=

RUN       := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed
COMPILED  := $(VENV)/.compiled
PEERS     := $(VENV)/.peers
SOURCES   := $(wildcard red7_env/*.py red7_env/*/*.py agents/*.py agents/*/*.py)
CACHES    := .pytest_cache .mypy_cache .ruff_cache .hypothesis .cache build dist site

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup compare test test-slow lint format docs notebooks pictures bench clean

help: ## list the commands
	@echo "make COMMAND [PYTHON=python3.12] [VENV=.venv]"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)$$/\1|\2/p' $(firstword $(MAKEFILE_LIST)) \
		| while IFS='|' read -r name text; do printf '  %-10s %s\n' "$$name" "$$text"; done

setup: $(COMPILED) ## make the virtual environment, install the pinned versions, compile the game

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "error: PYTHON=$(PYTHON): expected Python 3.11 or newer," \
			"found $$($(PYTHON) --version 2>&1 | tail -n 1)" >&2; exit 1; }
	@echo "== install the pinned versions into $(VENV) (PyTorch is large: this can take minutes)"
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	@$(RUN) -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) \
		-c constraints.txt -e '.[dev,docs,league,openspiel,ray,render,train]'
	@touch $@

# Only moves the wait: without this step the first game after a change of the sources would compile.
$(COMPILED): $(INSTALLED) $(SOURCES)
	@echo "== compile the game, its environments and the agents (a minute or two)"
	@$(RUN) -m red7_env.compile
	@$(RUN) -m agents.compile
	@touch $@

# Apart from the rest, because only the benchmark needs them and one comes as source.
$(PEERS): $(INSTALLED)
	@echo "== install the games that are measured beside this one"
	@$(RUN) -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) -c constraints.txt -e '.[bench]'
	@touch $@

compare: $(COMPILED) ## play the agents against each other (COMPARE_ARGS='...')
	@$(RUN) -m experiments compare $(COMPARE_ARGS)

test: $(COMPILED) ## run every test but the slow ones (PYTEST_ARGS='...')
	@$(RUN) -m pytest --numprocesses auto $(PYTEST_ARGS)

test-slow: $(COMPILED) ## run the slow tests: millions of games
	@$(RUN) -m pytest --numprocesses auto -m slow $(PYTEST_ARGS)

lint: $(INSTALLED) ## check style, formatting and types
	@$(RUN) -m ruff check
	@$(RUN) -m ruff format --check
	@$(RUN) -m mypy

format: $(INSTALLED) ## repair style and formatting where a tool can
	@$(RUN) -m ruff check --fix
	@$(RUN) -m ruff format

docs: $(INSTALLED) ## build the documentation: site/index.html
	@$(RUN) -m zensical build --strict --clean

pictures: $(COMPILED) ## draw the pictures of README and documentation
	@$(RUN) -m experiments pictures

notebooks: $(COMPILED) ## run the notebooks anew and keep what they show
	@$(RUN) -m notebooks

bench: $(COMPILED) $(PEERS) ## measure the speed of the game (BENCH_ARGS='--json FILE')
	@$(RUN) -m experiments benchmark $(BENCH_ARGS)

clean: ## remove .venv, caches and build outputs
	@rm -rf .venv $(CACHES)
	@find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
