"""How far from the best: the duality gap, and the certified optimum.

gap          the duality gap: how far from the best any w can be, at most
qp           the SVM as a quadratic program, for a stock solver
interior     a quadratic program with bounds, by interior points
proximal     the same, in fewer and cheaper steps
newton       the log loss, by Newton's method
wide         more columns than rows: the problem in as many as rows
precision    more digits than a double has
approach     rounds of dual ascent; where they take too long, Newton
optimum      the certified optimum: all of these, as it needs them
constrained  the certified optimum on a ball
"""
