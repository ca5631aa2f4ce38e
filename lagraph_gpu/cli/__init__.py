"""The main job, ``python -m lagraph_gpu``: search a graph, check the answers, say how fast."""
