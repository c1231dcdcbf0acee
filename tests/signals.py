"""Ctrl+C for programs that tests start."""

import signal


def hear_ctrl_c():
    """Whoever runs the tests in the background may have it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
