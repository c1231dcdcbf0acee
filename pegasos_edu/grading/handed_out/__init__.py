"""What students and assistants are given.

package  what the first cell says to install
wording  the text of a variant, made of that of the solutions
guide    how to mark what no test can
"""
