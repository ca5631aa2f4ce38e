"""Vectors, matrices, scalars and statements about them, in python-graphblas' notation."""
