"""A notebook put in order, executed and judged.

sources    the solution that counts for a student
restore    marks of cells that were lost on the way
borrowing  what an answer names that is not its own
errors     a traceback as a student can read it
judge      runs the tests where no student code runs
outputs    what a cell shows
cells      put back, shown and hidden
decoys     what a notebook is told of its variant
reading    a submitted notebook, before it runs
whose      to whom a notebook was handed out
execute    cells within limits of time and output, each test judged
"""
