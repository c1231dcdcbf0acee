"""Grading a folder of submissions with nbgrader.

nbgrader executes the notebooks, restores the tests and keeps the scores.
What is added here: a judge that runs the tests where no student code runs,
limits on time, memory and output, and a process for every submission.

Each room needs only those above it.

extra         one sentence where what grading needs is not installed
broken_pipe   what is printed to a reader that has gone
temporary     folders that are gone afterwards
tables        what a spreadsheet wrote, and what one may open
sandbox/      where a student's code runs, and how it is asked
terms/        who takes part, and what holds for all of them
taken_in/     what was handed in
judging/      a notebook put in order, executed and judged
handed_out/   what students and assistants are given
handed_back/  what becomes of a result
running/      one after another, or many at a time
release       the command that makes the students' versions
edition       the command that makes a course of one's own
similarity    the command that compares submissions

`__main__` is the command that grades.
"""
