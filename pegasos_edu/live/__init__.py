"""Live figures: one class and one script each, on a shared toolkit.

`figure.py` says how to write one; `toolkit.js` is its other half.

toolkit/      what all of them share
one_step      one step in four phases: the signature figure
margins       points to drag, and the street between them
subgradients  the fan of lines at a point of a curve
slackness     one point: its margin, its slack, its price
stochastic    full steps and single-example steps
uphill        the objective rises, and the minimum comes nearer
pegasos       the explorer: λ, T and the seed
schedules     step-size rules on one problem
scale         the scale trick, step by step
two_losses    the hinge against the log loss
choosing      λ, T and the validation curve
threshold     a threshold through the scores of two classes
paths         six first-order methods in the plane
regret        the online game against an opponent you choose
kernels       Pegasos with a kernel, on a ring
machines      many machines, and their average
"""
