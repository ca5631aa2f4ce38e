"""The port to a device, its CUDA implementation, and compilation."""
