# `make` alone lists the targets.

VENV    := .venv
BIN     := $(VENV)/bin
READY   := $(VENV)/.ready
PEERS   := $(VENV)/peers
LOWEST  := $(VENV)/lowest
BOARD   := benchmarks/boardgame
# Half of the tests wait for servers and browsers most of the time.
CORES   := $(shell getconf _NPROCESSORS_ONLN)
WORKERS ?= $(shell echo $$((2 * $(CORES))))
# The tests start hundreds of processes, which must not compile the same files each time.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory --no-builtin-rules

.PHONY: help play page quick test check peers bench soak rude lowest cluster ray pictures looks budgets lock clean

help:  ## list the targets
	@echo "usage: make TARGET"
	@awk -F ':.*## ' '/^[a-z]+:.*## /{ printf "  %-10s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: page  ## play in the browser: builds the page and starts a server (PORT=8000)
	@$(BIN)/tilerummy serve --open $(if $(PORT),--port $(PORT))

page: $(READY)  ## build the page into the package
	@echo "==> page"
	@$(BIN)/python -m tools.page build

quick: $(READY)  ## within a minute: lint, format, types, import rules, and the tests that need no server
	@$(TOGETHER) lint format types imports quick-tests

test:  ## everything that must hold before a commit: the checks, then the tests
	@$(MAKE) -j 2 $(READY) services
	@$(TOGETHER) $(CHECKS) page
	@echo "==> tests"
	@$(IN_MEMORY) $(BIN)/pytest -n $(WORKERS) --dist worksteal

check: $(READY)  ## lint, format, types, import rules, known vulnerabilities; the same for the page
	@$(TOGETHER) $(CHECKS)

# The slowest come first. Where make can do it, each shows its output in one piece.
CHECKS   := types page-tests page-types page-lint audit imports lint format
TOGETHER  = $(MAKE) -j $(WORKERS) $(if $(filter output-sync,$(.FEATURES)),--output-sync)
IN_MEMORY = memory=$${TMPDIR:-$$(tools/tmpdir)}; $${memory:+env TMPDIR=$$memory}
.PHONY: services quick-tests $(CHECKS)

services:
	@tools/services

quick-tests: $(READY)
	@echo "==> quick tests"
	@$(IN_MEMORY) $(BIN)/pytest -n $(CORES) --dist worksteal -m "not soak and not slow"

lint: $(READY)
	@echo "==> lint"
	@$(BIN)/ruff check --quiet

format: $(READY)
	@echo "==> format"
	@$(BIN)/ruff format --check --quiet || { $(BIN)/ruff format --check; exit 1; }

types: $(READY)
	@echo "==> types"
	@$(BIN)/mypy --no-error-summary

imports: $(READY)
	@echo "==> imports"
	@out=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$out"; exit 1; }

audit: $(READY)
	@echo "==> audit"
	@$(BIN)/python tools/audit.py requirements.lock --answer $(VENV)/.audit $(AUDIT)

page-lint page-types page-tests: page-%: $(READY)
	@echo "==> page: $*"
	@$(BIN)/python -m tools.page check $*

peers: $(PEERS)/.ready $(BOARD)/node_modules/.ready  ## install the peers that the benchmarks compare with

bench: $(READY) peers  ## run every benchmark
	@tools/services postgresql redis-server
	@for name in rules solver playouts moves server cluster; do \
		echo "==> $$name"; \
		$(BIN)/python -m "benchmarks.$$name" || exit 1; \
	done

soak: $(READY)  ## the long tests, with many more examples, and an hour of rude clients (RUDE_MINUTES=60)
	@tools/services
	@echo "==> soak"
	@$(BIN)/pytest -n $(WORKERS) -m soak -rs --hypothesis-profile=soak --ignore=tests/server/rude
	@echo "==> rude clients, alone: they measure"
	@$(BIN)/pytest -s -m soak tests/server/rude

