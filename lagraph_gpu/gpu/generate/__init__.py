"""Kronecker graphs made on the device."""
