"""Where a student's code runs, and how it is asked.

limits     memory, files, processes, idleness; and an end for all it started
inside     what runs first in the sandbox
isolation  the sandbox, by bubblewrap
remote     questions and answers as files of arrays
"""
