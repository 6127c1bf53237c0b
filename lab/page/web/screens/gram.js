// The Gram matrix of points and its spectrum, with a doctor for kernels that are none.
import { Plot } from '../plot.js';
import { boxOf, goProgram, kernelField, normal, pairs, planeColumns, planePoints, quote, random, round } from './shared.js';

function sample() {
  const r = random(5), xy = [];
  for (const [cx, cy] of [[-1, 0], [1, .5], [.2, -1]]) for (let i = 0; i < 10; i++) xy.push(round(cx + .3 * normal(r)), round(cy + .3 * normal(r)));
  return { xy };
}

export default {
  name: 'gram', title: 'Gram matrix',
  about: 'All that a kernel method knows of its points are these numbers, k(xᵢ, xⱼ). A kernel is positive definite where no eigenvalue can be negative.',
  start: () => ({ ...sample(), kernel: 'rbf(sigma=1)', centre: false }),
  fields: [kernelField, { name: 'centre', label: 'centred: K less the means of rows and columns', kind: 'check' }],
  points: planePoints(false), columns: planeColumns(false),
  request: (s) => ({ points: pairs(s.xy), kernel: s.kernel, centre: s.centre }),
  draw(a, s) {
    const plot = new Plot({ title: 'The points', x: 'x', y: 'y', box: boxOf(s.xy, 2), height: 420 });
    const marks = pairs(s.xy).map(([x, y], i) => plot.mark(x, y, 1, { size: 5, name: `point ${i + 1}` }));
    const n = a.matrix.length, most = Math.max(...a.matrix.flat().map(Math.abs)) || 1;
    const matrix = new Plot({ title: 'The Gram matrix', x: 'column j', y: 'row i, from below', box: { x0: .5, x1: n + .5, y0: .5, y1: n + .5 }, whole: true, height: 420 });
    matrix.field(a.matrix.flat(), n, [], most, true);
    const spectrum = new Plot({ title: 'The eigenvalues', x: 'number', y: 'λᵢ', box: { x0: 0, x1: n + 1, y0: Math.min(0, a.spectrum[n - 1]) * 1.1, y1: Math.max(...a.spectrum) * 1.05 || 1 } });
    spectrum.segment(0, 0, n + 1, 0, 'ls');
    a.spectrum.forEach((v, i) => spectrum.mark(i + 1, v, v < 0 ? 0 : 1, { size: 3 }));
    matrix.svg.addEventListener('pointermove', (e) => {
      const [j, i] = matrix.at(e).map(Math.round);
      marks.forEach((m, k) => m.classList.toggle('c0', k + 1 === i || k + 1 === j));
    });
    return [{ plot, marks, caption: 'Points that the pointer names in the matrix are orange.' }, { plot: matrix, caption: `Blue is positive, orange negative, up to ${most.toPrecision(3)}.` }, { plot: spectrum, caption: 'Orange circles: negative eigenvalues.' }];
  },
  command: (s) => `mercer gram points.csv --raw '*' --kernel ${quote(s.kernel)} --plot gram.png`,
  program: (s) => goProgram(['context', 'fmt', 'example.org/mercer/compute', 'example.org/mercer/data', 'example.org/mercer/gram', 'example.org/mercer/kernel', 'example.org/mercer/kernel/vec'], `xs, _ := data.NewVectors(${s.xy.length / 2}, 2, []float64{${s.xy.join(', ')}})
k, err := vec.Parse(${JSON.stringify(s.kernel)})
if err != nil {
	panic(err)
}
g, err := gram.Dense(context.Background(), kernel.Bind(k, xs, xs), compute.Options{})
fmt.Println(g, err)`),
};
