"""How fast is a breadth-first search? ``python -m benchmarks.bfs --graph kron20``."""

import sys

import lagraph_gpu as lg
from benchmarks.harness import Question, main
from lagraph_gpu.verify import Verifier

QUESTION = Question("bfs", lg.bfs, Verifier.bfs, weights=None)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
