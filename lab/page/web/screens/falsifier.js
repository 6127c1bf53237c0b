// The falsifier: a function of x and y, and the hunt for points that prove it to be no kernel.
import { Plot } from '../plot.js';
import { goProgram, quote } from './shared.js';

export default {
  name: 'falsifier', title: 'Falsifier',
  about: 'k is a kernel if Σ aᵢaⱼk(xᵢ, xⱼ) is never negative. Type a function of x and y: the search looks for points and coefficients that make it so, and proves them in exact numbers.',
  start: () => ({ formula: 'exp(-abs(x - y)^3)', domain: 'reals', seed: 1 }),
  fields: [
    { name: 'formula', label: 'k(x, y) =', kind: 'text', suggest: ['max(x, y)', 'min(x, y)', 'cos(x + y)', 'cos(x - y)', 'exp(x*y)', 'exp(-abs(x - y)^3)', 'log(1 + x*y)', '(x + y)^2', '1/(1 + x*y)', 'sqrt(x*y)'] },
    { name: 'domain', label: 'x and y are', kind: 'choice', of: [['reals', 'any numbers'], ['positive', 'positive'], ['unit', 'from 0 to 1'], ['naturals', '0, 1, 2, …'], ['integers', 'integers']] },
    { name: 'seed', label: 'Search elsewhere', kind: 'button', act: (s) => { s.seed++; } },
  ],
  request: (s) => ({ formula: s.formula, domain: s.domain, seed: s.seed }),
  draw(a) {
    const w = a.witness, node = document.createElement('div');
    const text = Object.assign(document.createElement('pre'), { textContent: a.report, tabIndex: 0 });
    text.setAttribute('aria-label', 'The report');
    node.append(text);
    const matrix = w?.gram ?? [[0]], n = matrix.length, most = Math.max(...matrix.flat().map(Math.abs)) || 1;
    const plot = new Plot({ title: 'The matrix of the counter-example', x: 'j', y: 'i, from below', box: { x0: .5, x1: n + .5, y0: .5, y1: n + .5 }, whole: true, width: 400, height: 340 });
    if (n > 1) plot.field(matrix.flat(), n, [], most, true);
    if (w) matrix.forEach((row, i) => row.forEach((v, j) => plot.note(j + 1, i + 1, String(+v.toPrecision(4)))));
    return [{ plot, caption: w ? `Points ${w.points.map((p) => p.join(', ')).join('; ')}` + (w.coefficients ? ` with coefficients ${w.coefficients.join(', ')}: Σ aᵢaⱼk = ${w.exact ?? w.value} < 0.` : ': not symmetric.') : 'No counter-example was found.' }, { node, wide: true, caption: 'What was tried.' }];
  },
  command: (s) => `mercer check ${quote(`formula("${s.formula}")`)} --domain ${s.domain} --seed ${s.seed}`,
  program: (s) => goProgram(['context', 'fmt', 'example.org/mercer/kernel/check', 'example.org/mercer/kernel/vec'], `k, err := vec.Parse(${JSON.stringify(`formula("${s.formula}")`)})
if err != nil {
	panic(err)
}
domain, _ := check.ParseDomain("${s.domain}")
report, err := check.Run(context.Background(), k, check.Options{Domain: domain, Seed: ${s.seed}})
fmt.Println(report, err)`),
};
