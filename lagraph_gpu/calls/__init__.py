"""Around every public call: checks of arguments, estimates of memory, and what follows when it is
short.
"""
