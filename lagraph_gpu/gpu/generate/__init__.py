"""Kronecker edges drawn on the device."""
