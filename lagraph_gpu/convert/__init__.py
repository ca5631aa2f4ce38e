"""Conversion and checks of arrays, bytes and objects of other libraries."""
