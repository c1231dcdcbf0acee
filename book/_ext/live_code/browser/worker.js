/* Python in a worker: starts Pyodide, runs cells one after the other.

   In:  {type: "boot", base, packages, onDemand, first, files?, signal?}
          files: name -> ArrayBuffer, where nothing can be fetched (file://)
          signal: shared bytes; 2 in the first interrupts Python
        {type: "run", id, seconds, and code, name, space of a cell or
          figure: the state of the figure, as JSON}
   Out: {type: "loaded", bytes}  {type: "ready"}  {type: "failed", text}
        {type: "shown", id, kind, text}  {type: "done", id, outcome} */
"use strict";

// Python asks for memory piece by piece; a page must not eat the machine's.
const MOST_MEMORY = 2 ** 30;
const PAGE = 2 ** 16;
const SITE_PACKAGES = "/lib/python3.12/site-packages";
const TYPES = { wasm: "application/wasm", json: "application/json" };
const post = (message) => self.postMessage(message);

let python, runCell, drawOwn, tellLimit, job;
let deadline = Infinity;

const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * PAGE > MOST_MEMORY) {
    throw new RangeError("no more memory for this page");
  }
  return grow.call(this, pages);
};

// The bytes of the kit's files by name, or promises of them.
const held = {};

async function download(url) {
  const answer = await realFetch(url);
  if (!answer.ok) {
    throw new Error(`${url.split("/").pop()} is missing (${answer.status})`);
  }
  const parts = [];
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    post({ type: "loaded", bytes: value.length });
  }
}

// Pyodide fetches by itself; what is held already it gets from here.
const realFetch = self.fetch.bind(self);
self.fetch = async (request, options) => {
  const name = String(request.url || request).split("/").pop();
  if (!(name in held)) return realFetch(request, options);
  const type = TYPES[name.split(".").pop()] || "application/octet-stream";
  return new Response(await held[name], {
    headers: { "Content-Type": type },
  });
};

function unpack(name, bytes) {
  const format = name.endsWith(".whl") ? "wheel" : "zip";
  python.unpackArchive(bytes, format, { extractDir: SITE_PACKAGES });
}

// While Python waits in an import: hence not asynchronous.
const brought = new Set();
function bring(base, names) {
  for (const name of names.filter((one) => !brought.has(one))) {
    brought.add(name);
    let bytes = held[name];
    if (!bytes) {
      const request = new XMLHttpRequest();
      request.open("GET", base + name, false);
      request.responseType = "arraybuffer";
      request.send();
      if (request.status !== 200) {
        throw new Error(`${name} is missing (${request.status})`);
      }
      bytes = request.response;
    }
    unpack(name, bytes);
    delete held[name];
  }
}

// Python looks here between its steps: 2 is Ctrl+C. After each look it writes
// 0; a Ctrl+C that came between the look and the 0 must not be lost.
function interrupts(signal) {
  let seen = 0;
  return {
    get 0() {
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

async function boot({ base, packages, onDemand, first, files, signal }) {
  if (files) Object.assign(held, files);
  else {
    // All at once; Pyodide itself would ask for one after the other.
    for (const name of packages) held[name] = download(base + name);
    for (const promise of Object.values(held)) promise.catch(() => {});
  }
  if (typeof loadPyodide === "undefined") importScripts(base + "pyodide.js");
  python = await loadPyodide({ indexURL: base });
  await python.loadPackage("openblas", {
    messageCallback() {},
    errorCallback(text) {
      throw new Error(text);
    },
  });
  for (const name of packages) {
    if (name.startsWith("openblas")) continue;
    unpack(name, await held[name]);
    delete held[name];
  }
  const cells = python.pyimport("in_page");
  runCell = cells.run_cell;
  drawOwn = cells.draw_own;
  tellLimit = cells.tell_limit;
  cells.start(
    (kind, text) => post({ type: "shown", id: job, kind, text }),
    (top) => bring(base, onDemand[top]),
    python.toPy(Object.keys(onDemand)),
    first,
  );
  python.setInterruptBuffer(interrupts(signal));
  post({ type: "ready" });
}

function run({ id, code, name, space, seconds, figure }) {
  job = id;
  deadline = performance.now() + 1000 * seconds;
  const outcome = figure ? drawOwn(figure, seconds)
    : runCell(code, name, space, seconds);
  deadline = Infinity;
  post({ type: "done", id, outcome });
}

self.onmessage = async ({ data }) => {
  try {
    await (data.type === "boot" ? boot(data) : run(data));
  } catch (error) {
    post({ type: "failed", text: String(error.message || error) });
  }
};
