"""Where a student's code runs, and how it is asked.

limits     memory, files, processes, idleness; and an end for all it started
inside     what runs first in the sandbox
isolation  the sandbox, by bubblewrap
messages   files of arrays, written and read without trust
remote     questions to a notebook, and its answers, as such files
"""
