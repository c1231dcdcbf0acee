"""One setting, `public_address` in _config.yml, opens all doors.

It is the address of the repository, such as
https://github.com/OWNER/pegasos-edu. While it is empty no page links to a
repository or offers to run a notebook elsewhere, and no workflow publishes
anything. Once it is set, each page links to its source, to the list of
issues and to an editor, and a notebook to Binder, which runs it.

    python book/_ext/address.py

prints ``address=`` and the setting, as a workflow reads it.
"""

import re
from pathlib import Path

import yaml
from sphinx.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = re.compile(r"https://github\.com/[\w.-]+/[\w-]+")
# Made by repo2docker from requirements.txt and pyproject.toml.
BINDER = "https://mybinder.org"


def setting():
    """The public address in _config.yml, or an empty text."""
    text = (ROOT / "_config.yml").read_text("utf-8")
    return yaml.safe_load(text)["sphinx"]["config"]["public_address"]


def theme_options(address):
    """What the theme is told once there is an address."""
    if not ADDRESS.fullmatch(address):
        raise ConfigError(
            f"public_address is {address!r}; expected nothing, or the "
            "address of a repository: https://github.com/OWNER/NAME."
        )
    return {
        "repository_url": address,
        "repository_branch": "main",
        "path_to_docs": "",
        "use_repository_button": True,
        "use_issues_button": True,
        "use_edit_page_button": True,
        "launch_buttons": {
            "binderhub_url": BINDER,
            "notebook_interface": "jupyterlab",
        },
    }


def open_doors(app, config):
    if config.public_address:
        config.html_theme_options.update(theme_options(config.public_address))


def setup(app):
    app.add_config_value("public_address", "", "html")
    app.connect("config-inited", open_doors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    print(f"address={setting()}")
