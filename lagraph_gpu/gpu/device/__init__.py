"""The device: memory, compiled modules and launches, by CuPy or by the tests' emulator."""

from lagraph_gpu.gpu.device.port import BackendPart, Device, DeviceArray, expect_room

__all__ = ["BackendPart", "Device", "DeviceArray", "expect_room"]
