// A kernel: why it is one, its sections, and functions that a Gaussian process draws with it.
import { Plot } from '../plot.js';
import { around, goProgram, kernelField, quote } from './shared.js';

function tree(d) {
  const li = document.createElement('li'), ul = document.createElement('ul');
  li.append(Object.assign(document.createElement('code'), { textContent: d.kernel }), `: ${d.verdict}. ${d.reason}`);
  ul.className = 'tree';
  ul.append(...(d.from ?? []).map(tree));
  if (d.from?.length) li.append(ul);
  return li;
}

export default {
  name: 'workshop', title: 'Kernel',
  about: 'A point x becomes the function k(x, ·). Write an expression of kernels: sums, products and powers of kernels are kernels.',
  start: () => ({ kernel: 'rbf(sigma=0.7)', from: -3, to: 3, at: [-1, 0.5, 2], draws: 3, seed: 1 }),
  fields: [
    kernelField,
    { name: 'draws', label: 'Functions drawn from the process', kind: 'number', from: 0, to: 8 },
    { name: 'seed', label: 'Draw others', kind: 'button', act: (s) => { s.seed++; } },
    { name: 'to', label: 'From −a to a', kind: 'number', from: 1, to: 10, step: .5 },
  ],
  request: (s, fast) => ({ kernel: s.kernel, from: -s.to, to: s.to, grid: fast ? 120 : 240, at: s.at, draws: s.draws, seed: s.seed }),
  draw(a, s) {
    const [y0, y1] = around(a.sections.flat().concat(0), .1);
    const plot = new Plot({ title: 'Sections of the kernel', x: 't', y: 'k(x, t)', box: { x0: -s.to, x1: s.to, y0, y1 } });
    a.sections.forEach((f, i) => { plot.line(a.at, f, `l${i}` + (i % 2 ? ' dash' : '')); plot.rule(s.at[i], `l${i} thin`); });
    const figures = [{ plot, caption: `k(x, ·) at x = ${s.at.join(', ')}, marked by rules.` }];
    if (a.draws) {
      const [d0, d1] = around(a.draws.flat(), .1), draws = new Plot({ title: 'Functions drawn', x: 't', y: 'f(t)', box: { x0: -s.to, x1: s.to, y0: d0, y1: d1 } });
      a.draws.forEach((f, i) => draws.line(a.at, f, `l${i % 6}` + (i % 2 ? ' dash' : '')));
      figures.push({ plot: draws, caption: 'Functions of a Gaussian process whose covariance is the kernel.' });
    }
    const node = document.createElement('div'), list = document.createElement('ul');
    list.className = 'tree';
    list.append(tree(a.derivation));
    node.append(list);
    if (a.no_draws) node.append(Object.assign(document.createElement('p'), { textContent: 'No functions are drawn: ' + a.no_draws }));
    if (a.parameters.length) node.append(Object.assign(document.createElement('p'), { textContent: 'Parameters: ' + a.parameters.map((p) => `${p.name} = ${+p.value.toPrecision(4)}` + (p.name === 'sigma' ? ` (γ = ${+(1 / (2 * p.value ** 2)).toPrecision(4)} of scikit-learn’s rbf)` : '')).join(', ') }));
    figures.push({ node, wide: true, caption: 'Why it is a kernel, or why nothing proves it.' });
    return figures;
  },
  command: (s) => `mercer kernel ${quote(s.kernel)} --at ${s.at.join(',')} --plot kernel.png`,
  program: (s) => goProgram(['fmt', 'example.org/mercer/kernel', 'example.org/mercer/kernel/vec'], `k, err := vec.Parse(${JSON.stringify(s.kernel)})
if err != nil {
	panic(err)
}
fmt.Println(k.Eval([]float64{0}, []float64{1}), kernel.Derive(k))`),
};
