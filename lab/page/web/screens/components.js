// Kernel principal components: the plane with level lines, and the points in their coordinates.
import { Plot } from '../plot.js';
import { around, boxOf, goProgram, kernelField, normal, pairs, planeColumns, planePoints, quote, random, round } from './shared.js';

function sample() {
  const r = random(9), xy = [];
  for (const [cx, cy] of [[-.5, -.2], [0, .6], [.5, 0]]) for (let i = 0; i < 25; i++) xy.push(round(cx + .1 * normal(r)), round(cy + .1 * normal(r)));
  return { xy };
}

export default {
  name: 'components', title: 'Components',
  about: 'Kernel principal components are the directions of the feature space in which the points vary most. In the plane each is a function; its levels are drawn.',
  start: () => ({ ...sample(), kernel: 'rbf(sigma=0.25)', components: 4, follow: false, px: .3, py: .4 }),
  fields: [kernelField, { name: 'components', label: 'Components', kind: 'number', from: 2, to: 8 },
    { name: 'follow', label: 'pre-image of the cursor', kind: 'check', decides: true },
    { name: 'px', label: 'Cursor, x', kind: 'number', from: -2, to: 2, step: .05, when: (s) => s.follow },
    { name: 'py', label: 'Cursor, y', kind: 'number', from: -2, to: 2, step: .05, when: (s) => s.follow }],
  // follow takes the cursor of the pointer over the first picture.
  cursor(s, x, y) {
    if (!s.follow) return false;
    s.px = round(x);
    s.py = round(y);
    return true;
  },
  points: planePoints(false), columns: planeColumns(false),
  request: (s, fast) => ({ points: pairs(s.xy), kernel: s.kernel, components: s.components, ...(s.follow && { at: [s.px, s.py] }), box: boxOf(s.xy, fast ? 30 : 60) }),
  draw(a, s, q) {
    const [x0, x1] = around(a.scores[0]), [y0, y1] = around(a.scores[1] ?? a.scores[0]);
    const image = new Plot({ title: 'The points in the first two components', x: 'z₁', y: 'z₂', box: { x0, x1, y0, y1 } });
    image.dots(a.scores[0], a.scores[1] ?? a.scores[0], 1, 3.5);
    const points = pairs(s.xy), xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    const figures = a.fields.map((f, j) => {
      const plot = new Plot({ title: `Component ${j + 1}`, x: 'x', y: 'y', box: q.box, width: 420, height: 320 }), most = Math.max(...f.map(Math.abs));
      plot.field(f, q.box.side, [-.6, -.3, 0, .3, .6].map((l) => l * most), most);
      let marks; // those of the first picture are moved
      if (j === 0) marks = points.map(([x, y]) => plot.mark(x, y, -1, { size: 2.5 }));
      else plot.dots(xs, ys, -1, 2.5);
      if (a.image) {
        plot.segment(s.px, s.py, ...a.image, 'lk curve');
        plot.mark(s.px, s.py, 0, { size: 5, name: 'the cursor' });
        plot.mark(...a.image, 1, { size: 6, ring: true, name: 'the pre-image of its projection' });
      }
      return { plot, marks, caption: `Component ${j + 1}: ${(100 * a.ratio[j]).toPrecision(3)} % of the variance.` };
    });
    figures.splice(1, 0, { plot: image, caption: 'The points by the first two components.' });
    if (a.image) figures[0].caption += ' Circle: the cursor; ringed square: the point whose image is nearest to the projection of the cursor on all components.';
    return figures;
  },
  command: (s) => `mercer embed kpca points.csv --raw '*' --kernel ${quote(s.kernel)} --components ${s.components} --plot components.png`,
  program: (s) => goProgram(['context', 'fmt', 'example.org/mercer/data', 'example.org/mercer/kernel/vec', 'example.org/mercer/unsupervised/kpca'], `xs, _ := data.NewVectors(${s.xy.length / 2}, 2, []float64{${s.xy.join(', ')}})
k, err := vec.Parse(${JSON.stringify(s.kernel)})
if err != nil {
	panic(err)
}
f, report, err := kpca.Fit(context.Background(), k, xs, kpca.Options{Components: ${s.components}})
fmt.Println(f, report, err)`),
};
