"""Where a slider can stand: round numbers, about equally far apart.

Equal ratios such as 1, 1.259, 1.585 are even, but nobody can say them or
type them again. Preferred numbers are nearly as even.
"""

# By how many there are in a decade; the finest list holds all others.
PREFERRED = {
    4: "1 2 3 5",
    6: "1 1.5 2 3 5 7",
    10: "1 1.2 1.5 2 2.5 3 4 5 6 8",
    20: "1 1.1 1.2 1.3 1.5 1.7 2 2.2 2.5 2.8 3 3.5 4 4.5 5 5.5 6 7 8 9",
}


def positions(low, high, in_decade=10):
    """The preferred numbers from one power of ten to another.

    Parameters
    ----------
    low, high : int
        The exponents at the two ends.
    in_decade : {4, 6, 10, 20}
        How many there are to each power of ten.

    Returns
    -------
    tuple of float, rising

    Examples
    --------
    >>> positions(-2, -1, in_decade=6)
    (0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1)
    """
    names = PREFERRED[in_decade].split()
    # Read as text, as 3 * 0.01 is not the number that 0.03 is.
    found = [float(f"{m}e{k}") for k in range(low, high) for m in names]
    return (*found, float(f"1e{high}"))


def whole(low, high, in_decade=20):
    """The whole ones among these positions.

    Examples
    --------
    >>> whole(0, 2, in_decade=6)
    (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
    """
    return tuple(
        int(value)
        for value in positions(low, high, in_decade)
        if value == int(value)
    )
