// A table of the reader: what a fit will take, and then how good it is.
import { Plot } from '../plot.js';
import { around, goProgram, kernels, quote, random } from './shared.js';

// The table at hand is no part of the address: it stays on this machine.
let table = sample();

function sample() {
  const r = random(5), names = ['size', 'rooms', 'place', 'price'], rows = [];
  for (let i = 0; i < 120; i++) {
    const size = 40 + 120 * r(), rooms = 1 + Math.floor(size / 35 + 1.5 * r()), place = ['town', 'village', 'coast'][Math.floor(3 * r())];
    rows.push([size.toFixed(1), String(rooms), place, (2 * size + 10 * rooms + (place === 'coast' ? 80 : place === 'town' ? 40 : 0) + 40 * Math.sin(size / 12) + 16 * (r() + r() + r() - 1.5)).toFixed(1)]);
  }
  return { name: 'houses, a made up table', names, rows };
}

const time = (seconds) => seconds < .001 ? 'less than a millisecond' : seconds < 1 ? `${Math.round(1000 * seconds)} ms` : `${seconds.toPrecision(2)} s`;
const bytes = (n) => n < 1 << 20 ? `${Math.ceil(n / 1024)} KiB` : `${(n / (1 << 20)).toPrecision(3)} MiB`;

function rowsOf(head, lines) {
  const node = document.createElement('table');
  for (const [kind, cells] of [['th', head], ...lines.map((l) => ['td', l])]) {
    const row = document.createElement('tr');
    cells.forEach((text, j) => row.append(Object.assign(document.createElement(text !== '' && (kind === 'th' || j === 0 && head[0] === '') ? 'th' : 'td'), { textContent: text })));
    node.append(row);
  }
  return node;
}

