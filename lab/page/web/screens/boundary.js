// Classification in the plane by support vectors, logistic regression or Fisher's discriminant.
import { Plot } from '../plot.js';
import { boxOf, goProgram, kernelField, kernels, normal, pairs, planeColumns, planePoints, quote, random, round } from './shared.js';

function sample() {
  const r = random(3), xy = [], labels = [];
  for (let i = 0; i < 60; i++) {
    const l = i % 2, at = Math.PI * r();
    xy.push(round((l ? 1 - Math.cos(at) : Math.cos(at)) + .22 * normal(r)), round((l ? .4 - Math.sin(at) : Math.sin(at)) + .22 * normal(r)));
    labels.push(l);
  }
  return { xy, labels };
}

export default {
  name: 'boundary', title: 'Classification',
  about: 'The line is where the function is 0; thin lines are −1 and 1. Large points carry the function: for a support vector machine most points are none of them.',
  start: () => ({ method: 'svc', ...sample(), kernel: 'rbf(sigma=0.7)', other: '', c: 1, lambda: 1e-3 }),
  fields: [
    { name: 'method', label: 'Method', kind: 'choice', decides: true, of: [['svc', 'support vector machine'], ['klr', 'logistic regression'], ['kfda', 'Fisher’s discriminant']] },
    kernelField,
    { name: 'other', label: 'A kernel beside it, or none', kind: 'text', suggest: kernels },
    { name: 'c', label: 'Penalty C of errors', kind: 'log', from: -3, to: 4, when: (s) => s.method === 'svc' },
    { name: 'lambda', label: 'Penalty λ', kind: 'log', from: -8, to: 1, when: (s) => s.method !== 'svc' },
  ],
  points: planePoints(true), columns: planeColumns(true),
  request: (s, fast) => ({ method: s.method, points: pairs(s.xy), labels: s.labels, kernel: s.kernel, other: s.other.trim(), ...(s.method === 'svc' ? { c: s.c } : { lambda: s.lambda }), box: boxOf(s.xy, fast ? 48 : 120) }),
  draw(a, s, q) {
    const figure = (of, title, wide) => {
      const plot = new Plot({ title, x: 'x', y: 'y', box: q.box, width: wide ? 820 : 520, height: wide ? 520 : 440 });
      plot.field(of.field, q.box.side, [-1, 0, 1], 2);
      const marks = pairs(s.xy).map(([x, y], i) => plot.mark(x, y, s.labels[i], { size: 3.5 + 4 * of.weights[i], ring: of.bounded?.[i], crossed: of.wrong[i] }));
      return { plot, marks, wide };
    };
    const read = 'Circles have the label 0, squares 1. Crossed out: on the other side. ' + (a.bounded ? 'Ringed: at the bound C. ' : '') + 'Size: the share of the coefficient |α|.';
    if (!a.other) return [{ ...figure(a, 'The boundary', true), caption: read }];
    return [{ ...figure(a, 'The boundary, first kernel', false), caption: `${a.kernel}. ${read}` }, { plot: figure(a.other, 'The boundary, second kernel', false).plot, caption: `${a.other.kernel}.` }];
  },
  command: (s) => `mercer fit ${s.method} points.csv --target label --raw '*' --kernel ${quote(s.kernel)} ${s.method === 'svc' ? `--C ${s.c}` : `--lambda ${s.lambda}`} -o points.mercer`,
  program: (s) => goProgram(['context', 'fmt', 'example.org/mercer/data', 'example.org/mercer/kernel/vec', 'example.org/mercer/supervised/' + { svc: 'svm', klr: 'klr', kfda: 'kfda' }[s.method]], `xs, _ := data.NewVectors(${s.labels.length}, 2, []float64{${s.xy.join(', ')}})
labels := []int{${s.labels.join(', ')}}
k, err := vec.Parse(${JSON.stringify(s.kernel)})
if err != nil {
	panic(err)
}
f, report, err := ${s.method === 'svc' ? `svm.Fit(context.Background(), k, xs, labels, svm.Options{C: ${s.c}})` : `${s.method}.Fit(context.Background(), k, xs, labels, ${s.method}.Options{Lambda: ${s.lambda}})`}
fmt.Println(f, report, err)`),
};
