"""What git keeps of the project."""

import subprocess

import pytest

import tasks


def kept_files():
    """The files that git keeps; without git the test is left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"],
        cwd=tasks.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("no working copy of git")
    return set(filter(None, listed.stdout.split("\0")))
