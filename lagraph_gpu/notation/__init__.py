"""Vectors, matrices, scalars and statements, in the notation of python-graphblas."""
