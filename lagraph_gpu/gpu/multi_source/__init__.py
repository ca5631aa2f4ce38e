"""Searches from many sources at once."""
