# make play    serves the games to your browser;  ARGS="--no-browser --port 8765" is passed on
# make test    everything;  make quick  what runs in a minute;  make check  lint, types, arrows
# make check-web   the types of the page;  make page-types   writes them anew from the server's models (both need Node)
# make extras      Ray, Parquet, matplotlib, Optuna, OpenSpiel, PettingZoo: what some tests need, 180 MB
# make test-postgres   what starts a server, with the matches in PostgreSQL (Debian: apt install postgresql)
# make nodes   three nodes and their PostgreSQL on this machine, to try;  ARGS="--nodes 5 --port 9000"
# make bench   how fast it is, beside its peers: writes bench/RESULTS.md
# make mutants GAME=war_zone   small changes of its rules that no test notices
# make layout  whether anything is covered or cut on the page: all games and sizes, an hour
# make playthroughs   writes the matches that are kept as text anew: a diff is another behaviour
# make check-speed   whether a game is slower than at the parent commit
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=
GAME ?=
SCHEMA := docs/protocol.schema.json
TYPES := src/battlebox/web/protocol.d.ts
TO_TYPES := npx --yes json-schema-to-typescript@15.0.4 --no-additionalProperties --no-unknownAny \
	--ignoreMinAndMaxItems --unreachableDefinitions --style.printWidth=100

.PHONY: play test test-postgres nodes quick check check-web page-types check-speed layout mutants playthroughs extras bench format clean

play: .venv/ready
	@$(BIN)/battlebox $(ARGS)

# kill one of them and play on
nodes: .venv/dev
	@$(BIN)/python -m bench.nodes $(ARGS)

test: .venv/dev
	$(BIN)/python -m pytest $(ARGS)

# but for what looks at pages, which do not know where matches are
test-postgres: .venv/dev
	BATTLEBOX_TEST_DATABASE=postgres $(BIN)/python -m pytest -m "not browser" \
		$$(grep -wlE "in_thread|in_process|live_server" tests/test_*.py) $(ARGS)

quick: .venv/dev
	$(BIN)/python -m pytest -m "not slow and not compiled" $(ARGS)

check: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# the page's types: needs Node, which nothing else does
check-web: .venv/dev
	$(BIN)/python -m battlebox.protocol.schema | cmp - $(SCHEMA)
	$(TO_TYPES) < $(SCHEMA) | cmp - $(TYPES)
	npx --yes --package typescript@5 tsc -p jsconfig.json

page-types: .venv/dev
	$(BIN)/python -m battlebox.protocol.schema > $(SCHEMA)
	$(TO_TYPES) < $(SCHEMA) > $(TYPES)

extras: .venv/dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[balance,cluster,envs,mcp,open-spiel,parquet]"

bench: .venv/dev
	$(BIN)/python -m pip install -q -e ".[open-spiel]"
	$(BIN)/python -m bench $(ARGS)

check-speed: .venv/dev
	$(BIN)/python -m bench.slower

layout: .venv/dev
	BATTLEBOX_LAYOUTS=all $(BIN)/python -m pytest -vv tests/test_layout.py $(ARGS)

mutants: .venv/dev
	@test -n "$(GAME)" || { echo "Say which game: make mutants GAME=war_zone"; exit 2; }
	$(BIN)/python -m mutants $(GAME) $(ARGS)

playthroughs: .venv/dev
	$(BIN)/python -m tests.playthroughs $(ARGS)

format: .venv/dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# what playing needs; then what working on it needs
.venv/ready: pyproject.toml
	@echo "Setting up .venv (only the first time, a minute or two) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; say make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "On Debian: apt install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

.venv/dev: .venv/ready
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[dev]"
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info src/*.egg-info
