"""Shortest and longest paths: from one source, from many, between two vertices."""
