"""Make a server ready for a class; root runs it before each start of the hub.

    python prepare.py                 accounts, homes, exchange, course
    python prepare.py --check         say what is wrong with the roster
    python prepare.py --passwd FILE   bring a list of accounts, such as
                                      /etc/passwd, up to date

The environment says what differs from server to server:

    COURSE_ROSTER      a table with a column `id`; an id is an account
    COURSE_INSTRUCTOR  the account of who teaches, not in the roster
    COURSE_SOLUTIONS   the folder of the solutions, such as `a1/a1.ipynb`
    COURSE_EXCHANGE    the folder through which nbgrader hands out, collects
"""

import os
import pwd
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pegasos_edu.grading.terms.roster import BadRoster, read_roster

HERE = Path(__file__).resolve().parent
COURSE = "pegasos"
HOMES = Path("/home")
PROFILE = Path("/etc/profile.d/class.sh")
# Numbers of accounts: beyond those that a system makes by itself.
FIRST = 20000
NAME = re.compile(r"(?!root$)[a-z_][a-z0-9_-]{0,30}")
SHELL, LEFT = "/bin/bash", "/usr/sbin/nologin"
EXPECTED = {
    "COURSE_ROSTER": "a table of the students, with a column `id`",
    "COURSE_INSTRUCTOR": "the account of who teaches",
    "COURSE_SOLUTIONS": "the folder of the solutions",
    "COURSE_EXCHANGE": "a folder that all servers share",
}


def wanted(name):
    """A variable of the environment; without it, end and say so."""
    value = os.environ.get(name)
    if not value:
        sys.exit(f"{name} is not set; expected {EXPECTED[name]}.")
    return value


def members():
    """The instructor's account, then the students', in the roster's order."""
    instructor = wanted("COURSE_INSTRUCTOR")
    try:
        roster = read_roster(wanted("COURSE_ROSTER"))
    except BadRoster as problem:
        sys.exit(str(problem))
    names = [instructor, *(student.id for student in roster)]
    wrong = [repr(name) for name in names if not NAME.fullmatch(name)]
    if wrong:
        sys.exit(
            f"No name for an account: {', '.join(wrong)}; expected small "
            f"letters, digits, - and _, at most 31, that begin with a letter "
            f"or _, and not root."
        )
    if instructor in names[1:]:
        sys.exit(f"{instructor} teaches; expected a roster without this id.")
    return names


def numbers(names, homes=HOMES):
    """A number for each account: the one that owns its home, or a new one.

    A container that is made anew has forgotten its accounts. The homes are
    on a volume, and say whose they are.
    """
    taken = {one.name: one.stat().st_uid for one in homes.iterdir()}
    given, free = {}, max([FIRST, *taken.values()]) + 1
    for name in names:
        given[name] = taken.get(name, free)
        free += name not in taken
    return given


def update_passwd(path, names):
    """Bring a list of accounts up to date; nobody's number changes.

    Who has left the roster stays in it, without a shell: with another's
    number would go what lies in the exchange.
    """
    given = {"root": 0}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            name, _, number, *_ = line.split(":")
            given[name] = int(number)
    for name in names:
        given.setdefault(name, max(FIRST, *given.values()) + 1)
    lines = []
    for name, number in given.items():
        home = f"/home/{name}" if number else "/root"
        shell = SHELL if name in {"root", *names} else LEFT
        lines.append(f"{name}:x:{number}:{number}::{home}:{shell}\n")
    path.write_text("".join(lines), "utf-8")


def make_account(name, number):
    """An account without a password, and a home that is for it alone."""
    try:
        known = pwd.getpwnam(name).pw_uid
    except KeyError:
        command = ["useradd", "--uid", str(number), "--user-group"]
        command += ["--no-create-home", "--shell", SHELL]
        command += ["--home-dir", str(HOMES / name), name]
        subprocess.run(command, check=True)
        known = number
    if known != number or number <= FIRST:
        sys.exit(
            f"{name} is another account of this system, with the number "
            f"{known}; expected another name."
        )
    home = HOMES / name
    home.mkdir(exist_ok=True)
    give([home], name, 0o700)


def give(paths, name, mode):
    """Let files or folders belong to an account; links are left alone."""
    for path in paths:
        if not path.is_symlink():
            shutil.chown(path, name, name)
            path.chmod(mode)


def make_course(instructor):
    """The instructor's course folder; what is there already stays."""
    course = HOMES / instructor / COURSE
    solutions, config = course / "solutions", course / "nbgrader_config.py"
    course.mkdir(exist_ok=True)
    give([course], instructor, 0o700)
    if not solutions.exists():
        shutil.copytree(wanted("COURSE_SOLUTIONS"), solutions)
        made = [solutions, *solutions.rglob("*")]
        give([one for one in made if one.is_dir()], instructor, 0o700)
        give([one for one in made if one.is_file()], instructor, 0o600)
    if not config.exists():
        shutil.copyfile(HERE.parent / config.name, config)
        give([config], instructor, 0o600)


def main():
    names = members()
    match sys.argv[1:]:
        case ["--check"]:
            print(f"All right; students: {len(names) - 1}.")
            return
        case ["--passwd", path]:
            update_passwd(Path(path), names)
            return
        case [_, *_]:
            sys.exit(__doc__)
    for name, number in numbers(names).items():
        make_account(name, number)
    exchange = Path(wanted("COURSE_EXCHANGE"))
    exchange.mkdir(exist_ok=True)
    # Everybody may add to it, and take away what is one's own.
    exchange.chmod(0o1777)
    instructor = names[0]
    course = exchange / COURSE
    course.mkdir(exist_ok=True)
    give([course], instructor, 0o755)
    make_course(instructor)
    # A terminal starts with the system's programs alone.
    PROFILE.write_text(f'PATH="{sys.prefix}/bin:$PATH"\n', "utf-8")


if __name__ == "__main__":
    main()
