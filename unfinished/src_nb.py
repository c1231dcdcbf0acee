import json
def build(path, prefix, cells):
    out=[]
    for i,(kind,text,*meta) in enumerate(cells):
        m=meta[0] if meta else {}
        text=text.strip("\n")
        lines=[l+"\n" for l in text.split("\n")]; lines[-1]=lines[-1][:-1]
        c={"cell_type":"markdown" if kind=="m" else "code","id":f"{prefix}-{i:02d}","metadata":m,"source":lines}
        if kind=="c": c.update(execution_count=None,outputs=[])
        out.append(c)
    ref=json.load(open('book/subgradients.ipynb'))
    nb={"cells":out,"metadata":ref["metadata"],"nbformat":4,"nbformat_minor":5}
    json.dump(nb,open(path,'w'),indent=1,ensure_ascii=False); open(path,'a').write("\n")
def fig(name,caption,alt,hide=True):
    m={"mystnb":{"figure":{"caption":caption,"name":name},"image":{"alt":alt}}}
    if hide: m["tags"]=["hide-input"]
    return m
