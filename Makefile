# `make` alone lists the targets. Everything runs from .venv; nothing is installed outside this folder, except that
# `make test` asks apt-get for strace and Chromium, and `make machines` for an ssh server, when it is missing and we are
# root.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS   += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check
MODELS := .models
STATIC := src/recollect/surfaces/dashboard/static

# Some containers forbid Python to keep what it has compiled. The tests start hundreds of processes that would compile
# the whole package again each time.
export PYTHONDONTWRITEBYTECODE :=

AGENTS      := claude-code gemini# what every `make test` drives; `make test-agents` drives all of them
EVERY_AGENT := claude-code codex gemini opencode openclaw

.PHONY: help install models dashboard screenshots chromium serve check test machines bench fuzz conformance test-clients agents test-agents test-anamnesis test-dialects test-frameworks test-local-model format lint build constraints clean strace pgvector node ssh-server

help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## make .venv with the exact, hash-checked versions of constraints.txt

models: $(MODELS)/.installed ## obtain the model that the demo and the tests use; about 30 MB, once

dashboard: $(STATIC)/index.html ## build the dashboard into the package (needs Node 20 or newer with npm, and the network once)

screenshots: dashboard chromium ## take the pictures of docs/dashboard anew, of every screen
	@RECOLLECT_MODELS="$(CURDIR)/$(MODELS)" $(BIN)/python -m tests.dashboard.screenshots

serve: install ## start the server on a memory with something in it, on this machine only (ARGS="--port 0")
	@test -e $(MODELS)/.installed || { $(INSTALL_MODELS); } || echo "Going on without the model: words do the work." >&2
	@$(MAKE) dashboard || echo "Going on without the dashboard: everything else is served." >&2
	@RECOLLECT_MODELS="$(CURDIR)/$(MODELS)" exec $(BIN)/recollect serve --demo $(ARGS)

check: lint ## the fast loop: format, lint, types, layers, and the tests that need no server
	@RECOLLECT_MODELS="$(CURDIR)/$(MODELS)" $(BIN)/pytest -q -m "not chaos and not slow and not postgres"

test: install ## everything CI runs: the checks, then every test on every store
	@$(MAKE) -j 2 lint models agents strace pgvector dashboard chromium
	@RECOLLECT_MODELS="$(CURDIR)/$(MODELS)" RECOLLECT_REQUIRE_STORES=sqlite,postgres \
	    RECOLLECT_AGENTS="$(AGENTS)" $(BIN)/pytest -n 2 --dist loadgroup

machines: install ssh-server ## the long runs of sync: two to four machines, killed, in any order, and over ssh; half an hour
	@RECOLLECT_CHAOS=full $(BIN)/pytest -q tests/chaos/test_syncing_machines.py tests/chaos/test_machines_in_any_order.py
	@if [ "$$(id -u)" = 0 ] && [ -x /usr/sbin/sshd ] && command -v ip > /dev/null; then \
	    $(BIN)/pytest -q tests/vault/over_ssh.py; \
	else echo '!! Not tried over ssh: that needs root, ip netns and /usr/sbin/sshd.' >&2; fi

bench: install ## measure quality and speed, as one card (DATA=folder of the data sets; ARGS="--sets speed --quick 3")
	@RECOLLECT_MODELS="$(CURDIR)/$(MODELS)" $(BIN)/recollect bench $(if $(DATA),--data "$(DATA)") $(ARGS)

fuzz: install ## thousands of made-up requests to the server, chat by the ten thousand, hostile text for every pattern and verb
	@RECOLLECT_FUZZ_EACH=125 RECOLLECT_FORGED=20000 $(BIN)/pytest -q -s --timeout 3600 tests/surfaces/http/test_schema.py tests/surfaces/http/test_forged.py
	@RECOLLECT_FUZZ_DIALECTS=100 $(BIN)/pytest -q --timeout 3600 tests/dialects/test_nonsense.py
	@RECOLLECT_FUZZ_CHAT=20000 RECOLLECT_BOUNDS=full $(BIN)/pytest -n 2 --timeout 3600 tests/readers/test_no_text_can_crash.py tests/bounds

conformance: install ## run the MCP conformance suite of every revision against a demo server (needs npm, and the network once)
	@PATH="$(CURDIR)/$(BIN):$$PATH" tests/surfaces/mcp/conformance.sh

