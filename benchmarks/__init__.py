"""Benchmarks: one question a file, each run leaves a record in ``benchmarks/results``.

    python -m benchmarks.bfs --graph kron20 --graph grid1024 --roots 16
    python -m benchmarks.sssp --graph kron20
    python -m benchmarks.report

The record is described in ``benchmarks/record.py``.
"""
