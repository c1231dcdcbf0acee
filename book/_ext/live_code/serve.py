"""A local server of a built book, of Python's standard library alone.

    python tasks.py serve [--python]

It answers this computer only. Its headers let a page interrupt the Python
that runs in it (they isolate it from pages of other sites).
"""

import argparse
import contextlib
import functools
import http.server
import sys
from pathlib import Path

ISOLATED = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    # The files change when the book is built again.
    "Cache-Control": "no-cache",
}
# Systems disagree on these, and browsers insist on them.
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".zip": "application/zip",
    ".whl": "application/zip",
}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files with the right types and headers, and no word about each."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 (so the base class has it)
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        **TYPES,
    }

    def end_headers(self):
        for name, value in ISOLATED.items():
            self.send_header(name, value)
        super().end_headers()

    def log_request(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        # A reader who leaves a page ends its requests: nothing to tell.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def make_server(folder, port=0, handler=Handler):
    """A server of a folder; port 0 takes one that is free."""
    handler = functools.partial(handler, directory=str(folder))
    return Server(("127.0.0.1", port), handler)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    try:
        server = make_server(options.folder, options.port)
    except (OSError, OverflowError):
        sys.exit(
            f"[tasks] Port {options.port} is not free: name another with "
            f"--port, such as 8010."
        )
    with server:
        print(
            f"[tasks] The book is at http://127.0.0.1:{server.server_port}/ "
            f"until you press Ctrl+C.",
            flush=True,
        )
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
