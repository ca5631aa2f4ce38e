"""Centrality: how important a vertex is, by several measures."""
