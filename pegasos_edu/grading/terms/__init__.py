"""Who takes part, and what holds for all of them.

roster    the students
rules     what a course allows, as its lecturer wrote it down
lateness  what was due when, and what comes off
"""
