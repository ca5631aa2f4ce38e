"""The GPU backend: our own CUDA kernels, launched through the Device port."""
