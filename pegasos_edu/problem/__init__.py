"""What is minimised: the data, the losses, the objective.

checks     what an argument may be, and the sentence where it is not
calls      the sentence for a call whose arguments do not fit
data       data sets that need no download
products   Xw and Xᵀc, float32 without a copy of it
losses     hinge and log loss, each with its slope and its dual
objective  f(w) = λ/2 ‖w‖² + mean loss, and a subgradient of it
"""
