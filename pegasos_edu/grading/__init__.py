"""Grading a folder of submissions with nbgrader.

nbgrader executes the notebooks, restores the tests and keeps the scores.
What is added here: a judge that runs the tests where no student code runs,
limits on time, memory and output, and a process for every submission.
"""
