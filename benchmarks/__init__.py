"""Benchmarks: one question a file, each run leaves a record in ``benchmarks/results``.

    python -m benchmarks.bfs --graph kron20 --graph grid1024 --roots 16
    python -m benchmarks.sssp --graph kron20
    python -m benchmarks.mxv --graph kron22
    python -m benchmarks.operations_all --budget 420
    python -m benchmarks.graph500 --scale 26
    python -m benchmarks.report
    python -m benchmarks.cells --edges 1000000 --least 1.2
    python -m benchmarks.old_and_new OLD_CHECKOUT NEW_CHECKOUT

Searches (bfs, sssp) share ``harness``; operations (mxv, spmspv, mxm, ewise, overhead) share
``operations``, where all ways of doing one run in turns. ``old_and_new`` compares two versions of
this library, call by call; ``cells`` prints how it does beside its peers on a CPU.

The record is described in ``benchmarks/record.py``.
"""
