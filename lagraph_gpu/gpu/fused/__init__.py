"""Whole operations in one kernel each."""
