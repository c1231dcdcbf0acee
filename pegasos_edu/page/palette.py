"""The colours of all figures, on a light page and on a dark one."""

# The hues of Okabe and Ito (2008), each dark enough to reach a contrast of
# 3 on white. A test holds that, and that no two look alike to a reader who
# confuses red and green.
PALETTE = {
    "blue": "#04487C",
    "orange": "#B4440F",
    "green": "#03A577",
    "purple": "#D455B4",
    "yellow": "#C27A05",
    "sky": "#1490EE",
    "grey": "#6E6E6E",
    "black": "#000000",
}

# The same on a dark page.
DARK = {
    "blue": "#5A8CF7",
    "orange": "#E08A45",
    "green": "#3FE2A0",
    "purple": "#D26A9A",
    "yellow": "#E6BF45",
    "sky": "#6FCFFB",
    "grey": "#A3ACB7",
    "black": "#E3E6EA",
}

# What lies behind every figure, for edges between marks.
PAPER = "#FFFFFF"
DARK_PAPER = "#121212"
