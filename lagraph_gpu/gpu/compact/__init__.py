"""Containers of which only the rows and columns with entries are stored, under numbers of 32 bits."""
