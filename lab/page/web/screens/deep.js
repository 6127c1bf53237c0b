// A network before a kernel: both functions in the plane, and what the network makes of the points.
import { Plot } from '../plot.js';
import { around, boxOf, goProgram, normal, pairs, planeColumns, planePoints, random, round } from './shared.js';

function sample() {
  const r = random(11), xy = [], labels = [];
  for (let i = 0; i < 120; i++) {
    const l = i % 2, at = .4 + 2.4 * Math.sqrt(r()), angle = 1.9 * at + Math.PI * l;
    xy.push(round(at * Math.cos(angle) + .08 * normal(r)), round(at * Math.sin(angle) + .08 * normal(r)));
    labels.push(l);
  }
  return { xy, labels };
}

export default {
  name: 'deep', title: 'Deep kernel',
  about: 'A deep kernel compares images φ(x) of points by a network, whose weights are found with the function. Here it has two layers, the second of two units, so that the images can be drawn.',
  start: () => ({ ...sample(), sigma: 1, hidden: 24, steps: 80, seed: 3 }),
  fields: [
    { name: 'steps', label: 'Steps of learning', kind: 'number', from: 1, to: 200 },
    { name: 'hidden', label: 'Units of the first layer', kind: 'number', from: 1, to: 64 },
    { name: 'sigma', label: 'Width σ of the Gaussian kernel', kind: 'log', from: -1, to: 1 },
    { name: 'seed', label: 'Another first network', kind: 'button', act: (s) => { s.seed++; } },
  ],
  points: planePoints(true), columns: planeColumns(true),
  request: (s, fast) => ({ points: pairs(s.xy), labels: s.labels, sigma: s.sigma, hidden: s.hidden, steps: fast ? Math.min(s.steps, 20) : s.steps, seed: s.seed, box: boxOf(s.xy, fast ? 40 : 80) }),
  draw(a, s, q) {
    const field = (title, values) => {
      const plot = new Plot({ title, x: 'x₁', y: 'x₂', box: q.box, width: 520, height: 420 });
      plot.field(values, q.box.side, [0], 2);
      return { plot, marks: pairs(s.xy).map(([x, y], i) => plot.mark(x, y, s.labels[i], { size: 4 })) };
    };
    const images = (title, [u, v]) => {
      const [x0, x1] = around(u), [y0, y1] = around(v), plot = new Plot({ title, x: 'φ₁(x)', y: 'φ₂(x)', box: { x0, x1, y0, y1 } });
      u.forEach((x, i) => plot.mark(x, v[i], s.labels[i], { size: 3.5 }));
      return plot;
    };
    const steps = a.errors.map((_, i) => i), errors = new Plot({ title: 'Errors while it learns', x: 'step', y: 'mean squared error', box: { x0: 0, x1: Math.max(1, steps.length - 1), y0: 0, y1: Math.max(...a.errors) * 1.05 || 1 }, width: 820, height: 240 });
    errors.line(steps, a.errors, 'l1').rule(a.best);
    return [
      { ...field('With the network', a.deep), caption: 'With the network. Circles have the label 0, squares 1; the line is where the function is 0.' },
      { plot: field('Without a network', a.plain).plot, caption: 'The same Gaussian kernel without it.' },
      { plot: images('Images by the first network', a.before), caption: 'The points as the first, drawn network sees them,' },
      { plot: images('Images by the network that was learned', a.after), caption: 'and as the one that was learned does.' },
      { plot: errors, wide: true, caption: 'Every tenth point judges the steps and is not learned from. The rule is the step that is kept.' },
    ];
  },
  command: (s) => `mercer fit krr points.csv --target label --raw '*' --kernel 'deep(of=rbf(sigma=${s.sigma}), widths=[${s.hidden}, 2], activation=tanh)' --network-steps ${s.steps} -o points.mercer`,
  program: (s) => goProgram(['context', 'fmt', 'gonum.org/v1/gonum/mat', 'example.org/mercer/data', 'example.org/mercer/kernel/deep', 'example.org/mercer/kernel/vec', 'example.org/mercer/rkhs/gradients', 'example.org/mercer/supervised/dkl'], `xs, _ := data.NewVectors(${s.labels.length}, 2, []float64{${s.xy.join(', ')}})
codes := mat.NewDense(${s.labels.length}, 1, []float64{${s.labels.map((l) => 2 * l - 1).join(', ')}})
of := vec.RBF{Sigma: ${s.sigma}}
k, err := deep.NewKernel(of, []int{${s.hidden}, 2}, deep.Tanh, nil, ${s.seed})
if err != nil {
	panic(err)
}
form, _ := vec.RadialSlope(of)
learned, report, err := dkl.Learn(context.Background(), k, gradients.Radial(form), xs, codes, dkl.Options{Lambda: 1e-3, Steps: ${s.steps}})
fmt.Println(learned, report, err)`),
};
