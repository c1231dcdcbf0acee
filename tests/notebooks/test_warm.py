"""A forked kernel is like one that Jupyter started itself."""

import sys

import nbformat
import pytest
from jupyter_client.provisioning import LocalProvisioner
from nbclient import NotebookClient

from tests.notebooks import warm

pytestmark = pytest.mark.processes

TELLS = """
import os, sys, zlib
# Before an import adds some of its own.
variables = {k: v for k, v in os.environ.items() if k[:3] != "JPY"}
import matplotlib, numpy
from threadpoolctl import threadpool_info
print({
    "folder": os.getcwd(),
    "argv": sys.argv[:2],
    "path": sys.path,
    "variables": variables,
    "backend": matplotlib.get_backend(),
    "settings": zlib.crc32(repr(matplotlib.rcParams.items()).encode()),
    "threads": sorted({pool["num_threads"] for pool in threadpool_info()}),
    "main": __name__,
    "leads a session": os.getsid(0) == os.getpid(),
    "streams": [type(s).__name__ for s in (sys.stdin, sys.stdout, sys.stderr)],
})
"""
DRAWS = """
import random, numpy
print(numpy.random.rand(), random.random())
"""


def outputs(folder, *sources):
    """What cells print in a new kernel."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in sources]
    )
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, resources=resources).execute()
    return [cell.outputs[0].text for cell in notebook.cells]


@pytest.fixture
def forking(monkeypatch):
    if not warm.CAN_FORK:
        pytest.skip("kernels are forked on Linux only")
    factory = warm.KernelProvisionerFactory.instance()
    monkeypatch.setitem(factory.provisioners, warm.NAME, None)
    monkeypatch.setattr(factory, "default_provisioner_name", "")
    warm.pytest_configure()
    return factory


def test_a_forked_kernel_is_like_a_started_one(forking, tmp_path, monkeypatch):
    monkeypatch.setenv("PEGASOS_TEST", "a variable of the test")
    (forked,) = outputs(tmp_path, TELLS)
    monkeypatch.setattr(
        forking, "default_provisioner_name", "local-provisioner"
    )
    (started,) = outputs(tmp_path, TELLS)
    assert "a variable of the test" in started
    assert eval(forked) == eval(started)


def test_each_kernel_draws_its_own_numbers(forking, tmp_path):
    assert outputs(tmp_path, DRAWS) != outputs(tmp_path, DRAWS)


def test_it_is_the_server_that_forks(forking, tmp_path):
    """The heavy imports are there before the first cell asks for them."""
    (loaded,) = outputs(
        tmp_path, "import sys; print('pegasos_edu.live' in sys.modules)"
    )
    assert loaded == "True\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_a_kernel_can_be_ended(forking):
    process = warm.server().Process(target=signal_waiter)
    process.start()
    kernel = warm.Forked(process)
    assert kernel.poll() is None
    kernel.kill()
    assert kernel.wait() == kernel.poll() == -9
    kernel.kill()  # once more does no harm


def signal_waiter():
    import signal

    signal.pause()


def test_the_provisioner_is_jupyters_own_but_for_the_start():
    assert issubclass(warm.WarmProvisioner, LocalProvisioner)
