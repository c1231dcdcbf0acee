"""What is printed to a reader that has gone, such as `head`."""

import os
import sys


def let_go():
    """Send what is still to be printed nowhere, the end's flush as well."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.__stdout__.fileno())
    os.close(nowhere)


class Patient:
    """An output that does not mind when nobody reads it any more.

    Parameters
    ----------
    stream : text stream
    """

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        try:
            return self.stream.write(text)
        except BrokenPipeError:
            let_go()
            return len(text)

    def flush(self):
        try:
            self.stream.flush()
        except BrokenPipeError:
            let_go()
