# Brinkmanship. `make play` and `make test` do all their own set-up on a fresh machine; see README.md.

VENV := .venv
BIN := $(VENV)/bin
PLAYABLE := $(VENV)/.playable
INSTALLED := $(VENV)/.installed
UV ?= uv

.PHONY: help play check test test-long pictures mutants bench docs lint format lock audit package clean browser

help:
	@echo "make play       open the table: play in the browser"
	@echo "make check      the quick tests: no browser, no other process"
	@echo "make test       lint, types and tests: what every change must pass"
	@echo "make test-long  thousands of random games checked for every property"
	@echo "make pictures   store new reference pictures of pages, after an intended change"
	@echo "make mutants    would the tests notice? small faults are planted in the source, one by one"
	@echo "make bench      the figures of docs/develop/measurements.md, measured here"
	@echo "make docs       the documentation site, in build/site"
	@echo "make package    build the package, and use it where only one extra is installed"
	@echo "make lock       lock the versions that the container installs (needs uv)"
	@echo "make audit      are there known vulnerabilities in the locked versions?"
	@echo "make format     put the source into its format"
	@echo "make clean      remove the virtual environment and caches"

# What playing needs, and what working on the program needs as well. PYTHON=... says which Python.
$(PLAYABLE): pyproject.toml tools/install.sh
	@tools/install.sh
	@touch $@

$(INSTALLED): pyproject.toml tools/install.sh
	@tools/install.sh dev
	@touch $@ $(PLAYABLE)

play: $(PLAYABLE)
	@$(BIN)/brink serve

lint: $(INSTALLED)
	$(BIN)/ruff check src benchmarks tests tools examples
	$(BIN)/ruff format --check src benchmarks tests tools examples
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/mypy

# The tests click through the pages in a real browser.
browser:
	@test -x /usr/bin/chromium || { \
		echo "Installing Chromium for the browser tests ..."; \
		sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		$$sudo apt-get update -qq && $$sudo apt-get install -y -qq chromium >/dev/null; }

WORKERS = $(shell $(BIN)/python tools/pytest_workers.py)

test: lint browser
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long" -rfE

check: $(INSTALLED)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not (browser or process or interpreted or slow or long)"

test-long: $(INSTALLED)
	$(BIN)/pytest -n auto --dist worksteal -m long

# Then look at what has changed: git diff shows which pictures.
pictures: $(INSTALLED) browser
	BRINK_TEST_PICTURES=update $(BIN)/pytest -n 2 tests/end_to_end/browser/test_every_page.py -k "accessible and not other_theme"

# MUTANTS=20 of each module, chosen by chance with SEED=1; MODULES="engine/match web/tables/live_table" for some of them.
MUTANTS ?= 20
SEED ?= 1
mutants:
	@tools/install.sh dev,mutants
	$(BIN)/python tools/mutants.py --sample $(MUTANTS) --seed $(SEED) $(MODULES)

bench: $(INSTALLED) browser
	$(BIN)/brink bench --game 13-days
	$(BIN)/brink bench --game 13-minutes
	$(BIN)/brink bench --game ukrainian-crisis
	$(BIN)/python -m benchmarks web
	$(BIN)/python -m benchmarks pages

docs:
	@tools/install.sh dev,docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

format: $(INSTALLED)
	$(BIN)/ruff check --fix src benchmarks tests tools examples
	$(BIN)/ruff format src benchmarks tests tools examples

LOCK = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	--no-emit-index-url --no-emit-find-links --upgrade

lock:
	$(LOCK) pyproject.toml --extra server --extra postgresql --output-file requirements.lock
	$(LOCK) pyproject.toml --all-extras --constraint requirements.lock --output-file requirements-dev.lock
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'], sep='\n')" \
		| $(LOCK) - --output-file requirements-build.lock

package: $(INSTALLED)
	$(BIN)/python tools/check_package.py

audit:
	@tools/install.sh dev,audit || { echo "pip-audit cannot be installed: nothing was checked"; exit 0; }; \
		$(BIN)/python tools/audit.py requirements.lock requirements-dev.lock requirements-build.lock

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src benchmarks tests -name __pycache__ -type d -prune -exec rm -rf {} +