test-clients: install ## connect Claude Code, Codex, Gemini and the MCP inspector (needs npm, and the network once; 900 MB)
	@PATH="$(CURDIR)/$(BIN):$$PATH" tests/surfaces/mcp/clients.sh

agents: $(AGENTS:%=.agents/%/.installed) ## obtain the coding agents that the tests drive, with npm; about 150 MB, once

test-agents: install $(EVERY_AGENT:%=.agents/%/.installed) ## drive every coding agent through whole turns, offline; some minutes
	@RECOLLECT_AGENTS="$(EVERY_AGENT)" $(BIN)/pytest -q tests/agents/test_*.py tests/agents/claude_code.py $(ARGS)

test-anamnesis: install ## a store of the published Anamnesis, between its own program and us (needs the network once)
	@PATH="$(CURDIR)/$(BIN):$$PATH" PYTHON="$(PYTHON)" tests/anamnesis/run.sh $(ARGS)

test-dialects: install ## the published clients of other memory systems against our server (needs npm, and the network once)
	@PATH="$(CURDIR)/$(BIN):$$PATH" PYTHON="$(PYTHON)" tests/dialects/clients/run.sh $(ARGS)

test-frameworks: install ## our adapters in the hands of LangGraph, the OpenAI Agents SDK and pydantic-ai (needs the network once)
	@PYTHON="$(PYTHON)" tests/adapters/frameworks/run.sh $(ARGS)

test-local-model: install ## a real, small language model on this machine: capture, read, reflect, answer (Linux; the network once; 130 MB)
	@PYTHON="$(PYTHON)" RECOLLECT_MODELS="$(MODELS)" tests/models/local_model/run.sh $(ARGS)

format: install ## rewrite the code the way the checks want it
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

lint: install ## format, lint, types and layers, without the tests; and how large the package is
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m tests.architecture.sizes

build: install dashboard ## wheel and sdist into dist/
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist .

constraints: ## resolve constraints.txt again, keeping what still fits (UPGRADE=1 takes the newest of everything)
	@scratch="$$(mktemp -d)"; trap 'rm -rf "$$scratch"' EXIT; \
	$(PYTHON) -m venv "$$scratch/venv"; \
	"$$scratch/venv/bin/pip" install -qq --no-input --disable-pip-version-check uv; \
	if [ -e constraints.txt ]; then cp constraints.txt "$$scratch/resolved.txt"; fi; \
	env -u UV_DEFAULT_INDEX -u UV_INDEX -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS \
	    "$$scratch/venv/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-header --no-annotate --all-extras --group dev $(if $(UPGRADE),--upgrade) \
	    --output-file "$$scratch/resolved.txt" pyproject.toml; \
	if grep -n '://' "$$scratch/resolved.txt"; then \
	    echo "constraints.txt would name an address (above); it is left as it was." >&2; exit 1; \
	fi; \
	{ echo "# Made by 'make constraints' from pyproject.toml: every version and hash, for Python 3.11+ on every system."; \
	  cat "$$scratch/resolved.txt"; } > "$$scratch/constraints.txt"; \
	mv "$$scratch/constraints.txt" constraints.txt; \
	echo "constraints.txt: $$(grep -c '==' constraints.txt) packages"

clean: ## remove everything that can be made again, .venv included
	@rm -rf $(VENV) $(MODELS) web/node_modules $(STATIC) .agents .anamnesis dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find . -name .git -prune -o -name __pycache__ -type d -exec rm -rf {} +

# --- steps of the above -----------------------------------------------------------------------------------------------

$(VENV)/.resolved: constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Recollect needs Python 3.11 or newer, but '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)." >&2; \
	    echo "Say which one to use, for example: make install PYTHON=python3.12" >&2; exit 1; }
	@echo "Installing the development environment into $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r constraints.txt
	@touch $@

$(VENV)/.installed: $(VENV)/.resolved pyproject.toml
	@$(PIP) --no-deps --no-build-isolation -e '.'
	@touch $@

# A model is checked by its digest wherever it comes from; a list of models that has changed is gone through again.
INSTALL_MODELS = RECOLLECT_MODELS="$(CURDIR)/$(MODELS)" $(BIN)/recollect models install && touch $(MODELS)/.installed

