"""Graphs from formulas: Kronecker graphs, grids and random graphs."""
