"""Pages whose code cells run in the reader's browser.

kit        finds the files of Pyodide, and checks them; kit.json lists them
make       adds them to a copy of the built book, with cells to write in
serve      a local server
browser/   what runs in the page: cells.js and the worker with Python
licences/  of what is published with the pages
"""
