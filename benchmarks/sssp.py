"""How fast are shortest paths? ``python -m benchmarks.sssp --graph kron20``.

Named graphs get integer weights from 1 to 255, held as float32.
"""

import sys

import lagraph_gpu as lg
from benchmarks.harness import Question, main
from lagraph_gpu.verify import Verifier

QUESTION = Question("sssp", lg.sssp, Verifier.sssp, weights="integer")

if __name__ == "__main__":
    sys.exit(main(QUESTION))
