/* Python in a worker: starts Pyodide, runs cells one after the other.

   In:  {type: "boot", base, version, packages, late, onDemand, scripts, sums,
         first, files?, signal?}
          version: of all files together
          late: of the packages those that a cell may find not unpacked yet
          files: name -> ArrayBuffer, where nothing can be fetched (file://)
          signal: shared bytes; 2 in the first interrupts Python
        {type: "run", id, seconds, and code, name, space of a cell or
          figure: the state of the figure, as JSON}
   Out: {type: "loaded", bytes}  {type: "failed", text}
        {type: "ready", again}
          again: whether Python's memory was that of an earlier start
        {type: "shown", id, kind, text}  {type: "done", id, outcome} */
"use strict";

// A block: what stands in it no cell can see or change.
{
  // Python asks for memory piece by piece; a page must not eat the machine's.
  const MOST_MEMORY = 2 ** 30;
  const PAGE = 2 ** 16;
  const FULL = "Python's memory, 1 GB in a page, was full";
  const DEEP = "This cell calls itself more deeply than a page can";
  // Of what a cell leaves behind it may be the next that breaks.
  const BROKEN = "This cell, or one before it, broke the page's Python";
  const SITE_PACKAGES = "/lib/python3.12/site-packages";
  const LIBRARIES = "/usr/lib";
  const OPENBLAS = "libopenblas.so";
  // Where the browser keeps what each start would make anew.
  const STORE = "pegasos-python";
  const SUM = "X-SHA-256";
  // What is kept as long as a start from the memory that is kept is under way.
  const WAKING = "waking";
  // How a cell can end.
  const ENDS = ["done", "error", "interrupted"];
  // What comes first imports these. They are in the memory that is kept, so
  // none of them may be compiled or draw at random.
  const MODULES = "ast, contextlib, dataclasses, importlib.metadata, " +
    "inspect, json, linecache, logging, pathlib, sys, traceback, typing, " +
    "zipfile";
  // The libraries that are here from the start, as a group.
  const FIRST = "first";
  // Milliseconds after a cell until what is late may come.
  const IDLE = 500;
  const TYPES = { wasm: "application/wasm", json: "application/json" };
  // Held on to: a cell may put something else in its place.
  const post = self.postMessage.bind(self);

  let python, runCell, drawOwn, tellLimit, sumOf, bringLate, newBytecode, idle,
    job;
  let quiet = false;
  let again = false;
  let deadline = Infinity;

  // A worker that closed itself would leave whoever asks it without an answer.
  Object.defineProperty(self, "close", {
    value() { throw new Error("a cell cannot close the page's Python"); },
  });

  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > MOST_MEMORY) {
      throw new RangeError("no more memory for this page");
    }
    return grow.call(this, pages);
  };

  // A compiled library is in memory as code. Emscripten would hold on to its
  // bytes, too, and its file has them once more: 130 MB of all libraries.
  WebAssembly.Module = new Proxy(WebAssembly.Module, {
    construct(Module, [bytes]) {
      const made = new Module(bytes);
      (bytes.buffer || bytes).transfer?.(0);
      if (python) emptyFiles();
      return made;
    },
  });
  const emptied = new Set();
  function emptyFiles() {
    const { FS, LDSO } = python._module;
    for (const path of Object.keys(LDSO.loadedLibsByName)) {
      if (emptied.has(path) || !FS.analyzePath(path).exists) continue;
      FS.truncate(path, 0);
      emptied.add(path);
    }
  }

  // The bytes of the kit's files by name, or promises of them.
  const held = {};
  // The SHA-256 sum of each file.
  let sums = {};
  // A page that has no cryptography, since it is not secure, cannot compare.
  const digest = self.crypto?.subtle?.digest.bind(crypto.subtle, "SHA-256");
  // What Pyodide gets by itself is looked at meanwhile: promises that it is
  // right, and one that fails as soon as it is not.
  const looks = [];
  let wrong;
  const found = new Promise((_, fail) => (wrong = fail));
  found.catch(() => {});

  function compare(name, hex) {
    if (hex !== sums[name]) {
      throw new Error(
        `the file ${name} is damaged: its SHA-256 sum is another`);
    }
  }

  function there(name, { status }) {
    if (status === 200) return;
    throw new Error(`the file ${name} is missing (${status})`);
  }

  async function sumAsHex(bytes) {
    return [...new Uint8Array(await digest(bytes))].map((byte) =>
      byte.toString(16).padStart(2, "0")).join("");
  }

  async function genuine(name, bytes) {
    if (digest) compare(name, await sumAsHex(bytes));
    return bytes;
  }

  function look(name, asked) {
    looks.push(asked.then(async (answer) => {
      there(name, answer);
      await genuine(name, await answer.arrayBuffer());
      post({ type: "loaded", bytes: 0 });
    }));
    looks.at(-1).catch(wrong);
  }

  async function download(name, url) {
    const answer = await realFetch(url);
    there(name, answer);
    const parts = [];
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return genuine(name, await new Blob(parts).arrayBuffer());
      parts.push(value);
      post({ type: "loaded", bytes: value.length });
    }
  }

  // Pyodide fetches by itself; what is held already it gets from here.
  const realFetch = self.fetch.bind(self);
  self.fetch = async (request, options) => {
    const name = String(request.url || request).split("/").pop();
    if (!(name in held)) {
      const answer = await realFetch(request, options);
      if (name in sums) look(name, Promise.resolve(answer.clone()));
      return answer;
    }
    const type = TYPES[name.split(".").pop()] || "application/octet-stream";
    return new Response(await held[name], {
      headers: { "Content-Type": type },
    });
  };

  function unpack(name, bytes) {
    const format = name.endsWith(".whl") ? "wheel" : "zip";
    if (!name.startsWith("openblas")) {
      python.unpackArchive(bytes, format, { extractDir: SITE_PACKAGES });
      return;
    }
    // Others need it by its name alone. Pyodide's loadPackage does the same,
    // but not at once.
    python.unpackArchive(bytes, format, { extractDir: LIBRARIES });
    const { loadDynamicLibrary, FS, LDSO } = python._module;
    const path = `${LIBRARIES}/${OPENBLAS}`;
    loadDynamicLibrary(path, { nodelete: true, allowUndefined: true, fs: {
      findObject: (one) => FS.findObject(one),
      readFile: (one) => FS.readFile(one) } }, {});
    LDSO.loadedLibsByName[OPENBLAS] = LDSO.loadedLibsByName[path];
  }

  // While Python waits in an import: hence not asynchronous.
  const brought = new Set();
  function bring(base, names) {
    for (const name of names.filter((one) => !brought.has(one))) {
      let bytes = held[name];
      if (!(bytes instanceof ArrayBuffer)) {
        const request = new XMLHttpRequest();
        request.open("GET", base + name, false);
        request.responseType = "arraybuffer";
        request.send();
        there(name, request);
        bytes = request.response;
        compare(name, sumOf(new Uint8Array(bytes)));
      }
      unpack(name, bytes);
      brought.add(name);
      delete held[name];
    }
  }

  // Python looks here between its steps: 2 is Ctrl+C. After each look it writes
  // 0; a Ctrl+C that came between the look and the 0 must not be lost.
  function interrupts(signal) {
    let seen = 0;
    return {
      get 0() {
        if (quiet) return 0;
        if (performance.now() > deadline) {
          deadline = Infinity;
          tellLimit();
          return 2;
        }
        return (seen = signal ? signal[0] : 0);
      },
      set 0(value) {
        if (seen) signal[0] = value;
      },
    };
  }

  // What the browser keeps: Python's memory just after its start, and the
  // bytecode of each group of libraries, each with its sum. A start is shorter
  // with them, and as right without: no store, from disk or where it is
  // switched off, is no error, nor is what is damaged.
  const kept = {
    // Bytes by group, once they were asked for.
    bytecode: {},

    // A name belongs to the files of one kit, all of them.
    async open({ base, version }) {
      this.place = `${base}${version}/`;
      try {
        const cache = await caches.open(STORE);
        // Held on to; no cell gets hold of it, or it could spoil each start.
        this.store = Object.fromEntries(["match", "put", "keys", "delete"]
          .map((name) => [name, cache[name].bind(cache)]));
      } catch {
        this.store = null;
      }
      delete WorkerGlobalScope.prototype.caches;
    },

    async get(name) {
      try {
        const found = await this.store.match(this.place + name);
        const bytes = await found.arrayBuffer();
        const isWhole = await sumAsHex(bytes) === found.headers.get(SUM);
        return isWhole ? bytes : undefined;
      } catch {
        return undefined;
      }
    },

    async put(name, bytes) {
      try {
        const headers = { [SUM]: await sumAsHex(bytes) };
        await this.store.put(this.place + name,
          new Response(bytes, { headers }));
      } catch {
        // It is full: the next start is as long as this one.
      }
    },

    async remove(name) {
      try {
        await this.store.delete(this.place + name);
      } catch {
        // There is none.
      }
    },

    // Of what another kit left, or if it is damaged.
    async empty() {
      try {
        const names = await this.store.keys();
        await Promise.all(names.map((name) => this.store.delete(name)));
      } catch {
        // There is nothing to be emptied.
      }
    },

    async getBytecode(group) {
      this.bytecode[group] = await this.get(`bytecode-${group}`);
    },

    // Python need not compile what a group brought, if it did so before.
    useBytecode(group) {
      const bytes = this.bytecode[group];
      if (!bytes) return;
      python.unpackArchive(bytes, "zip", { extractDir: SITE_PACKAGES });
      delete this.bytecode[group];
    },
  };

  // Python as it is after a start; whether its memory was that of an earlier
  // one.
  async function awake(base) {
    // A start that has not come to its end: what is kept may be the reason.
    if (await kept.get(WAKING)) await kept.empty();
    const memory = await kept.get("memory");
    if (memory) {
      await kept.put(WAKING, new ArrayBuffer(1));
      const snapshot = new Uint8Array(memory);
      const options = { indexURL: base, _loadSnapshot: snapshot };
      python = await loadPyodide(options);
      // It holds on to its options: 20 MB that nobody reads any more.
      delete python._api.config._loadSnapshot;
      return true;
    }
    const isKept = Boolean(kept.store);
    python = await loadPyodide({ indexURL: base, _makeSnapshot: isKept });
    if (isKept) {
      await kept.empty();
      python.runPython(`import ${MODULES}\nsys.dont_write_bytecode = False`);
      kept.put("memory", python.makeMemorySnapshot());
    }
    return false;
  }

  async function boot(message) {
    sums = message.sums;
    try {
      await Promise.race([found, begin(message)]);
    } finally {
      // A look names the file that is missing or damaged; the worker's own
      // words for a script that is not there do not.
      await Promise.all(looks);
    }
    await kept.remove(WAKING);
    post({ type: "ready", again });
    Object.keys(message.onDemand).forEach((group) => kept.getBytecode(group));
  }

  async function begin({ base, version, packages, late, onDemand, scripts,
    first, files, signal }) {
    if (files) Object.assign(held, files);
    else {
      // All at once; Pyodide itself would ask for one after the other.
      for (const name of packages) held[name] = download(name, base + name);
      for (const promise of Object.values(held)) promise.catch(wrong);
      for (const name of scripts) look(name, realFetch(base + name));
    }
    if (typeof loadPyodide === "undefined") importScripts(base + "pyodide.js");
    await kept.open({ base, version });
    const coming = kept.getBytecode(FIRST);
    again = await awake(base);
    for (const name of packages.filter((one) => !late.includes(one))) {
      unpack(name, await held[name]);
      delete held[name];
    }
    await coming;
    kept.useBytecode(FIRST);
    const cells = python.pyimport("in_page");
    runCell = cells.run_cell;
    drawOwn = cells.draw_own;
    tellLimit = cells.tell_limit;
    sumOf = cells.sum_of;
    cells.start(
      (kind, text) => post({ type: "shown", id: job, kind, text }),
      (top) => {
        bring(base, onDemand[top]);
        kept.useBytecode(top);
      },
      python.toPy(Object.keys(onDemand)),
      first,
    );
    // They are here before the page is said to be ready: no cell waits for the
    // network. They are unpacked when a cell needs them, or when all is idle.
    for (const name of late) held[name] = await held[name];
    bringLate = cells.bring_late;
    newBytecode = cells.new_bytecode;
    python.setInterruptBuffer(interrupts(signal));
  }

  // A Stop that comes meanwhile is for the cell that waits: not lost here. One
  // after the other, so that it need not wait for all.
  function whileIdle() {
    quiet = true;
    try {
      if (bringLate() || keepBytecode()) idle = setTimeout(whileIdle);
    } finally {
      quiet = false;
    }
  }

  // That of one group; whether there may be more.
  function keepBytecode() {
    const found = kept.store && newBytecode();
    if (!found) return false;
    const [group, bytes] = found;
    kept.put(`bytecode-${group}`, bytes.toJs());
    bytes.destroy();
    found.destroy();
    return true;
  }

  function run({ id, code, name, space, seconds, remarks, figure }) {
    clearTimeout(idle);
    job = id;
    deadline = performance.now() + 1000 * seconds;
    const outcome = figure ? drawOwn(figure, seconds)
      : runCell(code, name, space, seconds, Boolean(remarks));
    deadline = Infinity;
    if (outcome === "full") throw new Error(FULL);
    if (!ENDS.includes(outcome)) throw new Error(BROKEN);
    post({ type: "done", id, outcome });
    idle = setTimeout(whileIdle, IDLE);
  }

  // What ended Python, in a sentence: its own words are for those who made it.
  function told(error, { type }) {
    const text = String(error?.message || error);
    if (/call stack|too much recursion/.test(text)) return DEEP;
    if (/MemoryError/.test(text) || text === FULL) return FULL;
    return type === "run" ? BROKEN : text;
  }

  // No handler, which a cell could take away.
  self.addEventListener("message", async ({ data }) => {
    try {
      await (data.type === "boot" ? boot(data) : run(data));
    } catch (error) {
      post({ type: "failed", text: told(error, data) });
    }
  });
}
