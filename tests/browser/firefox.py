"""Firefox, spoken to by WebDriver BiDi: the one that is installed, if any.

Playwright drives a Firefox of its own only; this drives every one.
"""

import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import websocket

MISSING = "no Firefox was found: install one, then run the tests again"
# It is to open no page of its own, and to ask nobody anything.
SETTINGS = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage": "about:blank",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}
# Seconds until what is waited for counts as never coming.
PATIENCE = 600
LISTENS = re.compile(r"ws://\S+")
SHIFT, CONTROL, ENTER = "\ue008", "\ue009", "\ue007"
ESCAPE, TAB = "\ue00c", "\ue004"


def find():
    """The path of a Firefox; None if there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Page:
    """The one page of a Firefox; ``asked`` lists what it asked for."""

    def __init__(self, address):
        self.socket = websocket.create_connection(
            f"{address}/session", timeout=PATIENCE, suppress_origin=True
        )
        self.count, self.asked = 0, []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["network.beforeRequestSent"])
        (context,) = self.call("browsingContext.getTree")["contexts"]
        self.context = context["context"]

    def call(self, method, **params):
        """What Firefox answers; what it reports meanwhile is noted."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                assert answer["type"] == "success", answer
                return answer["result"]
            if answer.get("method") == "network.beforeRequestSent":
                self.asked.append(answer["params"]["request"]["url"])

    def open(self, url):
        self.asked.clear()
        self.call(
            "browsingContext.navigate",
            context=self.context,
            url=url,
            wait="complete",
        )

    def evaluate(self, code):
        """The value of an expression; a promise's, when it has one."""
        answer = self.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({code})))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def wait_for(self, code):
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean({code})"):
            assert time.monotonic() < end, f"never came: {code}"
            time.sleep(0.1)

    def type(self, text, held=()):
        """Press keys, one after the other, while others are held."""
        keys = [
            *({"type": "keyDown", "value": key} for key in held),
            *(
                {"type": kind, "value": key}
                for key in text
                for kind in ("keyDown", "keyUp")
            ),
            *({"type": "keyUp", "value": key} for key in held),
        ]
        self.call(
            "input.performActions",
            context=self.context,
            actions=[{"type": "key", "id": "keyboard", "actions": keys}],
        )


@contextlib.contextmanager
def opened(path):
    """The page of a Firefox that is started for it, and ended."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        settings = "\n".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in SETTINGS.items()
        )
        Path(profile, "user.js").write_text(settings, "utf-8")
        command = [path, "--headless", "--no-remote", "--profile", profile]
        with subprocess.Popen(
            [*command, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as firefox:
            try:
                listens = (LISTENS.search(line) for line in firefox.stderr)
                address = next(match[0] for match in listens if match)
                page = Page(address)
                with contextlib.closing(page.socket):
                    yield page
            finally:
                firefox.kill()
