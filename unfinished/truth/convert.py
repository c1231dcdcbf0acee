"""Turn fenced Python in solution blocks into executed cells."""
import re, sys, nbformat
from pathlib import Path
for p in sys.argv[1:]:
    nb = nbformat.read(p, 4)
    stem = Path(p).stem
    out, k = [], 0
    for c in nb.cells:
        if c.cell_type != "markdown" or "```python" not in c.source:
            out.append(c); continue
        # normalise solution blocks with code: gated directives
        def gate(m):
            body = m.group(3)
            if "```python" not in body: return m.group(0)
            return f"```{{solution-start}} {m.group(2)}\n{body.rstrip()}\n\n```{{solution-end}}\n```"
        src = re.sub(r"^(`{4,})\{solution\} (\S+)\n(.*?)^\1[ \t]*$", gate, c.source, flags=re.S|re.M)
        src = re.sub(r"(\{solution-start\} \S+\n(?::\w+:.*\n)*)\n", r"\1```\n\n", src)
        parts = re.split(r"^```python\n(.*?)^```[ \t]*$", src, flags=re.S|re.M)
        for i, part in enumerate(parts):
            part = part.strip("\n")
            if not part.strip(): continue
            if i % 2 == 0:
                if i == 0:
                    c.source = part; out.append(c)
                else:
                    out.append(nbformat.v4.new_markdown_cell(part, id=f"{stem}-sol-{k:02d}t"))
            else:
                k += 1
                out.append(nbformat.v4.new_code_cell(part, id=f"{stem}-sol-{k:02d}"))
    nb.cells = out
    nbformat.write(nb, p)
    print(p, k)
