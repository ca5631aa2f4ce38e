"""Shortest and longest paths: from one source, from many sources, and between two vertices."""