export default {
  name: 'table', title: 'Your table',
  about: 'Drop a CSV file with a head here, or choose one. The plan comes first; then ridge regression is judged by what it says of each row without it. Nothing leaves this machine.',
  start: () => ({ target: '', kernel: 'rbf(sigma=median)', fit: false }),
  fields: [
    { name: 'target', label: 'Column to predict', kind: 'choice', of: () => table.names.map((n) => [n, n]) },
    { name: 'kernel', label: 'Kernel, an expression', kind: 'text', suggest: kernels },
    { name: 'fit', label: 'Follow the plan: fit', kind: 'button', act: (s) => { s.fit = true; } },
  ],
  columns: {
    write: () => [table.names, ...table.rows].map((r) => r.map((c) => /[",\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c).join(',')).join('\n') + '\n',
    // take reads a whole table.
    take(s, text, name) {
      const cells = parse(text), names = cells.shift() ?? [];
      if (cells.length < 5 || names.length < 2) throw new Error('it has fewer than five rows or two columns, and a head with their names.');
      if (cells.length > 2000) throw new Error(`it has ${cells.length} rows; at most 2000 can be seen. mercer fit takes any number.`);
      const odd = cells.findIndex((r) => r.length !== names.length);
      if (odd >= 0) throw new Error(`row ${odd + 1} has ${cells[odd].length} cells, and the head ${names.length}.`);
      table = { name, names, rows: cells };
      s.target = names[names.length - 1];
      s.fit = false;
    },
  },
  // changed forgets the fit: another question has another plan.
  changed(s, name) { if (name !== 'fit') s.fit = false; },
  request: (s) => ({ names: table.names, cells: table.names.map((_, j) => table.rows.map((r) => r[j])), target: table.names.includes(s.target) ? s.target : table.names[table.names.length - 1], kernel: s.kernel, fit: s.fit }),
  draw(a, s, q) {
    const plan = { node: rowsOf(['', 'plan'], [['table', `${table.name}: ${a.rows} rows, ${q.names.length} columns`], ['to predict', q.target], ['prepared', a.prepared], ['features', a.features], ['kernel', a.kernel], ['memory', bytes(a.memory)], ['time', time(a.seconds)]]), wide: true, caption: a.fit ? 'What was planned.' : 'What a fit will take. Press “fit” to follow it.' };
    if (!a.fit) return [plan];
    const f = a.fit, figures = [];
    if (f.labels) figures.push({ node: rowsOf(['', ...f.labels.map((l) => `told ${l}`)], f.told.map((r, i) => [f.labels[i], ...r])), wide: true, caption: 'Rows: the label of a row. Columns: what the function says of it without it.' });
    else {
      const [x0, x1] = around(f.target.concat(f.left_out), .05), plot = new Plot({ title: 'What the function says of each row without it', x: q.target, y: 'said without the row', box: { x0, x1, y0: x0, y1: x1 } });
      plot.segment(x0, x0, x1, x1, 'ls dash');
      f.target.forEach((y, i) => plot.mark(y, f.left_out[i], 1, { size: 3, name: `row ${i + 1}` }));
      const off = f.target.map((y, i) => y - f.left_out[i]), [y0, y1] = around(off, .1), residuals = new Plot({ title: 'Errors', x: 'said without the row', y: 'error', box: { x0, x1, y0, y1 } });
      residuals.segment(x0, 0, x1, 0, 'ls dash');
      off.forEach((e, i) => residuals.mark(f.left_out[i], e, Math.abs(e) > 2.5 * f.rmse ? 0 : 1, { size: 3, name: `row ${i + 1}` }));
      figures.push({ plot, caption: 'Each point is a row.' }, { plot: residuals, caption: 'Orange: more than 2.5 times the root mean square error.' });
    }
    const at = f.path.map((p) => p.lambda), low = Math.min(...f.path.map((p) => p.loo)), path = new Plot({ title: 'Errors along λ', x: 'λ', y: 'error', log: true, box: { x0: at[0], x1: at[at.length - 1], y0: 0, y1: 4 * low } });
    path.line(at, f.path.map((p) => p.loo), 'l0').line(at, f.path.map((p) => p.train), 'l1 dash').rule(f.lambda);
    figures.push({ plot: path, caption: 'Orange: of each row without it, blue dashed: of the rows themselves. The rule is the λ with the least.' });
    return figures.concat(plan);
  },
  command: (s) => `mercer fit krr ${quote(table.name.endsWith('csv') ? table.name : 'table.csv')} --target ${quote(s.target || table.names[table.names.length - 1])} --missing mean --kernel ${quote(s.kernel)} --lambda-by loo -o model.mercer`,
  program: (s) => goProgram(['context', 'fmt', 'example.org/mercer', 'example.org/mercer/data/open', 'example.org/mercer/data/prep', 'example.org/mercer/learner/methods', 'example.org/mercer/supervised/krr', 'example.org/mercer/task'], `ctx := context.Background()
t, err := open.Read(ctx, "table.csv", open.Options{})
if err != nil {
	panic(err)
}
p, err := task.New(ctx, t, prep.Spec{Targets: []string{${JSON.stringify(s.target || table.names[table.names.length - 1])}}, Missing: prep.Mean}, ${JSON.stringify(s.kernel)})
if err != nil {
	panic(err)
}
m, err := mercer.Fit(ctx, p, methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}}, 1)
fmt.Println(m, err)`),
};

// parse reads CSV with quotes; the sign between cells is that of the head.
function parse(text) {
  const head = text.slice(0, text.indexOf('\n') >= 0 ? text.indexOf('\n') : undefined), comma = [',', ';', '\t'].find((c) => head.includes(c)) ?? ',';
  const rows = [];
  let row = [], cell = '', quoted = false;
  const end = () => { row.push(cell.trim()); cell = ''; };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') { cell += c; i++; } else if (c === '"') quoted = false; else cell += c;
    } else if (c === '"') quoted = true;
    else if (c === comma) end();
    else if (c === '\n') { end(); if (row.some((v) => v !== '')) rows.push(row); row = []; } else if (c !== '\r') cell += c;
  }
  end();
  if (row.some((v) => v !== '')) rows.push(row);
  return rows;
}
