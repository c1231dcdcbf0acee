"""Python in a browser, for the tests: genuine Pyodide from a folder.

The folder is PEGASOS_KIT, or `shared/pyodide` beside the checkout.
"""

import json
import os
import threading
from contextlib import contextmanager
from pathlib import Path

from live_code import serve

import tasks

MISSING = (
    "no files of Pyodide were found: give their folder in PEGASOS_KIT, then "
    "run the tests again"
)
# A right answer to what the chapter Pegasos asks for.
RIGHT = """\
def my_pegasos(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w
"""
# What the browser keeps of Python, once it is all there; in a minute it is.
KEPT = """async () => {
  const store = await caches.open("pegasos-python");
  for (let look = 0; ; look += 1) {
    const names = (await store.keys())
      .map(({ url }) => url.split("/").pop()).sort();
    if (names.length > 2 || look === 600) return names;
    await new Promise((done) => setTimeout(done, 100));
  }
}"""
WORKER = """
importScripts("/kit/pyodide.js");

async function bytesOf(name) {
  return (await fetch("/" + name)).arrayBuffer();
}

self.onmessage = async ({ data: { wheel, code } }) => {
  const python = await loadPyodide({ indexURL: "/kit/" });
  await python.loadPackage(["numpy", "scipy"], { messageCallback() {} });
  python.unpackArchive(await bytesOf(wheel), "wheel", {
    extractDir: "/lib/python3.12/site-packages",
  });
  python.unpackArchive(await bytesOf("tests.zip"), "zip");
  self.postMessage(python.runPython(code));
};
self.addEventListener("unhandledrejection", ({ reason }) =>
  self.postMessage("failed: " + reason));
"""
ASK = """
(question) => new Promise((resolve) => {
  const worker = new Worker("/worker.js");
  worker.onmessage = ({ data }) => { worker.terminate(); resolve(data); };
  worker.onerror = ({ message }) => resolve("failed: " + message);
  worker.postMessage(question);
})
"""


def find():
    """The folder that has the files, or None."""
    given = os.environ.get("PEGASOS_KIT")
    folder = Path(given or tasks.ROOT.parent / "shared" / "pyodide")
    return folder if (folder / "pyodide.asm.wasm").is_file() else None


@contextmanager
def served(folder, handler=serve.Handler):
    """The address at which `tasks.py serve` has a folder's files meanwhile."""
    server = serve.make_server(folder, handler=handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def run(page, folder, wheel, code):
    """What Python code gives in the browser, sent as JSON.

    Parameters
    ----------
    page : a page of Playwright
    folder : Path
        It has the package's wheel, and `tests.zip` to be unpacked beside
        the code. The kit and the worker are put there.
    wheel : str
    code : str
        Its last expression is a text in JSON.
    """
    (folder / "kit").symlink_to(find(), target_is_directory=True)
    (folder / "worker.js").write_text(WORKER, "utf-8")
    (folder / "index.html").write_text("<!doctype html>", "utf-8")
    with served(folder) as address:
        page.goto(address)
        answer = page.evaluate(ASK, {"wheel": wheel, "code": code})
    assert not answer.startswith("failed: "), answer
    return json.loads(answer)
