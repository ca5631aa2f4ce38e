"""Graphs from formulas: Kronecker, grid, random."""
