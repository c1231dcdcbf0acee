"""Others that fit a linear SVM to blocks of rows: for `shards` beside this.

Each is given the readers of the blocks and returns its w. All minimise
λ/2 ‖w‖² + mean hinge, without a bias. dask-ml and Spark take part where they
can be imported; the project does not need them. A folder of their own does:

    python -m pip install --no-deps --target RIVALS pyspark py4j dask-ml \\
        dask-glm multipledispatch sparse
    PYTHONPATH=RIVALS python -m tests.benchmarks.shards

Spark runs on Java, 17 or newer.
"""

import contextlib
from importlib import metadata

import dask
import dask.array
import numpy as np
import pyarrow
import pyarrow.parquet
from sklearn.linear_model import SGDClassifier


def classifier(lam):
    """scikit-learn's: steps on one row at a time, iterates averaged."""
    return SGDClassifier(
        alpha=lam, fit_intercept=False, average=True, random_state=0
    )


def sgd(readers, lam, passes):
    """One process, one block after another."""
    model = classifier(lam)
    for _ in range(passes):
        for reader in readers:
            X, y = reader()
            model.partial_fit(X, y, classes=[-1.0, 1.0])
    return model.coef_[0]


def incremental(readers, lam, passes):
    """The same by dask-ml: the workers hand the model to each other."""
    from dask_ml.wrappers import Incremental

    X, y = as_arrays(readers)
    model = Incremental(classifier(lam), random_state=0)
    for _ in range(passes):
        model.partial_fit(X, y, classes=[-1.0, 1.0])
    return model.estimator_.coef_[0]


def as_arrays(readers):
    """Dask arrays of X and y whose blocks are read by the workers."""
    blocks = []
    for reader in readers:
        X, y = reader()  # mapped, so that nothing but the shapes is read
        pair = dask.delayed(reader)()
        blocks.append(
            [
                dask.array.from_delayed(pair[at], part.shape, part.dtype)
                for at, part in enumerate((X, y))
            ]
        )
    return [dask.array.concatenate(parts) for parts in zip(*blocks)]


@contextlib.contextmanager
def spark(folder):
    """Yield fit(names, lam), in a Java that runs already.

    The names are those of `as_parquet`, for Spark reads no file of NumPy's.
    It reads them within `fit`, and stops by its own tolerance.
    """
    from pyspark.ml.classification import LinearSVC
    from pyspark.ml.functions import array_to_vector
    from pyspark.sql import SparkSession

    options = {
        "spark.driver.memory": "6g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": str(folder),
    }
    session = SparkSession.builder.master("local[2]").config(map=options)
    session = session.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")

    def fit(names, lam):
        rows = session.read.parquet(*names)
        model = LinearSVC(
            regParam=lam, fitIntercept=False, standardization=False
        )
        features = array_to_vector("row").alias("features")
        return model.fit(rows.select("label", features)).coefficients.toArray()

    try:
        yield fit
    finally:
        session.stop()


def as_parquet(readers, folder):
    """The blocks as files that Spark reads; their names."""
    names = []
    for number, reader in enumerate(readers):
        X, y = reader()
        rows = pyarrow.FixedSizeListArray.from_arrays(
            pyarrow.array(np.ravel(X)), X.shape[1]
        )
        table = {
            "label": (y > 0).astype(float),
            "row": rows.cast(pyarrow.list_(pyarrow.float64())),
        }
        names.append(str(folder / f"{number}.parquet"))
        pyarrow.parquet.write_table(
            pyarrow.table(table), names[-1], compression="none"
        )
    return names


def versions():
    """Of what takes part beside the packages of every record."""
    found = {}
    for name in ("distributed", "dask-ml", "pyspark"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
