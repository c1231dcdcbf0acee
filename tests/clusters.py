"""Clusters of this machine's processes, for tests and benchmarks."""

import contextlib

import dask
from distributed import LocalCluster

from pegasos_edu.distributed.workers import PATIENCE


@contextlib.contextmanager
def local_cluster(workers, memory=None, **settings):
    """Processes that are replaced when they are lost.

    Without a limit of memory: on a machine of many cores Dask would leave a
    worker too little to import what these tests do, and pause it for ever.
    """
    quiet = {"distributed.logging.distributed": "critical"}
    with (
        dask.config.set({**quiet, **PATIENCE, **settings}),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=memory,
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as found,
    ):
        yield found
