"""The class `Graph`: an adjacency matrix and what follows from it, what is read of it, and the
graphs that are made of it.
"""

from lagraph_gpu.graph.graph import Graph

__all__ = ["Graph"]
