"""DIMACS graphs to be coloured, `.col`: undirected and unweighted.

::

    c a comment
    p edge 3 2          vertices, edges; also "p col 3 2"
    e 1 2               each edge once, or all in both directions; ids from 1
    e 2 3

Source: Johnson, Trick (editors): Cliques, coloring, and satisfiability: second DIMACS
implementation challenge (1996).
"""

from __future__ import annotations

from lagraph_gpu.io.problem_line import ProblemFormat

FORMAT = ProblemFormat(kinds=(b"edge", b"col"), tag=b"e", graphs="graphs to be coloured")

claims, read, write = FORMAT.claims, FORMAT.read, FORMAT.write
