"""Closures that run in persistent kernels."""
