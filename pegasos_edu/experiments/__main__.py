"""python -m pegasos_edu.experiments NAME [options]"""

import argparse
import importlib
import json
import re
from pathlib import Path

NAMES = ("chor", "machines", "mnist", "qp", "sizes", "theory", "tuned")


def main(arguments=None):
    """Run one experiment; print its summary or write it to a file."""
    parser = argparse.ArgumentParser(prog="python -m pegasos_edu.experiments")
    commands = parser.add_subparsers(dest="name", required=True)
    for name in NAMES:
        module = importlib.import_module(f"pegasos_edu.experiments.{name}")
        command = commands.add_parser(
            name, help=module.__doc__.splitlines()[0]
        )
        module.add_arguments(command)
        command.add_argument(
            "--out",
            type=Path,
            metavar="FILE",
            help="write the result here as JSON; without it, print it",
        )
        command.set_defaults(run=module.run)
    options = parser.parse_args(arguments)
    if options.out and not options.out.parent.is_dir():
        parser.exit(2, f"There is no folder {options.out.parent}.\n")
    try:
        text = as_text(options.run(options))
    except (FileNotFoundError, ModuleNotFoundError) as error:
        parser.exit(2, f"{missing(error)}\n")
    if options.out:
        options.out.write_text(text, "utf-8")
    else:
        print(text, end="")


def missing(error):
    """The sentence for a file of data or a library that is not there."""
    if str(error).startswith("No module named"):
        return (
            f"{error}; expected the extras of the experiments: pip install "
            '-e ".[fast,distributed]" in the project\'s folder.'
        )
    if getattr(error, "filename", None) is None:  # a sentence of our own
        return error
    return f"There is no {error.filename}; expected it in the folder --data."


def as_text(result):
    """Indented JSON with every list of numbers on one line."""
    text = json.dumps(result, indent=1, ensure_ascii=False)
    return (
        re.sub(r"\[[^][{}]*\]", lambda found: " ".join(found[0].split()), text)
        + "\n"
    )


if __name__ == "__main__":
    main()
