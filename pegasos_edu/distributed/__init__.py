"""Data that one machine does not hold: shards, rounds, a gap over shards.

What the machines compute stands in `solvers`; here it is handed out, by
Dask, which is imported when a cluster is asked for and not before. With
`client="here"` all is done in this process, without Dask.
"""

from pegasos_edu.distributed.ascent import optimum
from pegasos_edu.distributed.gap import certify, objective
from pegasos_edu.distributed.rounds import pegasos
from pegasos_edu.distributed.shards import Shards, load

__all__ = ["Shards", "certify", "load", "objective", "optimum", "pegasos"]
