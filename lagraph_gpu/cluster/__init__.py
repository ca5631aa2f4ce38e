"""The cluster backend: rows distributed over processes, each of which has a local backend."""
