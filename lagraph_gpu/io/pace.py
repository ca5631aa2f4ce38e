"""PACE graphs, `.gr`: undirected and unweighted.

::

    c a comment
    p tw 3 2            vertices, edges
    1 2                 each edge once, ids from 1
    2 3

Source: PACE 2017, treewidth track, https://pacechallenge.org/2017/treewidth/.
"""

from __future__ import annotations

from lagraph_gpu.io.problem_line import ProblemFormat

FORMAT = ProblemFormat(kinds=(b"tw",), tag=b"", graphs="PACE graphs")

claims, read, write = FORMAT.claims, FORMAT.read, FORMAT.write
