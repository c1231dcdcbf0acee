"""How far from the best: the duality gap, and the certified optimum."""
