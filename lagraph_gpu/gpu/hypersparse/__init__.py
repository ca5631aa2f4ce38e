"""Containers of which rows and columns with entries are stored alone, under 32-bit numbers."""
