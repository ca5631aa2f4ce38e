"""How fast is a breadth-first search? ``python -m benchmarks.bfs --graph kron20``.

``--layout degree`` searches a graph that is relabelled by degree, in its new ids (in the record
``relabelled_ms``); ``--layout prepared`` one that is prepared, in the user's ids. ``prepare_ms`` is
then the time that takes.
"""

import sys

import lagraph_gpu as lg
from benchmarks.harness import Question, main
from lagraph_gpu.verify import Verifier

QUESTION = Question("bfs", lg.bfs, Verifier.bfs, weights=None)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
