"""Live figures: one class and one script each, on a shared toolkit.

`figure.py` says how to write one; `toolkit.js` is its other half.
"""
