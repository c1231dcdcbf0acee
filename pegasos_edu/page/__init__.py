"""What the notebooks need to show: figures, tables, source code."""
