"""The cluster backend: rows dealt over processes, each of which works with a local backend."""
