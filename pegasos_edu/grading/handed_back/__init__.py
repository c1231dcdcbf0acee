"""What becomes of a result.

formulas    in written answers, without a network
feedback    the page a student gets
records     results on disk, each as it comes
gradebooks  the marks as Canvas and Moodle take them
grades      all of these for a class
"""
