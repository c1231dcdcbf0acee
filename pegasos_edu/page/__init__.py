"""What the notebooks need to show things: figures, and source code."""
