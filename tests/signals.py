"""Ctrl+C for programs that tests start."""

import signal


def hear_ctrl_c():
    """Whoever runs the tests in the background may have it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def hear_ctrl_c_here():
    """The same for the tests themselves, and for all that they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
