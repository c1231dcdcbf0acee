"""Where, when and with what something was measured; never a path."""

import os
import platform
import time

from pegasos_edu.experiments import versions


def setting(command, **facts):
    """What stands at the top of a record."""
    return {
        "command": command,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "versions": versions(),
        "processor": f"{platform.machine()}, {os.cpu_count()} cores",
        "pinned": "one core, contenders in turns, others may have run",
        **facts,
    }
