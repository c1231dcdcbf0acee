"""The theory of Pegasos, every statement as a function that can be checked.

A bound is a function of the quantities in it. A check computes the true
value as well and returns both sides, as one of the results in `compare`.
`ledger` lists all statements with their checks.
"""
