/* Kernel Pegasos on a ring: the twin of kernels.py. */
PegasosLive.register("kernels", function (data) {
  "use strict";

  const { x, y, seed, across, up, steps } = data, parts = data.strips;
  const n = y.length;
  const names = [[0, "decision line"], [1, "margin"], [-1, "margin"]];

  // T steps, keeping λt⟨w_{t+1}, φ(x)⟩ of every example.
  function run(width, T, lam) {
    const order = PegasosLive.order(n, T, seed);
    const counts = new Float64Array(n), sums = new Float64Array(n);
    const calls = [];
    let kept = 0;
    const near = (i, j) => {
      const a = x[2 * i] - x[2 * j], b = x[2 * i + 1] - x[2 * j + 1];
      return Math.exp(-(a * a + b * b) / (2 * (width * width)));
    };
    const gram = y.map((_, i) => y.map((_, j) => near(i, j)));
    for (let t = 1; t <= T; t++) {
      const i = order[t - 1];
      calls.push(kept);
      if (t > 1 && y[i] * sums[i] >= lam * (t - 1)) continue;
      if (counts[i] === 0) kept++;
      counts[i]++;
      for (let j = 0; j < n; j++) sums[j] += y[i] * gram[i][j];
    }
    return { counts, sums, calls };
  }

  // The score at every point of the grid, one row for each of `up`.
  function onGrid(width, weights) {
    const part = (at, axis) => y.map((_, j) => {
      const far = at - x[2 * j + axis];
      return Math.exp(-(far * far) / (2 * (width * width)));
    });
    const columns = across.map((at) => part(at, 0));
    return up.map((at) => {
      const row = part(at, 1).map((value, j) => value * weights[j]);
      return columns.map((column) => {
        let score = 0;
        for (let j = 0; j < n; j++) score += row[j] * column[j];
        return score;
      });
    });
  }

  // Where the score is zero between two neighbours [row, column].
  function crossing(grid, [r, c], [r2, c2]) {
    const share = grid[r][c] / (grid[r][c] - grid[r2][c2]);
    return [across[c] + share * (across[c2] - across[c]),
      up[r] + share * (up[r2] - up[r])];
  }

  // Where the grid passes zero: a piece or two in each of its cells.
  function contour(grid) {
    const found = [];
    for (let r = 0; r + 1 < up.length; r++) {
      for (let c = 0; c + 1 < across.length; c++) {
        const corners = [[r, c], [r, c + 1], [r + 1, c + 1], [r + 1, c]];
        const inside = corners.map(([a, b]) => grid[a][b] >= 0);
        const ends = [];
        corners.forEach((one, k) => {
          const next = (k + 1) % 4;
          if (inside[k] === inside[next]) return;
          ends.push(crossing(grid, one, corners[next]));
        });
        for (let k = 0; k + 1 < ends.length; k += 2) {
          const [[a, b], [a2, b2]] = [ends[k], ends[k + 1]];
          found.push({ x: a, y: b, x2: a2, y2: b2 });
        }
      }
    }
    return found;
  }

  // The region of +1 as strips, some between two rows of the grid.
  function strips(grid) {
    const high = (up[1] - up[0]) / parts, found = [];
    for (let r = 0; r + 1 < up.length; r++) {
      for (let k = 0; k < parts; k++) {
        const share = (k + 0.5) / parts, low = up[r] + k * high;
        const ends = stretches(grid[r].map(
          (score, c) => score + share * (grid[r + 1][c] - score)));
        for (let e = 0; e < ends.length; e += 2) {
          found.push({ x: ends[e], x2: ends[e + 1], y: low, y2: low + high });
        }
      }
    }
    return found;
  }

  // Where the scores along a row start to be at least 0, and where they end.
  function stretches(scores) {
    const ends = [];
    let before = false;
    scores.forEach((score, c) => {
      const isIn = score >= 0;
      if (isIn !== before) {
        const last = scores[c - 1], far = across[c] - across[c - 1];
        ends.push(c ? across[c - 1] + last / (last - score) * far
          : across[c]);
      }
      before = isIn;
    });
    return before ? [...ends, across.at(-1)] : ends;
  }

  return function draw({ width, T, lam }) {
    const { counts, sums, calls } = run(width, T, lam);
    const margins = y.map((label, i) => label * sums[i] / (lam * T));
    let square = 0, loss = 0;
    margins.forEach((margin, i) => {
      square += counts[i] * margin / (lam * T);
      loss += Math.max(0, 1 - margin);
    });
    const readouts = {
      kept: counts.filter((count) => count > 0).length,
      mistakes: margins.filter((margin) => margin <= 0).length,
      objective: 0.5 * lam * square + loss / n,
      calls: calls.reduce((sum, call) => sum + call),
    };
    const grid = onGrid(width,
      y.map((label, i) => counts[i] * label / (lam * T)));
    const less = (side) => grid.map((row) => row.map((value) => value - side));
    return {
      rows: {
        points: y.map((label, i) => ({ x: x[2 * i], y: x[2 * i + 1],
          class: label > 0 ? "+1" : "−1", kept: counts[i] > 0 })),
        inside: strips(grid),
        lines: names.flatMap(([side, line]) =>
          contour(less(side)).map((row) => ({ ...row, line, side }))),
        cost: steps.filter((t) => t <= T)
          .map((t) => ({ t, calls: calls[t - 1] })),
        now: [{ t: T, calls: calls[T - 1] }],
      },
      readouts,
      summary: `After ${T.toLocaleString("en")} steps with width ` +
        `${PegasosLive.plain(width)} and λ = ${PegasosLive.plain(lam)} ` +
        `${readouts.kept} of ${n} examples are kept, mistakes: ` +
        `${readouts.mistakes}.`,
    };
  };
});
