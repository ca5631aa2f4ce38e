"""The command line, `lagraph-gpu` or `python -m lagraph_gpu`: the main job and other commands."""
