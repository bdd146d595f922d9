# Everything runs in .venv, which the targets build and keep up to date by themselves; nothing outside this folder is written.
.PHONY: help deps venv venv-test demo test soak lint molecule sanity lowest bench corpus serve clean
.DEFAULT_GOAL := help

export ANSIBLE_CONFIG := $(CURDIR)/tooling/ansible.cfg
unexport ANSIBLE_HOME ANSIBLE_COLLECTIONS_PATH
# Compiled files stay beside their sources: from the second run on, collecting the tests takes half as long.
unexport PYTHONDONTWRITEBYTECODE
export NODES
WORKERS ?= 2
N ?= 20

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

deps: ## Install the Debian packages that the tests need (as root; harmless if repeated)
	@sh tooling/deps.sh

venv: ## Build .venv with what the collection and its backend need
	@sh tooling/venv.sh run

venv-test:
	@sh tooling/venv.sh test

demo: venv ## Show typed holds end to end on an example fleet, or on NODES=FILE (a nodes/detail export)
	@.venv/bin/python tooling/demo.py

test: venv-test ## Run the unit and integration tests (ARGS=… for pytest)
	@.venv/bin/python -m pytest --quiet --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --durations 10 $(ARGS)

soak: venv-test ## Run the tests for races, kills and random histories for N=20 rounds (SOAK_SEED=… repeats a run)
	@SOAK_ROUNDS=$(N) .venv/bin/python -m pytest -m soak --numprocesses $(WORKERS) --dist loadfile --timeout 0 $(ARGS)

lint: venv-test ## Check style, documentation, changelog and the direction of imports
	@sh tooling/lint.sh

molecule: venv-test ## Run the scenarios of Molecule, or one (SCENARIO=fault_recovery)
	@sh tooling/molecule.sh $(SCENARIO)

sanity: venv-test ## Run ansible-test sanity on a copy of the checkout
	@.venv/bin/python tooling/sanity.py $(ARGS)

lowest: venv-test ## Run the tests with the lowest versions that the requirements files allow
	@.venv/bin/python tooling/lowest.py $(ARGS)

bench: venv-test ## Measure
	@.venv/bin/python tests/bench/run.py $(ARGS)

corpus: venv-test ## Read recorded Redfish trees (REDFISH=FOLDER) as if they were BMCs
	@.venv/bin/python tests/corpus/run.py $(REDFISH) $(ARGS)

serve: venv ## Run the backend in the foreground on loopback (PORT=6386)
	@sh tooling/serve.sh

clean: ## Remove what the targets built
	rm -rf .venv .build tests/output
