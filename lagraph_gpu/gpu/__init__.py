"""The GPU backend: this library's own CUDA kernels, launched through the Device port."""
