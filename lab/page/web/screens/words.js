// Two strings and the words of k letters that they share.
import { Plot } from '../plot.js';
import { goProgram } from './shared.js';

// lit writes a string with the places of shared words marked.
function lit(text, words, k) {
  const marked = new Array(text.length).fill(false), p = document.createElement('p');
  for (let i = 0; i + k <= text.length; i++) if (words.has(text.slice(i, i + k))) marked.fill(true, i, i + k);
  p.className = 'word';
  [...text].forEach((letter, i) => { p.append(marked[i] ? Object.assign(document.createElement('span'), { className: 'hit', textContent: letter }) : letter); });
  return p;
}

export default {
  name: 'words', title: 'Strings',
  about: 'The spectrum kernel of two strings is Σ over words u of k letters of the number of places of u in each. Shared words are lit.',
  start: () => ({ a: 'GATTACAGATTACCA', b: 'CATTAGATTACATA', k: 3 }),
  fields: [
    { name: 'a', label: 'First string', kind: 'text', long: true },
    { name: 'b', label: 'Second string', kind: 'text', long: true },
    { name: 'k', label: 'Letters of a word, k', kind: 'number', from: 1, to: 10 },
  ],
  request: (s) => ({ a: s.a, b: s.b, k: s.k }),
  draw(a, s) {
    const words = new Set(a.shared.map((w) => w.word)), node = document.createElement('div'), top = [...a.shared].sort((u, v) => v.in_a * v.in_b - u.in_a * u.in_b).slice(0, 20), n = Math.max(1, top.length);
    node.append(lit(s.a, words, s.k), lit(s.b, words, s.k));
    const most = Math.max(1, ...top.map((w) => w.in_a * w.in_b)), plot = new Plot({ title: 'What each shared word adds', x: 'word', y: 'places × places', box: { x0: .5, x1: n + .5, y0: 0, y1: most * 1.1 }, width: 820, height: 260 });
    top.forEach((w, i) => {
      plot.segment(i + 1, 0, i + 1, w.in_a * w.in_b, 'l1 curve');
      plot.mark(i + 1, w.in_a * w.in_b, 1, { name: `${w.word}: ${w.in_a} × ${w.in_b}` });
    });
    return [{ plot, wide: true, caption: 'Words from the left: ' + (top.map((w) => `${w.word} (${w.in_a} × ${w.in_b})`).join(', ') || 'none') + '.' }, { node, wide: true, caption: 'Letters of shared words are bold and underlined.' }];
  },
  command: (s) => `printf 's\\n${s.a}\\n${s.b}\\n' | mercer gram - --type s=text --kernel 'spectrum(k=${s.k})[s]' --plot words.png`,
  program: (s) => goProgram(['fmt', 'example.org/mercer/kernel/seq'], `k := seq.Spectrum{K: ${s.k}}
fmt.Println(k.Eval(${JSON.stringify(s.a)}, ${JSON.stringify(s.b)}))`),
};
