/* How numbers are written: the twin of numbers.py. */
(function () {
  "use strict";

  const raised = (exponent) => exponent.replace("+", "").replace(/./g,
    (c) => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]);

  // Four digits; powers of ten for what is tiny or huge.
  function inDigits(value, kind) {
    if (kind === "percent") {
      return (100 * value).toFixed(1).replace(/^-0\.0$/, "0.0") + " %";
    }
    if (kind === "count") return value.toLocaleString("en");
    const size = Math.abs(value);
    if (size === 0) return "0";
    if (size >= 1e-3 && size < 1e5) {
      const digits = value.toPrecision(4);
      return /e|^-?\d{4}/.test(digits)
        ? Number(digits).toLocaleString("en") : digits;
    }
    const [digits, power] = value.toExponential(2).split("e");
    return `${digits} × 10${raised(power)}`;
  }

  // A dash for what is undefined.
  PegasosLive.format = (value, kind) => Number.isFinite(value)
    ? inDigits(value, kind).replace(/^-/, "−") : "–";

  // A position of a slider, with all its digits and no power of ten.
  PegasosLive.plain = (value) => value
    .toLocaleString("en", { maximumSignificantDigits: 6 })
    .replace("-", "−");
})();
