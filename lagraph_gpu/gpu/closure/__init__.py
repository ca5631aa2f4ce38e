"""Whole closures in persistent kernels."""
