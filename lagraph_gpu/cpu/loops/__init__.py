"""Lowerings that are loops, compiled by numba: one file an operation."""
