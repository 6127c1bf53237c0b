// Clusters by k-means, kernel k-means, the spectrum of a graph, or a mixture, step by step.
import { Plot } from '../plot.js';
import { boxOf, goProgram, kernelField, pairs, normal, planeColumns, planePoints, quote, random, round } from './shared.js';

function sample() {
  const r = random(11), xy = [];
  for (let i = 0; i < 120; i++) {
    const at = 2 * Math.PI * r(), radius = (i % 2 ? 1.6 : .5) + .1 * normal(r);
    xy.push(round(radius * Math.cos(at)), round(radius * Math.sin(at)));
  }
  return { xy };
}

export default {
  name: 'clusters', title: 'Clusters',
  about: 'k-means divides by straight lines; with a kernel, or by the spectrum of a graph, rings come apart. Follow the steps one by one.',
  start: () => ({ method: 'kmeans', ...sample(), kernel: 'rbf(sigma=0.3)', clusters: 2, steps: 0, seed: 1 }),
  fields: [
    { name: 'method', label: 'Method', kind: 'choice', decides: true, of: [['kmeans', 'k-means'], ['kernel-kmeans', 'kernel k-means'], ['spectral', 'spectral clustering'], ['gmm', 'mixture of Gaussians']] },
    { ...kernelField, when: (s) => s.method === 'kernel-kmeans' || s.method === 'spectral' },
    { name: 'clusters', label: 'Clusters', kind: 'number', from: 1, to: 8 },
    { name: 'steps', label: 'Steps (0: to the end)', kind: 'number', from: 0, to: 30, when: (s) => s.method !== 'spectral' },
    { name: 'seed', label: 'Start elsewhere', kind: 'button', act: (s) => { s.seed++; } },
  ],
  points: planePoints(false), columns: planeColumns(false),
  request: (s) => ({ method: s.method, points: pairs(s.xy), kernel: s.kernel, clusters: s.clusters, steps: s.method === 'spectral' ? 0 : s.steps, seed: s.seed }),
  draw(a, s) {
    const plot = new Plot({ title: 'The clusters', x: 'x', y: 'y', box: boxOf(s.xy, 2), width: 820, height: 520 });
    (a.covariances ?? []).forEach((c, j) => plot.line(...ellipse(a.means[j], c), `l${j % 6}`));
    const marks = pairs(s.xy).map(([x, y], i) => plot.mark(x, y, a.labels[i], { size: 4 }));
    (a.means ?? []).forEach(([x, y]) => plot.mark(x, y, -1, { size: 5, ring: true }));
    return [{ plot, marks, wide: true, caption: 'Colours and shapes are clusters; ringed black points are their means' + (a.covariances ? ', ellipses two deviations.' : '.') }];
  },
  command: (s) => `mercer cluster ${s.method} points.csv --raw '*' ${s.method === 'kernel-kmeans' || s.method === 'spectral' ? `--kernel ${quote(s.kernel)} ` : ''}--clusters ${s.clusters} --seed ${s.seed} --plot clusters.png`,
  program: (s) => goProgram(['context', 'fmt', 'example.org/mercer/data', 'example.org/mercer/unsupervised/kmeans'], `xs, _ := data.NewVectors(${s.xy.length / 2}, 2, []float64{${s.xy.join(', ')}})
clusters, report, err := kmeans.FitVectors(context.Background(), xs, ${s.clusters}, kmeans.Options{Seed: ${s.seed}})
fmt.Println(clusters, report, err)`),
};

// ellipse is two deviations around a mean.
function ellipse([mx, my], [a, b, c]) {
  const l = Math.sqrt(a), m = b / l, n = Math.sqrt(Math.max(0, c - m * m)), x = [], y = [];
  for (let i = 0; i <= 60; i++) {
    const t = 2 * Math.PI * i / 60, u = 2 * Math.cos(t), v = 2 * Math.sin(t);
    x.push(mx + l * u);
    y.push(my + m * u + n * v);
  }
  return [x, y];
}
