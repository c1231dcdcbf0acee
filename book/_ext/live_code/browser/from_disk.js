/* Python's files for a page that was opened from disk, where nothing can be
   fetched: scripts hand them over, one by one. */
(function () {
  "use strict";

  // A page that is not secure cannot tell: it has no sums.
  async function genuine(name, bytes, sums) {
    if (!self.crypto?.subtle) return;
    const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const hex = [...sum].map((byte) => byte.toString(16).padStart(2, "0"));
    if (hex.join("") !== sums[name]) {
      throw new Error(`the file ${name} is damaged: its SHA-256 sum is ` +
        "another");
    }
  }

  // handed: what scripts gave, by name; load(url) runs a script.
  window.PegasosDisk = async function ({ base, parts, handed, load, tell }) {
    const files = {};
    for (const name of parts.all) {
      await load(`${base}disk/${name}.js`);
      const data = `data:application/octet-stream;base64,${handed[name]}`;
      files[name] = await (await fetch(data)).arrayBuffer();
      delete handed[name];
      await genuine(name, files[name], parts.sums);
      tell(`Loading Python … ${Object.keys(files).length} of ` +
        `${parts.all.length} files`);
    }
    const code = parts.scripts.map((name) => {
      const text = new TextDecoder().decode(files[name]);
      delete files[name];
      return `${text}\n;\n`;
    });
    const blob = new Blob(code, { type: "text/javascript" });
    return { url: URL.createObjectURL(blob), files };
  };
})();
