/* Code cells that run in the page. Nothing of Python is asked for before the
   first Run. Each cell is built on what the page shows already; a chapter's
   cells become editable when the reader asks for it. */
(function () {
  "use strict";

  const script = document.currentScript;
  const BASE = script.src.replace(/[^/]*$/, "");
  const PAGE = script.dataset.page;
  // Bytes that come before Python is ready, to show how far it is.
  const EXPECTED = Number(script.dataset.bytes);
  // What is imported while one waits anyway.
  const FIRST = "pegasos_edu.coursework";
  // A chapter's own cells come to their end, though without a compiler some
  // take long; what a reader writes into one may not.
  const CHAPTER_SECONDS = 900, AS_PRINTED = 7200;
  // Milliseconds that a pointer rests on Run before Python is asked for.
  const REST = 150;
  const ANEW = "The page's Python was started anew: " +
    "it has forgotten all names.";
  const STOPPED = `Stopped. ${ANEW}`;
  const KEPT = "What you wrote on this page was kept in this browser.";
  const LOST = "What you wrote on this page will be lost.";
  const AS_BOOK = "Every cell is as the book has it.";
  const SLOW = "Nothing is compiled here, so that a cell can take minutes. " +
    "Stop leaves what the book shows.";
  const NOT_KEPT = "This browser keeps nothing of what you write (its " +
    "storage is full or switched off): save it before you leave the page.";

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  function makeButton(textContent, onclick) {
    return element("button", { type: "button", className: "pegasos-button",
      textContent, onclick });
  }

  // What the reader wrote, by cell; without storage, until the page closes.
  const KEY = `pegasos-python:${PAGE}`;
  const texts = {
    all: {},
    // Read again each time: another tab may have written meanwhile.
    read() {
      if (this.warned) return; // it has more than was kept
      try {
        this.all = JSON.parse(localStorage.getItem(KEY)) || {};
      } catch {
        // Damaged, or switched off: what this tab has is all there is.
      }
    },
    // Whether the reader lets go of it, if there is any.
    mayGo() {
      this.read();
      return !Object.keys(this.all).length || confirm(LOST);
    },
    keep(name, text) {
      this.read();
      if (text === undefined) delete this.all[name];
      else this.all[name] = text;
      try {
        if (Object.keys(this.all).length) {
          localStorage.setItem(KEY, JSON.stringify(this.all));
        } else localStorage.removeItem(KEY);
        this.warned = false;
      } catch {
        // Full or switched off: it is kept in `all`.
        this.warned = true;
        engine.tell("");
      }
    },
    // What is said, and that nothing is kept as long as that is so.
    warn(text) {
      return this.warned ? `${text} ${NOT_KEPT}` : text;
    },
  };

  // Python

  class Stopped extends Error {}

  const engine = {
    worker: null, ready: null, job: null, signal: null, listeners: new Set(),
    turn: Promise.resolve(),
    // Seconds that a figure waits for the reader's solver.
    drawing: 10,
    // Milliseconds that a Ctrl+C is given: Python may be deep in a library,
    // where it is not heard.
    patience: 6000,
    // Seconds without a file or byte, after which a start is said to stand
    // still.
    silence: 30,

    tell(text) {
      this.listeners.forEach((listener) => listener(text));
    },

    start() {
      this.ready ||= this.boot().catch((error) => {
        this.end(error);
        throw error;
      });
      return this.ready;
    },

    async boot() {
      if (typeof WebAssembly !== "object" || !window.Worker) {
        throw new Error("this browser has no WebAssembly");
      }
      const started = performance.now();
      this.tell("Loading Python …");
      editor.come();
      const ended = new Promise((_, fail) => (this.fail = fail));
      let still;
      const listen = () => {
        clearTimeout(still);
        still = setTimeout(() => this.tell("Python has not come further " +
          `for ${this.silence} seconds. Wait, or press Stop, then Run, to ` +
          "try once more."), 1000 * this.silence);
      };
      listen();
      ended.catch(() => clearTimeout(still));
      const disk = location.protocol === "file:";
      const parts = await kitParts();
      const brought = disk ? await Promise.race([ended, fromDisk(listen)])
        : { url: PegasosWith.workerOf(BASE) };
      const worker = (this.worker = new Worker(brought.url));
      this.signal = self.crossOriginIsolated
        ? new Uint8Array(new SharedArrayBuffer(1)) : null;
      let bytes = 0;
      const ready = new Promise((done, fail) => {
        worker.onerror = (event) => {
          event.preventDefault();
          fail(new Error(event.message));
        };
        worker.onmessage = ({ data }) => {
          if (data.type === "loaded") {
            listen();
            bytes += data.bytes;
            this.tell(`Loading Python … ${megabytes(bytes)} of ` +
              `${megabytes(EXPECTED)} MB`);
          } else if (data.type === "ready") done(this.again = data.again);
          else if (data.type === "failed") {
            fail(new Error(data.text));
            if (this.job) this.end(new Stopped(`${data.text}. ${ANEW}`));
          } else if (data.type === "shown" && data.id === this.job?.id) {
            this.job.shown(data.kind, data.text);
          } else if (data.type === "done" && data.id === this.job?.id) {
            this.job.done(data.outcome);
          }
        };
      });
      const { files } = brought;
      worker.postMessage({ type: "boot", base: `${BASE}kit/`, files,
        signal: this.signal, first: FIRST, ...parts },
      files ? Object.values(files) : []);
      await Promise.race([ended, ready]);
      clearTimeout(still);
      this.seconds = (performance.now() - started) / 1000;
      this.tell(`Python is ready (${this.seconds.toFixed(1)} s).`);
    },

    // One after the other, whoever asks.
    run(message, shown) {
      const turn = this.turn.then(() => this.runNow(message, shown));
      this.turn = turn.catch(() => {});
      return turn;
    },

    async runNow(message, shown) {
      await this.start();
      const id = (this.count = (this.count || 0) + 1);
      if (this.signal) this.signal[0] = 0;
      const outcome = new Promise((done, fail) => {
        this.job = { id, done, fail, shown, figure: message.figure };
      });
      this.worker.postMessage({ type: "run", id, ...message });
      // Its own limit comes first; this is for a loop inside a library.
      const limit = setTimeout(() => this.end(new Stopped(
        `${message.figure ? "Your solver" : "This cell"} may take ` +
        `${message.seconds} seconds. ${STOPPED}`)),
      1000 * message.seconds + this.patience);
      try {
        return await outcome;
      } finally {
        clearTimeout(limit);
        this.job = null;
      }
    },

    // Ctrl+C where Python can see it; else its worker ends.
    stop() {
      const job = this.job;
      if (!job || !this.signal) {
        this.end(new Stopped(STOPPED));
        return;
      }
      this.signal[0] = 2;
      setTimeout(() => {
        if (this.job === job) this.end(new Stopped(STOPPED));
      }, this.patience);
    },

    end(error) {
      this.worker?.terminate();
      this.worker = this.ready = null;
      this.fail?.(error);
      this.job?.fail(error);
      this.tell(error instanceof Stopped ? error.message
        : `Python could not be started: ${error.message}.`);
      book.forget();
      figure.giveBack(this.job?.figure);
    },
  };

  function megabytes(bytes) {
    return (bytes / 1e6).toFixed(0);
  }

  function load(url) {
    return new Promise((done, fail) => {
      const tag = element("script", { src: url });
      tag.onload = () => done(tag.remove());
      tag.onerror = () => fail(new Error(
        `the file ${decodeURI(url).split("/").pop()} is missing`));
      document.head.append(tag);
    });
  }

  // Files that scripts hand over: from disk nothing can be fetched.
  const handed = {};
  window.PegasosFile = (name, content) => (handed[name] = content);

  async function kitParts() {
    if (!handed.parts) await load(`${BASE}parts.js`);
    if (!window.PegasosWith) await load(`${BASE}with_python.js`);
    return handed.parts;
  }

  async function fromDisk(listen) {
    await load(`${BASE}from_disk.js`);
    return window.PegasosDisk({ base: BASE, parts: handed.parts, handed, load,
      tell: (text) => listen(engine.tell(text)) });
  }

  // The pointer is near: what is to come may come now, unless bytes cost.
  function foresee(button) {
    const { saveData, type } = navigator.connection || {};
    if (saveData || type === "cellular") return;
    let resting;
    button.addEventListener("pointerenter", () => {
      resting = setTimeout(() => engine.start().catch(() => {}), REST);
    });
    button.addEventListener("pointerleave", () => clearTimeout(resting));
  }

  // The editor comes with Python. Until then, and where it cannot be had, a
  // text area does that knows a little Python.

  const editor = {
    areas: [],
    async come() {
      this.coming ||= load(`${BASE}editor.js`);
      try {
        await this.coming;
        this.areas.splice(0).forEach((one) => window.PegasosEditor(...one));
      } catch {
        this.coming = null;
      }
    },
  };

  function insert(area, text) {
    // The only way that leaves the browser's undo as it should be.
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      area.dispatchEvent(new Event("input"));
    }
  }

  function indent(area, back) {
    const { value, selectionStart: from, selectionEnd: to } = area;
    if (from === to && !back) {
      insert(area, "    ");
      return;
    }
    const start = value.lastIndexOf("\n", from - 1) + 1;
    const lines = value.slice(start, to).split("\n");
    const moved = lines.map((line) =>
      back ? line.replace(/^ {1,4}/, "") : `    ${line}`).join("\n");
    area.setSelectionRange(start, to);
    insert(area, moved);
    area.setSelectionRange(start, start + moved.length);
  }

  function newLine(area) {
    const before = area.value.slice(0, area.selectionStart);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const deeper = /:\s*(#.*)?$/.test(line) ? "    " : "";
    insert(area, `\n${line.match(/^ */)[0]}${deeper}`);
  }

  function makeEditor(area, run) {
    Object.assign(area, { spellcheck: false, autocapitalize: "off",
      autocomplete: "off", wrap: "off" });
    area.setAttribute("autocorrect", "off");
    area.setAttribute("aria-describedby", "pegasos-keys");
    let leaving = false;
    area.addEventListener("keydown", (event) => {
      const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
      if (event.key === "Enter" && (event.shiftKey || event.ctrlKey)) {
        event.preventDefault();
        run();
      } else if (event.key === "Tab" && plain && !leaving && !area.readOnly) {
        event.preventDefault();
        indent(area, event.shiftKey);
      } else if (event.key === "Enter" && plain && !area.readOnly &&
          !event.isComposing) {
        event.preventDefault();
        newLine(area);
      }
      // After Esc the next Tab leaves, for who has no mouse.
      leaving = event.key === "Escape" || (leaving && event.key === "Shift");
      event.stopPropagation();
    });
    grow(area);
    editor.areas.push([area, run]);
  }

  // As tall as what is written in it.
  function grow(area) {
    area.fit = () => {
      area.rows = Math.min(Math.max(area.value.split("\n").length, 2), 30);
    };
    area.addEventListener("input", area.fit);
    area.fit();
  }

  function keysHelp() {
    if (document.getElementById("pegasos-keys")) return;
    document.querySelector("article").append(element("p", {
      id: "pegasos-keys", hidden: true,
      textContent: "Shift and Enter run the cell. Tab indents; after " +
        "Escape, Tab leaves the code.",
    }));
  }

  // A cell: its code, its buttons and what it showed

  class Cell {
    constructor({ name, code, space, seconds, label, saved, locked }) {
      Object.assign(this, { name, original: code, space, seconds, saved,
        locked, label: locked ? `${label}, locked` : label });
      this.ran = false;
      this.output = element("div", { className: "pegasos-shown" });
      this.state = element("span", { className: "pegasos-state" });
      this.state.setAttribute("role", "status");
    }

    // `area` is where its code stands; without, it cannot be seen.
    build(area, listen) {
      this.area = area;
      area.className = "pegasos-code";
      area.readOnly = this.locked;
      area.setAttribute("aria-label", this.label);
      area.value = texts.all[this.name] ?? this.original;
      makeEditor(area, () => this.onrun(this));
      area.addEventListener("input", () => {
        const same = area.value === this.original;
        texts.keep(this.name, same ? undefined : area.value);
        this.ran = false;
        this.lost = undefined;
        this.call(this.again, "Reset");
      });
      const button = (text, act) => this.call(makeButton("", act), text);
      this.go = button("Run", () => this.onrun(this));
      foresee(this.go);
      this.halt = button("Stop", () => {
        this.say("Stopping …");
        this.onstop();
      });
      this.halt.disabled = true;
      this.again = button("Reset", () => this.reset());
      const name = element("span", { textContent: this.label });
      area.after(element("div", { className: "pegasos-buttons" },
        this.go, this.halt, ...(this.locked ? [] : [this.again]),
        ...(listen ? [] : [name]), this.state));
      if (listen) {
        engine.listeners.add((text) => {
          if (!area.closest("details:not([open])")) this.say(text);
        });
      }
    }

    get source() {
      return this.area ? this.area.value : this.original;
    }

    take(source) {
      if (this.area) this.write(source);
      else this.original = source;
    }

    say(text) {
      this.state.textContent = texts.warn(text);
    }

    // A button's text, with the cell for those who do not see where it is.
    call(made, text) {
      made.textContent = text;
      made.setAttribute("aria-label", `${text}: ${this.label}`);
      return made;
    }

    focus() {
      const { area } = this;
      area.closest("details")?.setAttribute("open", "");
      (area.hidden ? area.previousElementSibling.querySelector(".cm-content")
        : area).focus();
    }

    write(text) {
      this.area.value = text;
      this.area.fit();
      this.area.dispatchEvent(new Event("input"));
    }

    // What a reset throws away comes back by the same button.
    reset() {
      const { lost, source } = this;
      if (this.area) this.write(lost ?? this.original);
      if (lost === undefined && source !== this.source) {
        this.lost = source;
        this.call(this.again, "Undo reset");
      }
      this.outcome = "";
      this.output.replaceChildren();
      this.output.hidden = true;
      if (this.saved) this.saved.hidden = false;
      this.say("");
    }

    // Runs it; whether it came to its end. What the page shows stays until
    // all that is new can take its place, or the page would jump.
    async run() {
      this.made = this.saved ? element("div") : this.output;
      this.made.replaceChildren();
      this.output.dataset.state = "running";
      this.output.hidden &&= Boolean(this.saved);
      this.keepsSaved = this.apart = false;
      this.pictures = 0;
      if (this.go) Object.assign(this.go, { disabled: true });
      if (this.halt) Object.assign(this.halt, { disabled: false });
      let outcome = "stopped";
      try {
        await engine.start();
        this.say("Running …");
        const started = performance.now();
        const printed = this.space === "book" && this.source === this.original;
        outcome = await engine.run({ code: this.source, name:
          `your code, ${this.label}`, space: this.space,
        seconds: printed ? AS_PRINTED : this.seconds,
        remarks: printed && this.remarks },
        (kind, text) => this.show(kind, text));
        const seconds = (performance.now() - started) / 1000;
        this.say({ done: `Done in ${seconds.toFixed(1)} s.`,
          error: "Ended by an error.", interrupted: "Stopped." }[outcome]);
        this.ran = outcome === "done";
      } catch (error) {
        this.show("error", error instanceof Stopped ? error.message
          : `Python could not be started: ${error.message}.`);
        this.say("");
      }
      await this.swap();
      if (this.go) Object.assign(this.go, { disabled: false });
      if (this.halt) Object.assign(this.halt, { disabled: true });
      this.output.dataset.state = this.outcome = outcome;
      return this.ran;
    }

    async swap() {
      if (this.made === this.output) return;
      await Promise.all([...this.made.querySelectorAll("img")].map((image) =>
        image.decode().catch(() => {}))); // an undrawn one has no height
      this.output.replaceChildren(...this.made.childNodes);
      this.output.hidden = false;
      this.saved.hidden = !this.keepsSaved;
      // Its tables have the numbers of those whose place they take.
      const numbers = this.saved.querySelectorAll("caption .caption-number");
      this.output.querySelectorAll("caption").forEach((caption, k) =>
        numbers[k] && caption.prepend(numbers[k].cloneNode(true)));
      window.PegasosPage.reachWithin(this.output.parentElement);
    }

    show(kind, text) {
      const untouched = this.source === this.original && this.saved;
      if (kind === "figure" && text === "own" && figure.find()) {
        this.made.append(makeButton("See your solver in the live figure",
          () => figure.take(this)));
      } else if (kind === "figure" && text === "own") {
        this.add("pre", "The live figure of the chapter Pegasos can show " +
          "your solver: hand it to explore there, in \"Write your own\".\n");
      } else if (kind === "figure" && this.saved) {
        this.keepsSaved = true;
      } else if (kind === "figure") {
        this.add("pre", "The live figures stand in the chapters.\n");
      } else if (kind === "markdown" && untouched) this.keepsSaved = true;
      else if (kind === "html") this.made.append(PegasosWith.show(text));
      else if (kind === "picture") this.picture(JSON.parse(text));
      else if (kind === "error") {
        this.add("pre", text).className = "pegasos-error";
      } else if (kind === "value") this.apart = true;
      else this.print(text);
    }

    add(tag, text) {
      const made = element(tag, { textContent: text });
      this.made.append(made);
      return made;
    }

    // What a cell prints stands in one box, however it came; what it comes
    // to would not be seen at the end of a long one.
    print(text) {
      const last = this.made.lastElementChild;
      const apart = this.apart && last?.textContent.length > 1000;
      this.apart = false;
      if (!apart && last?.className === "pegasos-printed-text") {
        last.append(text);
      } else this.add("pre", text).className = "pegasos-printed-text";
    }

    // In place of a picture of the book: with its words and its caption.
    picture({ light, dark }) {
      const old = this.saved
        ? this.saved.querySelectorAll("img:not(.in-dark)")[this.pictures]
        : undefined;
      this.pictures += 1;
      const alt = old?.alt || "A picture that this cell drew.";
      const box = element("figure", {},
        element("img", { src: `data:image/png;base64,${light}`, alt,
          className: "in-light" }),
        element("img", { src: `data:image/png;base64,${dark}`, alt,
          className: "in-dark dark-light" }));
      const caption = old?.closest("figure")?.querySelector("figcaption");
      if (caption) box.append(caption.cloneNode(true));
      box.querySelectorAll("[id]").forEach((one) =>
        one.removeAttribute("id"));
      this.made.append(box);
    }
  }

  // The page's explorer, with the reader's solver in place of the book's

  const figure = {
    host: null, note: null,

    find() {
      this.host ||= [...document.querySelectorAll("[data-pegasos]")].find(
        (host) => JSON.parse(host.dataset.pegasos).name === "pegasos");
      return this.host;
    },

    async take(cell) {
      this.host.closest("[hidden]")?.removeAttribute("hidden");
      // It starts when it comes near.
      this.host.scrollIntoView();
      if (!this.host.pegasos) {
        await new Promise((drawn) => this.host.addEventListener(
          "pegasos:drawn", drawn, { once: true }));
      }
      this.giveBack();
      this.left?.remove();
      this.said = element("span");
      this.said.setAttribute("role", "status");
      this.note = element("div", { className: "pegasos-buttons" }, this.said,
        makeButton("To your code", () => cell.focus()),
        makeButton("Back to the book's solver", () => this.giveBack()));
      this.host.before(this.note);
      this.note.scrollIntoView();
      await this.host.pegasos.become((state) => this.draw(state));
      // Drawing moved it, perhaps below the bar at the top.
      this.note?.scrollIntoView({ block: "nearest" });
    },

    // The note stays where it has to say why.
    giveBack(stays) {
      if (!this.note) return;
      if (stays) {
        this.note.lastChild.remove();
        this.left = this.note;
      } else this.note.remove();
      this.note = null;
      this.host.pegasos.become(null);
    },

    // What the figure shows in this state; a message and nothing else where
    // the solver cannot be drawn.
    async draw(state) {
      let drawing;
      const message = { figure: JSON.stringify(state),
        seconds: engine.drawing };
      try {
        await engine.run(message, (kind, text) => {
          if (kind === "drawing") drawing = JSON.parse(text);
        });
      } catch (error) {
        drawing = { message: `${error.message} What you see is drawn by the ` +
          "book's solver." };
      }
      this.said.textContent = drawing.message || "Drawn by your solver.";
      return { rows: { lines: [], curve: [] }, readouts: {},
        summary: "Nothing is drawn.", ...drawing };
    },
  };

  // What knows notebooks comes with the first cells: see notebook.js.
  let notebooks;

  // A written answer, below its question
  class Answer {
    constructor(place, { name, label, source }) {
      const { question } = notebooks.divided(source);
      Object.assign(this, { name, question });
      this.area = element("textarea", { className: "pegasos-words" });
      this.area.setAttribute("aria-label", `Your answer to ${label}`);
      this.area.value = texts.all[name] ?? "";
      grow(this.area);
      this.area.addEventListener("input", () => {
        texts.keep(name, this.text || undefined);
      });
      place.after(this.area);
    }

    get text() {
      return this.area.value;
    }

    // The cell of the notebook: the question, and what was answered.
    get source() {
      return this.text ? `${this.question}\n\n${this.text}` : this.question;
    }

    take(source) {
      const { question, answer } = notebooks.divided(source);
      this.question = question;
      this.write(answer);
    }

    write(text) {
      this.area.value = text;
      this.area.dispatchEvent(new Event("input"));
    }

    reset() {
      this.write("");
    }
  }

  // One run at a time, whoever asked for it.
  let busy = false;
  async function alone(cell, work) {
    if (busy) {
      cell.say("Another cell is running: stop it first.");
      return;
    }
    busy = true;
    try {
      await work();
    } finally {
      busy = false;
    }
  }

  // The cells of a chapter

  const book = {
    // Its cells of code, and the questions that are answered in words.
    cells: [],
    answers: [],
    // Those to write in, with code that is not the notebook's.
    others: [],
    // Seconds after which a cell is said to take long.
    patience: 20,

    forget() {
      this.cells.forEach((cell) => (cell.ran = false));
    },

    // Cells build on those above: what has not run yet runs first. To run all
    // is to run again, too, what ran before something above it.
    upTo(last) {
      const all = last === this.cells.at(-1);
      this.running = alone(last, async () => {
        this.stopped = false;
        const end = this.cells.indexOf(last);
        for (const [place, cell] of this.cells.slice(0, end + 1).entries()) {
          if (cell.ran && !(all && cell.old) && cell !== last) continue;
          const now = `Running cell ${place + 1} of ${this.cells.length} …`;
          this.tell(now);
          const slow = setTimeout(() => this.tell(`${now} ${SLOW}`),
            1000 * this.patience);
          const worked = await cell.run();
          clearTimeout(slow);
          const ended = !this.stopped && cell.outcome !== "stopped";
          cell.old = false;
          this.cells.slice(place + 1).filter((one) => one.ran && !one.old)
            .forEach((one) => {
              one.old = true;
              one.say("Ran before a cell above it did.");
            });
          // A check that fails is no reason not to go on with the next task.
          if (this.graded && ended) cell.ran = true;
          if (!ended || !(worked || this.graded)) {
            this.tell(this.whyNotAll(cell, place + 1));
            return;
          }
        }
        const failed = this.cells.slice(0, end + 1)
          .filter((cell) => cell.outcome !== "done").length;
        this.tell(!failed ? "Done." : failed === 1
          ? "1 cell was not run to its end."
          : `${failed} cells were not run to their end.`);
      });
      return this.running;
    },

    whyNotAll(cell, number) {
      if (this.stopped) return "Stopped.";
      return cell.outcome === "error"
        ? `Cell ${number} ended by an error; those below it did not run ` +
          "and show what the book has."
        : `Cell ${number} was not run to its end; it says why.`;
    },

    stop() {
      if (busy) this.tell("Stopping …");
      this.stopped = true;
      engine.stop();
    },

    // Where the reader asked for it, and in the bar.
    tell(text) {
      if (this.status) this.status.textContent = texts.warn(text);
      this.near?.say(text);
    },

    async makeLive(near) {
      const button = this.bar.querySelector("button");
      if (button.disabled) return;
      const focused = document.activeElement === button;
      button.disabled = true;
      this.near = near;
      // It takes room only now: before, the first figure is to be seen whole.
      document.querySelector("article h1").after(this.bar);
      this.bar.append(this.status);
      this.tell("Loading the cells …");
      if (!near) this.bar.scrollIntoView({ block: "nearest" });
      try {
        await load(`${BASE}notebook.js`);
        await load(`${BASE}pages/${PAGE}.js`);
        if (document.querySelector("[data-explorer]:empty")) {
          await load(`${BASE}explorer.js`);
        }
      } catch (error) {
        this.tell(`The page cannot be made live: ${error.message}.`);
        button.disabled = false;
        return;
      }
      document.documentElement.dataset.pegasosLive = "";
      keysHelp();
      const places = document.querySelectorAll("article div.cell");
      this.notebook = handed[PAGE];
      notebooks = window.PegasosNotebook;
      const { isAnswer } = notebooks;
      const ofKind = (kind) =>
        this.notebook.cells.filter((cell) => cell.cell_type === kind);
      this.graded = this.notebook.cells.some(isAnswer);
      ofKind("code").forEach((cell, place) =>
        this.cells.push(this.takeOver(places[place], cell, place)));
      this.ask(ofKind("markdown").filter(isAnswer));
      await editor.come();
      const chosen = element("input",
        { type: "file", accept: ".ipynb", hidden: true });
      chosen.onchange = async () => {
        if (chosen.files.length) await this.open(chosen.files[0]);
        chosen.value = ""; // the same file may be chosen again
      };
      this.bar.replaceChildren(
        makeButton("Run all cells", () => this.upTo(this.cells.at(-1))),
        makeButton("Stop", () => this.stop()),
        makeButton("Start again", () => this.startAgain()),
        makeButton("Download as a notebook", () => this.download()),
        makeButton("Open a notebook", () => chosen.click()), chosen,
        this.status,
        element("a", { href: `${BASE}licences/index.html`,
          textContent: "Licences of what runs here" }));
      // The button that had it is gone.
      if (focused) this.bar.firstChild.focus({ preventScroll: true });
      if (this.graded) {
        this.tell("Write, and run the cells in order; then download your " +
          "notebook and hand it in.");
      } else await this.runShort();
      this.near = null;
    },

    // All cells, or those above the first that takes minutes.
    async runShort() {
      const { long } = script.dataset;
      const end = Number(long ?? this.cells.length);
      if (end) await this.upTo(this.cells[end - 1]);
      if (!long || this.cells.slice(0, end).some((one) => !one.ran)) return;
      this.tell(`Cell ${end + 1} takes minutes here, without a compiler ` +
        "(fewer seeds are quicker). It and those below it show what the " +
        "book has until you run them.");
    },

    // An area below each question that is answered in words.
    ask(cells) {
      const places = [...document.querySelectorAll("article p")]
        .filter((place) => place.textContent.trim() === notebooks.MARK);
      cells.forEach((cell, number) => {
        const source = notebooks.textOf(cell);
        const label = source.match(/\*\*(.*?)\*\*/)?.[1] || "the question";
        this.answers.push(new Answer(places[number],
          { name: notebooks.nameOf(cell), label, source }));
      });
    },

    // What the reader may write in: the rest stays as it was handed out.
    get written() {
      return [...this.cells.filter((cell) => !cell.locked), ...this.answers];
    },

    download() {
      const beside = this.others.flatMap(({ names, label }) =>
        names.filter((name) => name in texts.all)
          .map((name) => ({ name, label, source: texts.all[name] })));
      const name = `${PAGE.split("/").pop()}.ipynb`;
      notebooks.save(name, this.notebook, this.written, beside);
      this.tell(`Saved as ${name}.`);
    },

    // All of a file or nothing; cells that only it has stay in it.
    async open(file) {
      const { nameOf, read, textOf } = notebooks;
      const notebook = read(await file.text());
      if (!notebook) {
        this.tell(`${file.name} is not a notebook; nothing was changed.`);
        return;
      }
      const found = new Map(
        notebook.cells.map((cell) => [nameOf(cell), textOf(cell)]));
      const lacks = this.written.find((one) => !found.has(one.name));
      if (lacks) {
        this.tell(`${file.name} lacks the cell "${lacks.name}" of this ` +
          "page; nothing was changed.");
        return;
      }
      if (!texts.mayGo()) return;
      this.notebook = notebook;
      this.written.forEach((one) => one.take(found.get(one.name)));
      for (const other of this.others) {
        for (const name of other.names.filter((one) => found.has(one))) {
          if (name === other.name) other.write(found.get(name));
          else texts.keep(name, found.get(name));
        }
      }
      this.tell(`The page has what ${file.name} has.`);
    },

    takeOver(place, { source, metadata, ...rest }, number) {
      const saved = place.querySelector(":scope > .cell_output, " +
        ":scope > details.below-input, :scope > details > .cell_output");
      const name = notebooks.nameOf({ metadata, ...rest });
      const cell = new Cell({ name, code: source, space: "book",
        seconds: CHAPTER_SECONDS, label: `cell ${number + 1}`, saved,
        locked: metadata.editable === false });
      // In coursework an assertion asks the reader, elsewhere the page.
      cell.remarks = !this.notebook.cells.some(
        ({ metadata: { nbgrader } }) => nbgrader);
      cell.onrun = () => this.upTo(cell);
      cell.onstop = () => this.stop();
      const input = place.querySelector(".cell_input");
      if (input) {
        const area = element("textarea");
        input.replaceChildren(area);
        cell.build(area);
      }
      cell.output.hidden = true;
      if (saved) saved.after(cell.output);
      else place.append(cell.output);
      return cell;
    },

    async startAgain() {
      if (!texts.mayGo()) return;
      const wrote = Object.keys(texts.all);
      this.stopped = true;
      if (engine.ready) engine.end(new Stopped(STOPPED));
      await this.running;
      [...this.cells, ...this.answers, ...this.others].forEach((one) => {
        one.lost = undefined; // or it would come back
        one.reset();
      });
      wrote.forEach((name) => texts.keep(name));
      this.notebook = handed[PAGE];
      if (this.kept) this.kept.firstChild.textContent = AS_BOOK;
      this.tell(AS_BOOK);
    },

    sayKept() {
      if (!Object.keys(texts.all).length) return;
      this.kept = element("div", { className: "pegasos-buttons" },
        element("span", { textContent: KEPT, role: "status" }),
        makeButton("Start again", () => this.startAgain()));
      document.querySelector("article h1").after(this.kept);
    },

    offer() {
      if (!Number(script.dataset.cells)) return;
      this.status = element("span", { className: "pegasos-state" });
      this.status.setAttribute("role", "status");
      this.bar = element("div",
        { className: "pegasos-buttons pegasos-bar-live", role: "group",
          ariaLabel: "The code of this page" },
        Object.assign(
          makeButton("Make this page live", () => this.makeLive()),
          { title: "Run the code of this page here, and change it" }));
      document.querySelector(".header-article-items__end").prepend(this.bar);
      engine.listeners.add((text) => this.tell(text));
    },
  };

  // Cells to write in: each has names of its own, if it has no space

  function own(section) {
    const { name, label, space = name } = section.dataset;
    const area = section.querySelector("textarea");
    const choice = section.querySelector("select");
    const codes = choice
      ? JSON.parse(section.querySelector("script").textContent)
      : [area.textContent];
    const cell = new Cell({ name: `${name}-0`, code: codes[0], space,
      label });
    cell.names = codes.map((_, at) => `${name}-${at}`);
    cell.onrun = () => alone(cell, () => {
      cell.seconds = Number(section.dataset.seconds);
      return cell.run();
    });
    cell.onstop = () => engine.stop();
    area.dataset.text = cell.name;
    cell.build(area, true);
    book.others.push(cell);
    section.append(cell.output);
    if (space === "book" && book.bar) {
      section.prepend(element("p", { className: "pegasos-not-live" },
        "The names of this page are known here once its cells have run. ",
        makeButton("Make this page live", () => book.makeLive(cell))));
    }
    choice?.addEventListener("change", () => {
      const at = choice.selectedIndex;
      cell.original = codes[at];
      cell.name = area.dataset.text = cell.names[at]; // with its own undo
      cell.write(texts.all[cell.name] ?? codes[at]);
      cell.output.replaceChildren();
    });
  }

  // Below an exercise, folded: it sees the names of the page's own cells.
  function atExercise(place) {
    const label = place.querySelector(".caption-number").textContent.trim();
    const section = element("div", {}, element("textarea",
      { className: "pegasos-code", textContent: "import numpy as np\n\n" }));
    Object.assign(section.dataset,
      { name: place.id, label, space: "book", seconds: CHAPTER_SECONDS });
    place.append(element("details", { className: "pegasos-exercise" },
      element("summary", { textContent: "Try it here" }), section));
    return section;
  }

  window.PegasosPython = engine;

  document.addEventListener("DOMContentLoaded", () => {
    texts.read();
    book.offer();
    const sections = [...document.querySelectorAll(".pegasos-own"),
      ...[...document.querySelectorAll("article div.exercise")]
        .map(atExercise)];
    if (sections.length) keysHelp();
    sections.forEach(own);
    book.sayKept();
  });
})();
