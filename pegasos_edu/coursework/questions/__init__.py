"""What to ask a student who has made a mistake.

exhibits  about each exhibit of the zoo
kinds     about what is found by measuring
places    at one task or in one assignment, and what is right there
ask       the closest of these
"""
