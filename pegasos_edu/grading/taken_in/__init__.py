"""What was handed in, found wherever a course keeps it.

collect    the notebooks in a folder, each with its student
archives   unpacked, and no farther than their folder
downloads  of Canvas and Moodle
exchange   of nbgrader
"""
