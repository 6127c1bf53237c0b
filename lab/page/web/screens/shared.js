// What screens share: kernels to choose from, boxes around points, and points in the plane.
import { numeric } from '../state.js';

export const kernels = ['rbf(sigma=1)', 'rbf(sigma=median)', 'laplace(sigma=1)', 'laplace1(sigma=1)', 'matern(nu=1.5, sigma=1)', 'rq(alpha=1, sigma=1)', 'linear', 'poly(degree=3, offset=1)', 'arccos(order=1, depth=2)', 'ntk(depth=2)', 'rbf(sigma=1) + linear', 'tanh(scale=1, offset=-1)'];
export const kernelField = { name: 'kernel', label: 'Kernel, an expression', kind: 'text', suggest: kernels };

// around is a box of numbers with a margin.
export function around(values, margin = .15) {
  const low = Math.min(...values), high = Math.max(...values), by = (high - low || 1) * margin;
  return [low - by, high + by];
}

// random numbers that a seed repeats (mulberry32).
export function random(seed) {
  return () => {
    seed = seed + 0x6D2B79F5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}
export const normal = (r) => Math.sqrt(-2 * Math.log(1 - r())) * Math.cos(2 * Math.PI * r());

export const round = (v) => +v.toFixed(3);
export const pairs = (list) => Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i], list[2 * i + 1]]);
export const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// planePoints are x, y of a state's list xy, with labels where there are such.
export const planePoints = (labelled) => ({
  count: (s) => s.xy.length / 2,
  get: (s, i) => [s.xy[2 * i], s.xy[2 * i + 1]],
  set(s, i, x, y) { s.xy = s.xy.with(2 * i, round(x)).with(2 * i + 1, round(y)); },
  add(s, x, y, other) {
    s.xy = [...s.xy, round(x), round(y)];
    if (labelled) s.labels = [...s.labels, other ? 1 : 0];
  },
  remove(s, i) {
    s.xy = s.xy.toSpliced(2 * i, 2);
    if (labelled) s.labels = s.labels.toSpliced(i, 1);
  },
  ...(labelled && { turn(s, i) { s.labels = s.labels.with(i, 1 - s.labels[i]); } }),
  say: (s, i) => `Point ${i + 1} at ${s.xy[2 * i]}, ${s.xy[2 * i + 1]}` + (labelled ? `, label ${s.labels[i]}` : ''),
});

export const planeColumns = (labelled) => ({
  names: labelled ? ['x', 'y', 'label'] : ['x', 'y'],
  write: (s) => (labelled ? 'x,y,label\n' : 'x,y\n') + pairs(s.xy).map((p, i) => p.concat(labelled ? [s.labels[i]] : []).join(',')).join('\n') + '\n',
  read(s, { rows }) {
    const xy = rows.flatMap((r, i) => [numeric(r[0], i), numeric(r[1], i)]);
    if (labelled) {
      const names = [...new Set(rows.map((r) => r[2]))].sort();
      if (names.length !== 2) throw new Error(`its third column has ${names.length} labels; two are told apart here.`);
      s.labels = rows.map((r) => names.indexOf(r[2]));
    }
    s.xy = xy;
  },
});

// boxOf is a square box around points of the plane.
export function boxOf(xy, side) {
  const p = pairs(xy), [x0, x1] = around(p.map((q) => q[0])), [y0, y1] = around(p.map((q) => q[1]));
  return { x0: round(x0), x1: round(x1), y0: round(y0), y1: round(y1), side };
}

export const goProgram = (imports, body) => `package main

import (
${imports.map((i) => `\t"${i}"`).join('\n')}
)

func main() {
${body.split('\n').map((l) => l && '\t' + l).join('\n')}
}
`;
