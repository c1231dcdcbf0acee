"""Find a Chromium or Chrome that prints the book and tests it.

    python book/_ext/chromium.py [--install]

prints the path of the program, or nothing if there is none.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
]
HOW_TO_GET_ONE = (
    "install Chromium or Chrome, or run "
    "`.venv/bin/python -m playwright install chromium`, "
    "then run the command again"
)
# The first keeps a root user's Chromium starting in a container; the rest
# keep it from looking for updates and other services.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def usual_places():
    """Where installers put Chrome and Chromium on macOS and Windows."""
    macos = [
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ]
    programs = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"]
    below = [
        "Google/Chrome/Application/chrome.exe",
        "Chromium/Application/chrome.exe",
    ]
    windows = [
        f"{os.environ[variable]}/{end}"
        for variable in programs
        if variable in os.environ
        for end in below
    ]
    return macos + windows


def installed_in_system():
    for name in NAMES:
        if path := shutil.which(name):
            return path
    for place in usual_places():
        if Path(place).exists():
            return place
    return None


def installed_by_playwright():
    """Chromium of ``playwright install chromium``, if it is there."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).exists() else None


def install_debian_package():
    """Install Debian's package when this user may; return the path."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not (root and shutil.which("apt-get")):
        return None
    print("Installing Debian's package chromium ...", file=sys.stderr)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [
        "apt-get",
        "install",
        "-y",
        "--no-install-recommends",
        "chromium",
    ]
    for command in (["apt-get", "update"], install):
        subprocess.run(command, env=variables, check=False, **quiet)
    return installed_in_system()


def find(install=False):
    """Path of a Chromium or Chrome; None if there is none."""
    path = os.environ.get("PEGASOS_CHROMIUM")
    path = path or installed_in_system() or installed_by_playwright()
    if path is None and install:
        path = install_debian_package()
    return path


if __name__ == "__main__":
    print(find(install="--install" in sys.argv) or "")
