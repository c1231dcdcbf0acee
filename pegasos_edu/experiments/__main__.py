"""`python -m pegasos_edu.experiments NAME`: run and record an experiment."""

import importlib
import json
import sys
from pathlib import Path

NAMES = ("theory",)


def main(arguments):
    if len(arguments) != 1 or arguments[0] not in NAMES:
        names = ", ".join(NAMES)
        sys.exit(f"usage: python -m pegasos_edu.experiments NAME\n"
                 f"NAME is one of: {names}")
    name = arguments[0]
    module = importlib.import_module(f"pegasos_edu.experiments.{name}")
    results = module.run()
    path = Path(__file__).parent / "recorded" / f"{name}.json"
    path.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    print(f"wrote {path.name}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
