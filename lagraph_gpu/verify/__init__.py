"""Independent judges of results: properties that only right results have, one file a family."""

from lagraph_gpu.verify.traversal import Verifier, verify_bfs, verify_sssp

__all__ = ["Verifier", "verify_bfs", "verify_sssp"]
