"""The solvers: Pegasos from a loop to compiled code, and its relatives."""
