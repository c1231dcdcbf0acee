"""What notebooks import, for the process that their kernels come from."""

import os

# matplotlib reads it when it is imported; a kernel would have set it.
os.environ.setdefault(
    "MPLBACKEND", "module://matplotlib_inline.backend_inline"
)

# isort: split
import altair  # noqa: F401
import ipykernel.ipkernel
import ipykernel.kernelapp  # noqa: F401
import ipywidgets  # noqa: F401
import matplotlib.pyplot  # noqa: F401
import numba  # noqa: F401
import scipy.optimize
import scipy.sparse  # noqa: F401
import sklearn.datasets
import sklearn.linear_model
import sklearn.svm  # noqa: F401
import vl_convert  # noqa: F401

import pegasos_edu.certificate.optimum
import pegasos_edu.coursework
import pegasos_edu.estimator
import pegasos_edu.live.pegasos
import pegasos_edu.page.figures
import pegasos_edu.page.looks
import pegasos_edu.page.source
import pegasos_edu.solvers.compiled  # noqa: F401
from pegasos_edu.problem.data import docstrings

docstrings()  # kept; several notebooks read them
