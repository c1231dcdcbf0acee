"""The theory of Pegasos, every statement as a function that can be checked.

A bound is a function of the quantities in it. A check computes the true
value as well and returns both sides, as one of the results in `compare`.
`ledger` lists all statements with their checks.

quantities   what each letter may be
compare      both sides of a statement, measured and promised
basics       objective, update, the size of w*: items 1 to 7
games        the online game, and opponents
regret       what was paid, less what the best fixed w pays
martingales  gambles against Freedman's inequality
risk         from regret to risk: items 11 to 18
expression   formulas as text, with a value and as LaTeX
versions     false versions of a formula, made by a machine
formula      what is printed is what is checked
cases        what tests the bounds
bounds       the bounds of the ledger
ledger/      every statement of the sources, with its check
"""
