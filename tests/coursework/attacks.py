"""What a submission might do to the grader, to classmates, to the machine.

Each is a program. WORLD stands for the folder with everybody's files,
GRADER for a process of the grader, PORT for a port it listens on, TOKEN for
a word by which a process is known. The second entry says how one sees that
it did harm; `test_isolation.py` looks.
"""

READ = "print(open({!r}).read())"
# In pieces of 50 MB, at most 600 MB; nothing need be written.
FILL = """
import os
place = {}
made = []
try:
    for number in range(12):
        made.append(os.path.join(place, f"fill-{{number}}"))
        with open(made[-1], "wb") as file:
            os.posix_fallocate(file.fileno(), 0, 50_000_000)
    print("TOO MUCH")
finally:
    for path in made:
        os.unlink(path)
"""
MAY_WRITE = "open({}, 'a').close(); print('TOO MUCH')"
CONNECT = """
import socket
with socket.socket({}, {}) as s:
    s.settimeout(2)
    s.connect({})
    s.send(b"answers")
"""

ATTACKS = {
    # What it may learn.
    "reads-the-solution": (READ.format("WORLD/solutions/tiny.ipynb"), "reads"),
    "reads-a-classmates-work": (
        READ.format("WORLD/submitted/bob/tiny.ipynb"),
        "reads",
    ),
    "reads-the-scores": (READ.format("WORLD/grades/scores.csv"), "reads"),
    "reads-feedback": (READ.format("WORLD/grades/bob/tiny.html"), "reads"),
    "reads-a-key": (READ.format("WORLD/home/.ssh/key"), "reads"),
    "reads-the-gradebook": (
        "import sqlite3\n"
        "book = sqlite3.connect('file:WORLD/gradebook.db?mode=ro', uri=True)\n"
        "print(book.execute('select * from grade').fetchall())",
        "reads",
    ),
    "searches-all-folders": (
        "import os\n"
        "for place, _, names in os.walk('WORLD'):\n"
        "    for name in names:\n"
        "        if name.endswith('.ipynb'):\n"
        "            print(open(os.path.join(place, name)).read())",
        "reads",
    ),
    "reads-through-a-link": (
        "import os, tempfile\n"
        "link = tempfile.mktemp()\n"
        "os.symlink('WORLD/solutions/tiny.ipynb', link)\n"
        "try:\n    print(open(link).read())\n"
        "finally:\n    os.unlink(link)",
        "reads",
    ),
    "reads-through-another-process": (
        READ.format("/proc/GRADER/root/WORLD/solutions/tiny.ipynb"),
        "reads",
    ),
    "reads-from-its-folder": (
        "import os; print(os.listdir('/proc/GRADER/cwd/solutions'))\n"
        + READ.format("/proc/GRADER/cwd/solutions/tiny.ipynb"),
        "reads",
    ),
    "reads-the-graders-variables": (
        READ.format("/proc/GRADER/environ"),
        "reads",
    ),
    "reads-the-graders-command": (
        READ.format("/proc/GRADER/cmdline"),
        "reads",
    ),
    "reads-its-own-variables": ("import os; print(os.environ)", "reads"),
    "lists-all-processes": (
        "import glob\n"
        "for path in glob.glob('/proc/[0-9]*/cmdline'):\n"
        "    try:\n        print(open(path).read())\n"
        "    except OSError:\n        pass",
        "reads",
    ),
    "reads-shared-memory": (READ.format("/dev/shm/TOKEN"), "reads"),
    "reads-anothers-memory": (
        "open('/proc/GRADER/mem', 'rb').close(); print('TOO MUCH')",
        "exceeds",
    ),
    # What it may change.
    "writes-its-score": (
        "open('WORLD/grades/scores.csv', 'a').write('tiny,ada,600')",
        "changes",
    ),
    "forges-a-table": (
        "open('WORLD/grades/marks.csv', 'w').write("
        "'assignment,student,task,mark\\ntiny,ada,question,3\\n')",
        "changes",
    ),
    "forges-a-record": (
        "import os\nos.makedirs('WORLD/grades/.results/tiny/ada')\n"
        "open('WORLD/grades/.results/tiny/ada/result.json', 'w').write('{}')",
        "changes",
    ),
    "puts-a-trigger-into-the-gradebook": (
        "import sqlite3\n"
        "with sqlite3.connect('WORLD/gradebook.db') as book:\n"
        "    book.execute('create trigger t after insert on grade begin '\n"
        "                 'update grade set score = 600; end')",
        "changes",
    ),
    "overwrites-a-classmates-work": (
        "open('WORLD/submitted/bob/tiny.ipynb', 'w').write('pass')",
        "changes",
    ),
    "overwrites-feedback": (
        "open('WORLD/grades/bob/tiny.html', 'w').write('<script>')",
        "changes",
    ),
    "puts-a-link-for-feedback": (
        "import os\nos.unlink('WORLD/grades/bob/tiny.html')\n"
        "os.symlink('/etc/passwd', 'WORLD/grades/bob/tiny.html')",
        "changes",
    ),
    "deletes-all-grades": (
        "import shutil; shutil.rmtree('WORLD/grades')",
        "changes",
    ),
    "changes-the-solution": (
        "open('WORLD/solutions/tiny.ipynb', 'w').write('pass')",
        "changes",
    ),
    "links-the-solution-to-its-own": (
        "import os\nos.link('WORLD/solutions/tiny.ipynb', "
        "'WORLD/submitted/ada-1.ipynb')",
        "changes",
    ),
    "plants-a-start-up-file": (
        "open('WORLD/home/.bashrc', 'a').write('echo')",
        "changes",
    ),
    "replaces-the-judges-question": (
        "import os\nos.unlink('WORLD/questions/question')\n"
        "os.symlink('WORLD/grades/scores.csv', "
        "'WORLD/questions/question')",
        "changes",
    ),
    "changes-the-checks": (
        "import importlib.util as u\n"
        "path = u.find_spec('pegasos_edu').origin\n"
        + MAY_WRITE.format("path"),
        "exceeds",
    ),
    "changes-python": (
        "import json\n" + MAY_WRITE.format("json.__file__"),
        "exceeds",
    ),
    "plants-a-module": (
        "import os, sysconfig\n"
        "path = sysconfig.get_path('purelib') + '/TOKEN.py'\n"
        "open(path, 'w').close(); os.unlink(path); print('TOO MUCH')",
        "exceeds",
    ),
    # Whom it may reach.
    "kills-the-grader": ("import os; os.kill(GRADER, 9)", "kills"),
    "stops-the-grader": ("import os; os.kill(GRADER, 19)", "stops"),
    "slows-the-grader": (
        "import os\n"
        "os.setpriority(os.PRIO_PROCESS, GRADER, 19); print('TOO MUCH')",
        "exceeds",
    ),
    "calls-a-port": (
        CONNECT.format(
            "socket.AF_INET", "socket.SOCK_STREAM", "('127.0.0.1', PORT)"
        ),
        "connects",
    ),
    "calls-a-hidden-socket": (
        CONNECT.format("socket.AF_UNIX", "socket.SOCK_STREAM", "'\\0TOKEN'"),
        "connects",
    ),
    "calls-a-socket-in-a-folder": (
        CONNECT.format("socket.AF_UNIX", "socket.SOCK_STREAM", "'WORLD/s'"),
        "connects",
    ),
    # What it may use up.
    "leaves-a-process": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n"
        "    if os.fork() == 0:\n        os.closerange(0, 3)\n"
        "        time.sleep(600)",
        "outlives",
    ),
    "leaves-a-program": (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(600) # TOKEN'], start_new_session=True, "
        "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)",
        "outlives",
    ),
    "forks-again-and-again": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n"
        "    os.closerange(0, 3)\n"
        "    for _ in range(6000):\n        time.sleep(0.1)\n"
        "        if os.fork():\n            os._exit(0)",
        "outlives",
    ),
    "forks-without-end": (
        "import os, signal, time\nmade = []\n"
        "try:\n    for _ in range(100):\n        made.append(os.fork())\n"
        "        if made[-1] == 0:\n"
        "            time.sleep(60)\n            os._exit(0)\n"
        "    print('TOO MUCH')\n"
        "finally:\n    for one in made:\n"
        "        one and os.kill(one, signal.SIGKILL)",
        "exceeds",
    ),
    "fills-the-disk": (
        FILL.format("__import__('tempfile').gettempdir()"),
        "exceeds",
    ),
    "fills-its-home": (FILL.format("os.path.expanduser('~')"), "exceeds"),
    # Memory of no process: a disk in memory, and files without a name.
    "mounts-a-disk-in-memory": (
        "import subprocess\n"
        "word = 'unshare -Urm mount -t tmpfs none /tmp'.split()\n"
        "subprocess.run(word, check=True); print('TOO MUCH')",
        "exceeds",
    ),
    "hides-memory-in-files": (
        "import os\nkept = [os.memfd_create('m') for _ in range(12)]\n"
        "for one in kept:\n    os.posix_fallocate(one, 0, 50_000_000)\n"
        "print('TOO MUCH')",
        "exceeds",
    ),
    "hides-memory-in-segments": (
        "import ctypes\nsystem, made = ctypes.CDLL(None), []\n"
        "size = ctypes.c_size_t(50_000_000)\n"
        "try:\n    for _ in range(12):\n"
        "        made.append(system.shmget(0, size, 0o1600))\n"
        "        assert made[-1] >= 0\n"
        "    print('TOO MUCH')\n"
        "finally:\n    for one in made:\n        system.shmctl(one, 0, None)",
        "exceeds",
    ),
    "hides-memory-in-messages": (
        "import ctypes\nsystem, made = ctypes.CDLL(None), []\n"
        "size = ctypes.c_size_t(8192)\n"
        "text = ctypes.create_string_buffer(b'1' * 8200)\n"
        "try:\n    for _ in range(100):\n"
        "        made.append(system.msgget(0, 0o1600))\n"
        "        assert made[-1] >= 0\n"
        "        system.msgsnd(made[-1], text, size, 0o4000)\n"
        "    print('TOO MUCH')\n"
        "finally:\n    for one in made:\n        system.msgctl(one, 0, None)",
        "exceeds",
    ),
    "hides-memory-in-semaphores": (
        "import ctypes\nsystem, made = ctypes.CDLL(None), []\n"
        "try:\n    for _ in range(100):\n"
        "        made.append(system.semget(0, 30_000, 0o1600))\n"
        "        assert made[-1] >= 0\n"
        "    print('TOO MUCH')\n"
        "finally:\n    for one in made:\n        system.semctl(one, 0, 0)",
        "exceeds",
    ),
    "hides-memory-in-sockets": (
        "import socket\nkept = []\nfor _ in range(300):\n"
        "    pair = socket.socketpair()\n    kept += pair\n"
        "    for one in pair:\n        one.setblocking(False)\n"
        "        try:\n            one.send(bytes(100_000))\n"
        "        except BlockingIOError:\n            pass\n"
        "print('TOO MUCH')",
        "exceeds",
    ),
    "fills-the-memory-of-files": (FILL.format("'/dev/shm'"), "exceeds"),
}
