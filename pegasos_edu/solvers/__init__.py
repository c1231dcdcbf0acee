"""The solvers: Pegasos from a loop to compiled code, and its relatives.

orders       which examples are visited, drawn beforehand
steps        rules for the step size η_t
projections  the nearest point of a ball or of the simplex
run          the arguments of all solvers, and what a run keeps
signatures   what the solvers are called with, for a type checker
solver       makes of `steps(run)` the function that is called
ten_lines    Pegasos with nothing to check and nothing to choose
loop         the pseudocode on Python's floats
dense        NumPy: the reference
sparse       the scale trick: a step costs O(nnz)
closed_form  w as a sum of violators over λt
dual         one step of dual coordinate ascent
compiled     sparse, closed_form and dual, by numba
sdca         steps of dual ascent, called as the rungs are
averaging    many machines: local steps, and averages of them
relatives    other first-order methods for the same objective
kernel       counts in place of weights
ascent       rounds of steps on the dual, each with its gap
"""
