"""What all live figures share: frame, sliders, colours, marks, orders.

shades      the palette, on light and on dark pages
numbers     how numbers are written, as `numbers.js` does
positions   where a slider can stand
order       orders that Python and the browser draw alike
own_solver  a student's solver, or why it cannot be drawn
plane       lines cut at the edge of the picture
marks       pieces of charts
ends        the name of each curve where it ends
figure      a figure's Python half; `toolkit.js` is the other
"""
