# Start with `make serve`, `make quick` or `make test`. Each installs what it needs on its first run.

export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Without bytecode, every process that is started compiles its modules again.
unexport PYTHONDONTWRITEBYTECODE
PIP := .venv/bin/python -m pip --disable-pip-version-check --quiet
LOCK := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" pyproject.toml
CLIENT := src/croupier/static/index.html
CLIENT_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)

# Test files run in parallel, in order: the browser tests come last. Many tests mostly wait, so there are two
# workers for each processor.
PARALLEL := --numprocesses=$(shell expr $$(getconf _NPROCESSORS_ONLN) \* 2) --maxprocesses=6 --dist=loadfile --no-loadscope-reorder
SLOWEST := --durations=10

# Tests that start no server and no browser.
QUICK_TESTS := $(addprefix tests/,accounts config equipment games play protocol style tables test_wire_ts.py)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help serve test quick campaign check check-client test-packages docs format lock wheel clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: .venv/serve $(CLIENT) ## start the server on this machine; ARGS="--help" lists its options
	@exec .venv/bin/croupier serve $(ARGS)

# The Python and the client are set up and checked side by side, one processor each.
test: .venv/serve ## all checks and tests, browser tests included
	@$(MAKE) --no-print-directory --jobs=3 --output-sync check check-client test-packages
	.venv/bin/python -m pytest $(PARALLEL) $(SLOWEST) $(ARGS)

quick: check ## checks of the Python, and the tests without servers and browsers: two minutes
	.venv/bin/python -m pytest $(PARALLEL) $(SLOWEST) $(QUICK_TESTS) $(ARGS)

campaign: .venv/test $(CLIENT) ## the long tests, and many more examples of each property
	.venv/bin/python -m pytest -m 'campaign or hypothesis' --hypothesis-profile=campaign $(ARGS)

check: .venv/test ## lint, formatting, types and import rules of the Python
	.venv/bin/ruff check --quiet .
	.venv/bin/ruff format --check --quiet .
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo

check-client: web/node_modules/.package-lock.json $(CLIENT) ## lint, types and tests of the client
	cd web && npm run --silent check
	cd web && npm run --silent test

test-packages:
	@tools/get-test-packages

format: .venv/test web/node_modules/.package-lock.json ## format all sources and regenerate files
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	.venv/bin/python -m tools.wire_ts
	.venv/bin/python -m tools.protocol_pages
	.venv/bin/python -m tools.compliance
	cd web && npm run --silent format

lock: .venv/test ## update the lock files from pyproject.toml; ARGS=--upgrade for newer releases
	@$(LOCK) --extra build --extra dev --output-file requirements-dev.lock $(ARGS)
	@$(LOCK) --extra build --extra maths --constraint requirements-dev.lock --output-file requirements-build.lock
	@$(LOCK) --constraint requirements-dev.lock --output-file requirements.lock
	@$(LOCK) --extra nodes --extra postgresql --extra tracing --constraint requirements-dev.lock --output-file requirements-image.lock
	cd web && npm install --package-lock-only

docs: .venv/test ## the documentation site in build/docs, with every link checked
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build

wheel: .venv/test $(CLIENT) ## dist/: the wheel and the sdist, with the built client
	.venv/bin/python -m build --no-isolation

clean: ## delete everything that was built
	rm -rf .venv build dist src/croupier/static web/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis

# --clear: a .venv whose Python was upgraded away can't be repaired.
.venv/bin/python:
	@python=$$(tools/find-python) && "$$python" -m venv --clear .venv

.venv/serve: .venv/bin/python requirements-build.lock pyproject.toml
	@echo "Installing croupier and its dependencies into .venv"
	@$(PIP) install --require-hashes --requirement requirements-build.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.venv/test: .venv/serve requirements-dev.lock
	@echo "Installing the test tools into .venv"
	@$(PIP) install --require-hashes --requirement requirements-dev.lock
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json .venv/serve
	@echo "Installing the build tools of the client"
	@cd web && npm ci --loglevel error --no-audit --no-fund
	@touch $@

$(CLIENT): web/node_modules/.package-lock.json $(CLIENT_SOURCES)
	@echo "Building the client"
	@cd web && npm run --silent build
	@touch $@
