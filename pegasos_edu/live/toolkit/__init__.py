"""What all live figures share: frame, sliders, colours, marks, orders."""
