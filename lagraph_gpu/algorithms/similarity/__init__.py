"""Similarity: how many neighbours two vertices have in common."""
