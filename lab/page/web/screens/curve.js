// Regression: points on a line, the function, its path along λ, the spectrum; or a Gaussian process.
import { Plot } from '../plot.js';
import { numeric } from '../state.js';
import { around, goProgram, kernelField, normal, quote, random, round } from './shared.js';

function sample() {
  const r = random(7), x = [], y = [];
  for (let i = 0; i < 30; i++) {
    x.push(round(6 * r()));
    y.push(round(Math.sin(1.6 * x[i]) + .2 * x[i] + .18 * normal(r)));
  }
  return { x, y };
}

export default {
  name: 'curve', title: 'Regression',
  about: 'Ridge regression seeks the f with the least mean of (yᵢ − f(xᵢ))² + λ‖f‖². A Gaussian process says how sure it is. Move points and sliders.',
  start: () => ({ method: 'krr', ...sample(), kernel: 'rbf(sigma=1)', lambda: 1e-3, noise: .03, samples: 0, seed: 1, parts: false }),
  fields: [
    { name: 'method', label: 'Method', kind: 'choice', decides: true, of: [['krr', 'ridge regression'], ['gp', 'Gaussian process']] },
    kernelField,
    { name: 'lambda', label: 'Penalty λ', kind: 'log', from: -9, to: 1, when: (s) => s.method === 'krr' },
    { name: 'parts', label: 'show the terms αᵢ k(x, xᵢ)', kind: 'check', when: (s) => s.method === 'krr' },
    { name: 'noise', label: 'Variance of the noise', kind: 'log', from: -6, to: 1, when: (s) => s.method === 'gp' },
    { name: 'samples', label: 'Functions drawn from the posterior', kind: 'number', from: 0, to: 10, when: (s) => s.method === 'gp' },
    { name: 'seed', label: 'Draw others', kind: 'button', act: (s) => { s.seed++; }, when: (s) => s.method === 'gp' },
  ],
  points: {
    count: (s) => s.x.length,
    get: (s, i) => [s.x[i], s.y[i]],
    set(s, i, x, y) { s.x = s.x.with(i, round(x)); s.y = s.y.with(i, round(y)); },
    add(s, x, y) { s.x = [...s.x, round(x)]; s.y = [...s.y, round(y)]; },
    remove(s, i) { s.x = s.x.toSpliced(i, 1); s.y = s.y.toSpliced(i, 1); },
    say: (s, i) => `Point ${i + 1}: x ${s.x[i]}, y ${s.y[i]}`,
  },
  columns: {
    names: ['x', 'y'],
    write: (s) => 'x,y\n' + s.x.map((x, i) => `${x},${s.y[i]}`).join('\n') + '\n',
    read(s, { rows }) { const x = rows.map((r, i) => numeric(r[0], i)), y = rows.map((r, i) => numeric(r[1], i)); s.x = x; s.y = y; },
  },
  request(s, fast) {
    const [from, to] = around(s.x, .1), common = { method: s.method, x: s.x, y: s.y, kernel: s.kernel, from, to, grid: fast ? 120 : 300 };
    return s.method === 'krr' ? { ...common, lambda: s.lambda } : { ...common, noise: s.noise, samples: s.samples, seed: s.seed };
  },
  draw(a, s, q) {
    const [x0, x1] = around(s.x, .1), [y0, y1] = around([...s.y], .3);
    const plot = new Plot({ title: 'The function and the points', x: 'x', y: 'f(x)', box: { x0, x1, y0, y1 }, width: 820, height: 400 });
    if (a.low) plot.band(a.at, a.low, a.high);
    (a.draws ?? []).forEach((d, i) => plot.line(a.at, d, `l${2 + i % 4} thin`));
    if (s.parts && a.coefficients) s.x.forEach((x, i) => plot.segment(x, a.bias, x, a.bias + a.coefficients[i] * .02 / Math.max(1e-9, s.lambda), 'ls thin'));
    plot.line(a.at, a.f, 'l1');
    const marks = s.x.map((x, i) => plot.mark(x, s.y[i], -1, { name: a.left_out && q.grid > 120 ? `without it the function misses by ${a.left_out[i].toPrecision(3)}` : '', ring: a.left_out && Math.abs(a.left_out[i]) > 2.5 * a.loo }));
    const figures = [{ plot, marks, wide: true, caption: a.left_out ? 'Ringed: points that the function misses by more than 2.5 times the leave-one-out error when it is fitted without them.' : 'The band is two deviations of the function on either side of its mean.' }];
    if (a.path) figures.push(...this.path(a, s));
    return figures;
  },
  path(a, s) {
    const at = a.path.map((p) => p.lambda), values = a.path.flatMap((p) => [p.loo, p.train]).filter(Number.isFinite);
    const errors = new Plot({ title: 'Errors along λ', x: 'λ', y: 'error', log: true, box: { x0: 1e-9, x1: 10, y0: 0, y1: Math.min(Math.max(...values), 4 * Math.min(...a.path.map((p) => p.loo))) * 1.05 } });
    errors.line(at, a.path.map((p) => p.loo), 'l0').line(at, a.path.map((p) => p.train), 'l1 dash').line(at, a.path.map((p) => p.gcv), 'l2 thin').rule(s.lambda);
    const logs = a.spectrum.map((v) => Math.log10(Math.max(v, 1e-17)));
    const spectrum = new Plot({ title: 'Eigenvalues of the Gram matrix', x: 'number', y: 'log₁₀ λᵢ', box: { x0: 0, x1: logs.length + 1, y0: Math.max(-17, Math.min(...logs)) - .5, y1: Math.max(...logs) + .5 } });
    spectrum.dots(logs.map((_, i) => i + 1), logs, 1, 2.5);
    const ridge = Math.log10(s.x.length * s.lambda);
    spectrum.segment(0, ridge, logs.length + 1, ridge, 'ls dash');
    return [
      { plot: errors, caption: 'Orange: leave-one-out error, blue dashed: of the points themselves, green: generalised cross-validation. The rule is λ.' },
      { plot: spectrum, caption: 'Directions with an eigenvalue far above the dashed nλ are fitted, those far below are not.' },
    ];
  },
  command: (s) => s.method === 'krr' ? `mercer fit krr points.csv --target y --raw x --kernel ${quote(s.kernel)} --lambda ${s.lambda} --loo -o points.mercer` : `mercer fit gp points.csv --target y --raw x --kernel ${quote(s.kernel)} --noise ${s.noise} -o points.mercer`,
  program: (s) => s.method === 'krr' ? goProgram(['context', 'fmt', 'gonum.org/v1/gonum/mat', 'example.org/mercer/data', 'example.org/mercer/kernel/vec', 'example.org/mercer/supervised/krr'], `x := []float64{${s.x.join(', ')}}
y := []float64{${s.y.join(', ')}}
xs, _ := data.NewVectors(len(x), 1, x)
k, err := vec.Parse(${JSON.stringify(s.kernel)})
if err != nil {
	panic(err)
}
f, report, err := krr.Fit(context.Background(), k, xs, mat.NewDense(len(y), 1, y), krr.Options{Lambda: ${s.lambda}, LOO: true})
fmt.Println(f, report, err)`) : goProgram(['context', 'fmt', 'example.org/mercer/data', 'example.org/mercer/kernel/vec', 'example.org/mercer/supervised/gp'], `x := []float64{${s.x.join(', ')}}
y := []float64{${s.y.join(', ')}}
xs, _ := data.NewVectors(len(x), 1, x)
k, err := vec.Parse(${JSON.stringify(s.kernel)})
if err != nil {
	panic(err)
}
f, report, err := gp.Fit(context.Background(), k, xs, y, gp.Options{Noise: ${s.noise}})
fmt.Println(f, report, err)`),
};
