"""A person in front of a browser, who uses JupyterLab on the hub."""

import json
import re

import nbformat

from tests.hub.stage import PASSWORD

# A busy machine is slow; what is waited for is an event, not a time.
PATIENCE = 600_000
ENDED = "ended.txt"


class Person:
    """Somebody who is logged in and whose server runs.

    Parameters
    ----------
    browser : playwright Browser
    stage : Stage
    name : str
    """

    def __init__(self, browser, stage, name):
        self.stage, self.name = stage, name
        self.context = browser.new_context(
            viewport={"width": 1400, "height": 1000}
        )
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.url = f"{stage.url}/user/{name}"
        self.log_in()

    def log_in(self):
        self.page.goto(f"{self.stage.url}/hub/login")
        self.page.fill("#username_input", self.name)
        self.page.fill("#password_input", PASSWORD)
        self.page.click("#login_submit")
        self.page.locator(".jp-LauncherCard").first.wait_for()

    # A terminal

    def types(self, command):
        """Type a command into a new terminal; what it printed, and its code.

        Both go through files in the home, as a terminal is a picture.
        """
        home = self.stage.home(self.name)
        said, ended = home / "said.txt", home / ENDED
        for one in (said, ended):
            one.unlink(missing_ok=True)
        self.page.goto(f"{self.url}/lab?reset")
        self.page.locator(
            ".jp-LauncherCard[data-category=Other]", has_text="Terminal"
        ).click()
        screen = self.page.locator(".jp-Terminal-body .xterm-screen")
        screen.wait_for()
        self.page.locator(".xterm-rows, .xterm-screen canvas").first.wait_for()
        screen.click()
        self.page.keyboard.type(
            f"({command}) > ~/{said.name} 2>&1; "
            f"echo $? > ~/ended.new; mv ~/ended.new ~/{ENDED}\n"
        )
        self.wait_until(ended.exists)
        return said.read_text("utf-8", "replace"), int(ended.read_text())

    def wait_until(self, happened):
        """Let the browser work until something has happened."""
        for _ in range(PATIENCE // 100):
            if happened():
                return
            self.page.wait_for_timeout(100)
        raise TimeoutError(f"{self.name} waited for {happened}")

    # The list of assignments

    def opens_list(self):
        self.page.goto(f"{self.url}/lab?reset")
        self.page.locator(".jp-LauncherCard").first.wait_for()
        menu = self.page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader")
        menu.click()
        self.page.locator(
            ".lm-Menu-itemLabel", has_text="Assignment List"
        ).click()

    def clicks_in_list(self, kind, button, assignment="a1"):
        """Click a button of an assignment in one of nbgrader's lists.

        Parameters
        ----------
        kind : str
            `released`, `fetched` or `submitted`.
        button : str
            What stands on it.
        """
        row = self.page.locator(
            f"#{kind}_assignments_list .list_item", has_text=assignment
        )
        row.get_by_text(button, exact=True).first.click()

    def fetches(self, assignment="a1"):
        self.opens_list()
        self.clicks_in_list("released", "Fetch", assignment)
        notebook = self.notebook(assignment)
        self.wait_until(notebook.exists)

    def notebook(self, assignment="a1"):
        home = self.stage.home(self.name)
        return home / assignment / f"{assignment}.ipynb"

    def submits(self, assignment="a1"):
        self.opens_list()
        self.clicks_in_list("fetched", "Submit", assignment)
        kept = self.stage.home(self.name) / ".local/share/jupyter"
        self.wait_until(
            lambda: any(kept.glob(f"nbgrader_cache/*/*+{assignment}+*/*.txt"))
        )

    def fetches_feedback(self, assignment="a1"):
        self.opens_list()
        self.clicks_in_list("submitted", "Fetch Feedback", assignment)
        place = self.notebook(assignment).parent
        self.wait_until(lambda: any(place.glob("feedback/*/*.html")))

    def reads(self, path):
        """What the browser shows of a page in the home."""
        below = path.relative_to(self.stage.home(self.name)).as_posix()
        self.page.goto(f"{self.url}/files/{below}")
        return self.page.locator("body").inner_text()

    # A notebook

    def opens(self, assignment="a1"):
        self.page.goto(
            f"{self.url}/lab/tree/{assignment}/{assignment}.ipynb?reset"
        )
        self.page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        self.waits_for_kernel()

    def waits_for_kernel(self):
        self.page.locator(
            ".jp-NotebookPanel:visible "
            ".jp-Notebook-ExecutionIndicator[data-status=idle]"
        ).wait_for()

    def writes(self, answers, assignment="a1"):
        """Write answers into cells, by the names that nbgrader gave them."""
        cells = nbformat.read(self.notebook(assignment), as_version=4).cells
        names = [
            one.metadata.get("nbgrader", {}).get("grade_id") for one in cells
        ]
        keyboard = self.page.keyboard
        self.page.locator(".jp-Notebook .jp-Cell").first.click()
        keyboard.press("Escape")
        at = 0
        for name, answer in answers.items():
            for _ in range(names.index(name) - at):
                keyboard.press("ArrowDown")
            at = names.index(name)
            keyboard.press("Enter")
            self.page.locator(
                ".jp-Notebook .jp-Cell.jp-mod-active .cm-content:focus"
            ).wait_for()
            keyboard.press("Control+a")
            keyboard.insert_text(answer)
            keyboard.press("Escape")

    def runs_all(self):
        """Run all cells: until the kernel is at rest again."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Run").click()
        self.page.locator(
            ".lm-Menu-itemLabel", has_text=re.compile("^Run All Cells$")
        ).click()
        # Of the cells out of sight JupyterLab keeps none: any number will do.
        self.page.locator(
            ".jp-InputPrompt", has_text=re.compile(r"\[\d+\]:")
        ).first.wait_for(state="attached")
        self.waits_for_kernel()

    def saves(self, assignment="a1"):
        path = self.notebook(assignment)
        before = path.stat().st_mtime_ns
        self.page.keyboard.press("Control+s")
        self.wait_until(lambda: path.stat().st_mtime_ns != before)
        self.wait_until(lambda: is_json(path))

    def validates(self):
        """What the button Validate says.

        JupyterLab writes the file anew and then says that it did. nbgrader
        reads it with no such agreement: between the two it is empty. One
        that is empty still at the third press is no matter of the moment.
        """
        for _ in range(3):
            said = self.once_validated()
            if "does not appear to be JSON" not in said:
                break
        return said

    def once_validated(self):
        """What the button says when it is pressed once."""
        self.page.get_by_role("button", name="Validate").first.click()
        dialog = self.page.locator(".jp-Dialog")
        dialog.wait_for()
        said = dialog.inner_text()
        dialog.locator("button").last.click()
        return said


def is_json(path):
    """Whether a file is written to its end."""
    try:
        json.loads(path.read_text("utf-8"))
    except ValueError:
        return False
    return True
