"""What the notebooks need to show: figures, tables, source code.

palette   colours on a light page and on a dark one
looks     a look for each idea, still or live
dark      each figure once more for a dark page
figures   the style of all figures
pictures  vectors of pixels as pictures
tables    numbers in a page, columns in a terminal
source    the package's own source
races     what the two chapters on races share
"""
