"""Submissions one after another, or many at a time.

course      nbgrader, configured
submission  one of them, in a process of its own
pool        some at a time on this machine
station     a worker on another one
cluster     many workers, by Dask
results     of whichever of these
"""
