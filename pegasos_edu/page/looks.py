"""One look for each idea, in every figure of the book, still or live.

Tables alone: a page that draws no picture needs no library for pictures.
"""

# Lengths of strokes and gaps, in widths of the line.
DASHES = {
    "solid": (),
    "dashed": (4, 2),
    "dash-dotted": (5, 2, 1, 2),
    "dotted": (1, 1.6),
    "long-dashed": (9, 3),
}

# One idea, one look, in every figure of the book, still or live: the name
# of a colour and the name of a dash. No two ideas share both.
LOOKS = {
    # What a run returns.
    "last iterate": ("blue", "solid"),
    "average": ("orange", "dash-dotted"),
    "average of the last half": ("green", "dashed"),
    "random iterate": ("sky", "dotted"),
    # What it is measured against.
    "optimum": ("black", "dashed"),
    "bound": ("grey", "long-dashed"),
    "sharper bound": ("black", "dash-dotted"),
    "boosted bound": ("grey", "dashed"),
    "reference": ("grey", "dotted"),
    "regret": ("green", "solid"),
    "training": ("sky", "dashed"),
    "held out": ("purple", "solid"),
    # In the plane of the examples, and under the graph of a function.
    "margin": ("grey", "solid"),
    "subgradient": ("sky", "solid"),
    "chosen subgradient": ("blue", "dashed"),
    # Step rules; 1/(λt) is that of Pegasos, the last iterate.
    "c/(λt)": ("blue", "long-dashed"),
    "1/√t": ("purple", "dashed"),
    "G/√t": ("sky", "dash-dotted"),
    "1/(λ(t + t₀))": ("green", "long-dashed"),
    "D/(G√t)": ("black", "long-dashed"),
    "constant": ("orange", "dotted"),
    # Methods; Pegasos is the last iterate.
    "all examples": ("black", "dotted"),
    "GD": ("grey", "dash-dotted"),  # without a ball, beside PGD on one
    "one example": ("orange", "solid"),
    "SMD": ("green", "dash-dotted"),
    "SEG±": ("purple", "dash-dotted"),
    "AdaGrad": ("yellow", "long-dashed"),
    "SDCA": ("yellow", "dotted"),
    "dual ascent": ("yellow", "dashed"),
    # Losses.
    "hinge loss": ("black", "solid"),
    "log loss": ("purple", "long-dashed"),
    "mistakes": ("orange", "dashed"),
    # The rungs of the ladder.
    "dense": ("sky", "long-dashed"),
    "sparse": ("green", "dotted"),
    "compiled": ("purple", "dotted"),
    "v of w = a·v": ("yellow", "solid"),
    "mistaken solver": ("orange", "long-dashed"),
}

# Other names of the same ideas.
SAME = {
    "Pegasos": "last iterate",
    "1/(λt)": "last iterate",
    "PGD": "all examples",
    "SGD": "one example",
    # A machine returns its last iterate; the average is over machines.
    "one machine": "last iterate",
    "average of machines": "average",
}

# Classes are marks, not lines: the name of a colour and a marker.
CLASSES = {+1: ("blue", "o"), -1: ("orange", "s")}


def entry(idea):
    """The names of the colour and the dash of an idea.

    Examples
    --------
    >>> entry("optimum"), entry("Pegasos")
    (('black', 'dashed'), ('blue', 'solid'))
    """
    idea = SAME.get(idea, idea)
    if idea not in LOOKS:
        raise ValueError(
            f"idea is {idea!r}; it must be one of {sorted({*LOOKS, *SAME})}"
        )
    return LOOKS[idea]
