"""Kernels forked from a process that has imported what notebooks import.

A pytest plugin (`-p tests.notebooks.warm`). Each test process keeps one
such server, of Python's own kind, and Jupyter asks it for its kernels. Only
on Linux: elsewhere kernels start as ever.
"""

import functools
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import EntryPoint
from importlib.util import find_spec

from jupyter_client.provisioning import (
    KernelProvisionerFactory,
    LocalProvisioner,
)

NAME = "warm-provisioner"
CAN_FORK = sys.platform == "linux"


@functools.cache
def server():
    """Where processes are forked with the notebooks' imports done."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.notebooks.imports"])
    return context


@functools.cache
def ordinary_path():
    """Where a kernel that Jupyter started itself would look for modules."""
    code = "import json, sys; print(json.dumps(sys.path[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        text=True,
    )
    return json.loads(done.stdout)


def run_kernel(argv, folder, variables, path):
    """What a forked process does: be a kernel, as if started afresh."""
    import numpy as np
    from ipykernel.kernelapp import IPKernelApp

    os.setsid()  # so that a signal reaches what the kernel starts, too
    with open(os.devnull, "r+b") as nothing:
        for stream in range(3):
            os.dup2(nothing.fileno(), stream)
    os.chdir(folder)
    os.environ.clear()
    # Jupyter's own kernels end with the process that started them.
    os.environ.update(variables, JPY_PARENT_PID=str(os.getppid()))
    sys.argv[:] = [find_spec(argv[0]).origin, *argv[1:]]
    sys.path[:] = path
    np.random.seed()  # each kernel draws its own numbers
    signal.signal(signal.SIGINT, signal.default_int_handler)
    IPKernelApp.launch_instance(argv[1:])


class Forked:
    """A forked kernel as Jupyter handles the processes it starts."""

    stdin = stdout = stderr = None

    def __init__(self, process):
        self.process = process
        self.pid = process.pid

    def poll(self):
        return self.process.exitcode

    def wait(self):
        self.process.join()
        return self.process.exitcode

    def send_signal(self, number):
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


class WarmProvisioner(LocalProvisioner):
    """Gets its kernels from the server instead of starting a Python."""

    async def launch_kernel(self, cmd, **options):
        # cmd is: python -m ipykernel_launcher -f FILE
        folder = options.get("cwd") or os.getcwd()
        variables = options.get("env") or dict(os.environ)
        process = server().Process(
            target=run_kernel,
            args=(cmd[2:], str(folder), variables, ordinary_path()),
        )
        process.start()
        self.process = Forked(process)
        self.pid = process.pid
        self.cwd = folder
        # Its group is its own, once it runs; see setsid above.
        self.pgid = process.pid
        return self.connection_info


def pytest_configure():
    if CAN_FORK:
        factory = KernelProvisionerFactory.instance()
        factory.provisioners[NAME] = EntryPoint(
            NAME, f"{__name__}:WarmProvisioner", factory.GROUP_NAME
        )
        factory.default_provisioner_name = NAME
