// Two graphs, and the colours of Weisfeiler and Lehman round by round.
import { Plot } from '../plot.js';
import { around, goProgram, pairs, planePoints, quote, round } from './shared.js';

const letters = ['C', 'O'];

// edges reads pairs of nodes, counted from 1.
function edges(text, count) {
  return text.split(/[\s,;]+/).filter(Boolean).map((e) => {
    const ends = e.split('-').map(Number);
    if (ends.length !== 2 || !ends.every((v) => Number.isInteger(v) && v >= 1 && v <= count)) throw new Error(`“${e}” is no edge: write two of the nodes 1 to ${count}, such as 1-2.`);
    return ends.map((v) => v - 1);
  });
}

// split takes the nodes on the left for the graph A, those on the right for B.
function split(s) {
  const at = pairs(s.xy), all = edges(s.edges, at.length), sides = at.map(([x]) => x < 0 ? 'a' : 'b'), place = [], graphs = { a: { labels: [], edges: [] }, b: { labels: [], edges: [] } };
  sides.forEach((side, i) => { place.push(graphs[side].labels.length); graphs[side].labels.push(letters[s.labels[i]]); });
  for (const [u, v] of all) {
    if (sides[u] !== sides[v]) throw new Error(`Edge ${u + 1}-${v + 1} joins the two graphs: both ends belong on one side of the line.`);
    graphs[sides[u]].edges.push([place[u], place[v]]);
  }
  return { ...graphs, sides, place, all };
}

const base = planePoints(true);
const line = (g) => JSON.stringify({ nodes: g.labels.length, edges: g.edges, node: { label: g.labels } });

export default {
  name: 'graphs', title: 'Graphs',
  about: 'In each round the colour of a node becomes what it was, with the colours of its neighbours. The kernel counts pairs of nodes of the two graphs with the same colour, in all rounds.',
  start: () => ({
    xy: [-3, 1, -2, 1.6, -1, 1, -1, 0, -2, -.6, -3, 0, 1, 1.4, 2.2, 1.4, 1.6, .6, 1, -.6, 2.2, -.6, 1.6, .2].map(round),
    labels: new Array(12).fill(0), edges: '1-2 2-3 3-4 4-5 5-6 6-1 7-8 8-9 9-7 10-11 11-12 12-10', rounds: 3,
  }),
  fields: [
    { name: 'rounds', label: 'Rounds', kind: 'number', from: 0, to: 8 },
    { name: 'edges', label: 'Edges, pairs of nodes', kind: 'text', long: true },
  ],
  points: {
    ...base,
    remove(s, i) { // edges of the node go, and the numbers above it
      const left = s.edges.split(/[\s,;]+/).filter(Boolean).map((e) => e.split('-').map(Number)).filter((e) => !e.includes(i + 1));
      s.edges = left.map((e) => e.map((v) => v > i + 1 ? v - 1 : v).join('-')).join(' ');
      base.remove(s, i);
    },
    say: (s, i) => `Node ${i + 1} of graph ${s.xy[2 * i] < 0 ? 'A' : 'B'}, ${letters[s.labels[i]]}, at ${s.xy[2 * i]}, ${s.xy[2 * i + 1]}`,
  },
  request(s) {
    const { a, b } = split(s);
    return { a, b, rounds: s.rounds };
  },
  draw(a, s) {
    const { sides, place, all } = split(s), at = pairs(s.xy), last = a.rounds[a.rounds.length - 1], [x0, x1] = around(at.map((p) => p[0]).concat(-1, 1)), [y0, y1] = around(at.map((p) => p[1]), .25);
    const plot = new Plot({ title: 'The two graphs', x: 'graph A left of the line, B right of it', y: '', box: { x0, x1, y0, y1 }, width: 820, height: 380 });
    plot.rule(0);
    for (const [u, v] of all) plot.segment(...at[u], ...at[v], 'ls curve');
    const colour = (r, i) => r[sides[i]][place[i]];
    const marks = at.map(([x, y], i) => {
      const c = colour(last, i), both = last.colours[c].in_a > 0 && last.colours[c].in_b > 0;
      const mark = plot.mark(x, y, c, { size: 8, ring: both, name: `colour ${c + 1} of round ${s.rounds}` });
      plot.note(x, y + (y1 - y0) * .06, `${i + 1} ${letters[s.labels[i]]}`);
      return mark;
    });
    const node = document.createElement('table'), head = document.createElement('tr');
    for (const text of ['round', 'colours', 'in both', 'nodes of A × nodes of B, by colour', 'adds']) head.append(Object.assign(document.createElement('th'), { textContent: text, scope: 'col' }));
    node.append(head);
    a.rounds.forEach((r, i) => {
      const row = document.createElement('tr'), both = r.colours.filter((c) => c.in_a && c.in_b);
      for (const text of [i, r.colours.length, both.length, both.map((c) => `${c.in_a} × ${c.in_b}`).join(' + ') || '0', r.adds]) row.append(Object.assign(document.createElement('td'), { textContent: text }));
      node.append(row);
    });
    return [{ plot, marks, wide: true, caption: 'Shape and colour: the colour of the last round. Ringed: it is in both graphs. A double click, or Space, turns C into O.' }, { node, wide: true, caption: 'The kernel is the sum of the last column.' }];
  },
  command(s) {
    try {
      const { a, b } = split(s);
      return `printf '%s\\n' ${quote(line(a))} ${quote(line(b))} > graphs.jsonl\nmercer gram graphs.jsonl --kernel 'wl(h=${s.rounds})' -o gram.npy`;
    } catch (e) { return `# mercer gram: ${e.message}`; }
  },
  program(s) {
    let a, b;
    try { ({ a, b } = split(s)); } catch { a = b = { labels: ['C'], edges: [] }; }
    return goProgram(['fmt', 'example.org/mercer/data/graph/jsonl', 'example.org/mercer/kernel/graph'], `a, err := jsonl.Parse(${JSON.stringify(line(a))})
if err != nil {
	panic(err)
}
b, err := jsonl.Parse(${JSON.stringify(line(b))})
fmt.Println(graph.WL{Rounds: ${s.rounds}}.Eval(a, b), err)`);
  },
};
