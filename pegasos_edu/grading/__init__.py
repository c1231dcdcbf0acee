"""Grading a folder of submissions with nbgrader.

nbgrader executes the notebooks, restores the tests and keeps the scores.
What is added here: a judge that runs the tests where no student code runs,
limits on time, memory and output, and a process for every submission.

Taken in
    collect, archives, downloads, roster, exchange
In the sandbox
    limits, inside, isolation, remote, temporary
Judged
    sources, restore, borrowing, judge, preprocessors, course, submission
One after another, or many at a time
    pool, station, cluster, results, records, extra, broken_pipe
The class
    rules, lateness, tables, similarity
Handed out
    package, release, wording, guide, edition
Handed back
    errors, formulas, feedback, gradebooks, grades

`__main__` is the command that grades; `release`, `edition` and `similarity`
are commands, too.
"""
