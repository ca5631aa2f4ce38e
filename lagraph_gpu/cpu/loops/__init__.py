"""Lowerings that are compiled loops (``cpu/native``). Each operation has a file."""