rude: $(READY)  ## rude clients, and the latency of honest players beside them (MINUTES=5)
	@$(BIN)/python -m tests.server.rude $(if $(MINUTES),--minutes $(MINUTES))

# The newest test tools, and the oldest versions of what the package needs.
lowest: $(LOWEST)/.ready  ## the tests of the command, the server and the environment with the oldest versions that pyproject.toml allows
	@tools/services postgresql redis-server
	@echo "==> lowest versions"
	@$(IN_MEMORY) $(LOWEST)/bin/pytest -n $(WORKERS) --dist worksteal $(LOWEST_TESTS)

# The documents are generated with the newest versions: older ones order them differently.
LOWEST_TESTS ?= tests/cli tests/client tests/env tests/server --ignore=tests/server/test_protocol_docs.py

cluster: $(READY)  ## PostgreSQL, Redis and two nodes here (MATCH=1: a match while a node is killed)
	@tools/services postgresql redis-server
	@$(BIN)/python -m tools.cluster $(if $(MATCH),--match)

ray: $(READY)  ## a Ray cluster of two nodes here, for `tilerummy lab tournament --ray` (RUN="...": with one command)
	@$(BIN)/python -m tools.ray_cluster $(RUN)

pictures: $(READY)  ## regenerate the pictures of the README
	@$(BIN)/python -m tools.pictures

looks: $(READY)  ## a picture of every screen in each language and theme, for review (in build/looks)
	@$(BIN)/python -m tools.pagelooks build/looks

budgets: page  ## check the size and speed budgets of the page (Chromium, on an idle machine)
	@$(BIN)/python -m tools.budgets

lock: $(READY)  ## pin all dependencies again (UPGRADE=1: at their latest versions)
	@echo "==> lock"
	@$(LOCK) --all-extras --output-file requirements.lock pyproject.toml >/dev/null
	@$(LOCK) --extra server --constraint requirements.lock --output-file deploy/requirements.lock \
		pyproject.toml deploy/build.in >/dev/null
	@$(LOCK) --output-file benchmarks/requirements.lock benchmarks/requirements.in >/dev/null
	@$(LOCK) --output-file tools/node.lock tools/node.in >/dev/null
	@$(LOCK) --resolution lowest-direct --extra tui --extra server --extra env \
		--output-file tools/lowest.lock pyproject.toml >/dev/null

LOCK = $(BIN)/uv --quiet --no-config pip compile --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

clean:  ## remove the environment, builds and caches
	@rm -rf $(VENV) build dist src/*.egg-info $(BOARD)/node_modules
	@rm -rf web/node_modules web/src/generated web/.building src/tilerummy/server/page
	@rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The version lives in __init__.py, and the installed metadata must follow it.
KERNEL  := $(wildcard src/tilerummy/solver/cover/kernel/*.[ch] src/tilerummy/solver/cover/kernel/*/*.h)
$(READY): requirements.lock pyproject.toml setup.py $(KERNEL) src/tilerummy/__init__.py tools/setup
	@tools/setup $(VENV)
	@touch $@

$(LOWEST)/.ready: tools/lowest.lock | $(READY)
	@tools/setup $(LOWEST)
	@$(LOWEST)/bin/python -m pip -qq --disable-pip-version-check install --no-deps --require-hashes -r $<
	@touch $@

$(PEERS)/.ready: benchmarks/requirements.lock | $(READY)
	@echo "==> peers"
	@$(BIN)/python -m venv --clear $(PEERS)
	@$(PEERS)/bin/python -m pip -qq --disable-pip-version-check install --require-hashes -r $<
	@touch $@

# Without npm the benchmark skips this peer and says so.
$(BOARD)/node_modules/.ready: $(BOARD)/package.json $(BOARD)/package-lock.json $(BOARD)/.npmrc
	@if command -v npm >/dev/null; then \
		echo "==> boardgame.io"; \
		npm ci --prefix $(BOARD) --no-audit --no-fund --loglevel error >/dev/null && touch $@; \
	else \
		echo "==> boardgame.io: skipped, npm is not installed"; \
	fi
