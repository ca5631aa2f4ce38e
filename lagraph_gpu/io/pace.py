"""PACE graphs, `.gr`: undirected and unweighted.

::

    c a comment
    p tw 3 2            vertices, edges
    1 2                 each edge once, ids from 1
    2 3

The word after `p` is that of the challenge's year: `tw`, `td`, `tdp`, `cep`, `tww` or `ds`, or
`ocr`, behind which the vertices of the two sides are counted one after the other. Hypergraphs
(`htd`, `hs`) are no graphs, and of `ocr` there is another form with an order of the vertices, which
is refused.

Sources: https://pacechallenge.org: 2017/treewidth, 2019/vc/vc_format, 2020/td, 2021/tracks,
2023/io, 2024/io, 2025/ds.
"""

from __future__ import annotations

from lagraph_gpu.io.problem_line import ProblemFormat

FORMAT = ProblemFormat(
    kinds=(b"tw", b"td", b"tdp", b"cep", b"tww", b"ds", b"ocr"),
    tag=b"",
    graphs="PACE graphs",
    bipartite=(b"ocr",),
)

claims, read, write = FORMAT.claims, FORMAT.read, FORMAT.write