$(MODELS)/.installed: src/recollect/inference/models.py | install
	@$(INSTALL_MODELS)

node: install
	@if [ "$$(PATH="$(CURDIR)/$(BIN):$$PATH" node -p 'parseInt(process.versions.node) >= 20' 2>&1)" != true ] \
	    || ! PATH="$(CURDIR)/$(BIN):$$PATH" command -v npm > /dev/null; then \
	    echo "Installing Node into $(VENV) ..."; \
	    $(PIP) --no-deps --require-hashes -r tests/agents/packages/node.txt || true; \
	fi

# The packages of the dashboard are exact versions, checked by their hashes. None of their scripts is run. The catalogue of
# commands stands for the verbs, whose types are made for TypeScript.
web/node_modules/.installed: web/package.json web/package-lock.json | node
	@echo "Installing the packages of the dashboard into web/node_modules ..."
	@cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel error || { \
	    printf '%s\n' \
	        '!!' \
	        '!! The packages of the dashboard could not be installed with npm, so it cannot be built.' \
	        '!! That needs Node 20 or newer with npm, and the network once.' \
	        '!!' >&2; exit 1; }
	@touch $@

$(STATIC)/index.html: web/node_modules/.installed $(wildcard web/*.* web/public/* web/src/*.* web/src/*/*.*) src/recollect/surfaces/cli/commands.jsonl
	@echo "Building the dashboard ..."
	@$(BIN)/python web/openapi_types.py web/src/api/verbs.ts
	@cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent build -- --logLevel warn
	@touch $@

# Coding agents are exact versions, checked by their hashes, each in a folder of its own. None of their scripts is run.
.agents/%/.installed: tests/agents/packages/%/package.json tests/agents/packages/%/package-lock.json | node
	@echo "Installing $* into .agents/$* ..."
	@mkdir -p .agents/$*
	@cp $^ .agents/$*/
	@if PATH="$(CURDIR)/$(BIN):$$PATH" npm install --prefix .agents/$* --ignore-scripts --no-audit --no-fund --loglevel error; then touch $@; else \
	    printf '%s\n' \
	        '!!' \
	        '!! $* could not be installed with npm: the tests that drive it will fail.' \
	        '!! They need Node 20 or newer with npm, and the network once.' \
	        '!!' >&2; \
	fi

# Installs a package of the system where nobody has to be asked: its name, the programs that it brings, and what is
# missing without it.
define system_package
@if command -v $(2) > /dev/null; then exit 0; fi; \
if command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
    echo "Installing $(1) ..."; \
    export DEBIAN_FRONTEND=noninteractive; \
    { apt-get -qq install -y $(1) || { apt-get -qq update && apt-get -qq install -y $(1); }; } \
        < /dev/null > /dev/null && exit 0; \
fi; \
printf '%s\n' \
    '!!' \
    '!! $(1) is missing and could not be installed: $(3).' \
    '!! Install it (Debian, Ubuntu: sudo apt-get install $(1)) and run make test again.' \
    '!!' >&2
endef

# The durability tests watch system calls: a commit that was never synced is a commit that was never made.
strace:
	$(call system_package,strace,strace,the tests that watch system calls cannot run)

# The tests of the dashboard drive a real browser.
chromium:
	$(call system_package,chromium,chromium chromium-browser google-chrome,the tests of the dashboard will fail)

# Tried on a server that nobody uses, once; where the one in the wheel cannot run on this processor it is built.
pgvector: install
	@$(BIN)/python -W ignore -m tests.support.pgvector

# For machines in networks of their own. Nothing is started by installing it: the tests start one where nobody else is.
ssh-server:
	@if [ -x /usr/sbin/sshd ] || [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then exit 0; fi; \
	echo "Installing openssh-server ..."; \
	export DEBIAN_FRONTEND=noninteractive; policy=/usr/sbin/policy-rc.d; \
	if [ ! -e $$policy ]; then printf '#!/bin/sh\nexit 101\n' > $$policy; chmod +x $$policy; trap "rm -f $$policy" EXIT; fi; \
	{ apt-get -qq install -y openssh-server || { apt-get -qq update && apt-get -qq install -y openssh-server; }; } \
	    < /dev/null > /dev/null || true
