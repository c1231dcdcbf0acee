"""Whether submissions can be isolated where the tests are run."""

from pegasos_edu.grading.sandbox import isolation

OBSTACLE = isolation.obstacle()
# Where no sandbox can be made, the grader must be told to go on without.
OPTIONS = ["--no-isolation"] if OBSTACLE else []
