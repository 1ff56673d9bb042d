# Brinkmanship. `make play` and `make test` do all their own set-up on a fresh machine; see README.md.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: help play test test-long bench lint format clean browser

help:
	@echo "make play       open the table: play in the browser"
	@echo "make test       lint, types and tests: what every change must pass"
	@echo "make test-long  thousands of random games checked for every property"
	@echo "make bench      the figures of docs/benchmarks.md, measured here"
	@echo "make format     put the source into its format"
	@echo "make clean      remove the virtual environment and caches"

$(INSTALLED): pyproject.toml
	@$(PYTHON) --version >/dev/null 2>&1 || { echo "Python 3.11 is needed; say which with PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

play: $(INSTALLED)
	@$(BIN)/brink serve

lint: $(INSTALLED)
	$(BIN)/ruff check src tests tools examples
	$(BIN)/ruff format --check src tests tools examples
	$(BIN)/mypy

# The tests click through the pages in a real browser.
browser:
	@test -x /usr/bin/chromium || { \
		echo "Installing Chromium for the browser tests ..."; \
		sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		$$sudo apt-get update -qq && $$sudo apt-get install -y -qq chromium >/dev/null; }

test: lint browser
	$(BIN)/pytest -n auto -m "not long"

test-long: $(INSTALLED)
	$(BIN)/pytest -n auto -m long

bench: $(INSTALLED) browser
	$(BIN)/brink bench --game 13-days
	$(BIN)/brink bench --game 13-minutes
	$(BIN)/brink bench --game ukrainian-crisis
	$(BIN)/brink bench --web
	$(BIN)/brink bench --pages

format: $(INSTALLED)
	$(BIN)/ruff check --fix src tests tools examples
	$(BIN)/ruff format src tests tools examples

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
