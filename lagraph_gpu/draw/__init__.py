"""Pictures of graphs by Matplotlib, and layouts.

`graph` draws a graph, and `G.plot` is the same as a method; `degrees` draws how many vertices have
each degree. `spring_layout` and `spectral_layout` give positions to vertices that have none.
Pictures need the extra `plot`: `pip install 'lagraph-gpu[plot]'`. Layouts need SciPy alone.
"""

from lagraph_gpu.draw.layouts import spectral_layout, spring_layout
from lagraph_gpu.draw.pictures import degrees, graph

__all__ = ["degrees", "graph", "spectral_layout", "spring_layout"]


def __dir__() -> list[str]:
    return [*__all__]
