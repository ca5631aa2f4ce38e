"""Lowerings that are loops, compiled by numba. Each operation has a file."""
