"""The Device port, its implementation for CUDA, and the compilation of kernels."""
