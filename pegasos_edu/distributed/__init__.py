"""Data that one machine does not hold: shards, rounds, a gap over shards.

What the machines compute stands in `solvers`; here it is handed out, by
Dask, which is imported when a cluster is asked for and not before. With
`client="here"` all is done in this process, without Dask.

failures    what went wrong with a shard
workers     that the workers are there, and fit
engine      who computes: this process, or a cluster
readers     shards in files
shards      where they come from, and what is asked of each
rounds      rounds of local steps, and their average
gap         the gap, as sums over the shards
checkpoint  a long run that can be gone on with
ascent      the optimum, by dual ascent in rounds
"""

from pegasos_edu.distributed.ascent import optimum
from pegasos_edu.distributed.gap import certify, objective
from pegasos_edu.distributed.rounds import pegasos
from pegasos_edu.distributed.shards import Shards, load

__all__ = ["Shards", "certify", "load", "objective", "optimum", "pegasos"]
