// Search in the browser, and figures that come to life. Without scripts pages are complete, but for
// these.
const root = document.querySelector('script[data-root]').dataset.root;

// A figure gives way to the screen of the lab that shows the same.
for (const button of document.querySelectorAll('button.live')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const frame = Object.assign(document.createElement('iframe'), { src: button.dataset.screen, title: 'The lab: ' + (button.closest('figure').querySelector('img')?.alt ?? '') });
    button.closest('figure').replaceChildren(frame);
    frame.focus();
  });
}

const form = document.getElementById('site-search'), query = document.getElementById('site-query'), hits = document.getElementById('site-hits');
form.hidden = false;
form.addEventListener('submit', (e) => e.preventDefault());
query.addEventListener('input', () => search(query.value));
addEventListener('keydown', (e) => {
  if (e.key === '/' && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) { e.preventDefault(); query.focus(); }
  if (e.key === 'Escape' && document.activeElement === query) { query.value = ''; search(''); }
});

let index;
const most = 20;

// scores of the parts that have a word which begins so: more for whole words and for headings.
function scores(words, beginning) {
  const out = new Map();
  for (const word of Object.keys(words)) {
    if (!word.startsWith(beginning)) continue;
    const whole = word === beginning ? 2 : 1;
    for (const at of words[word]) {
      const part = at < 0 ? -1 - at : at, score = whole * (at < 0 ? 5 : 1);
      out.set(part, Math.max(out.get(part) ?? 0, score));
    }
  }
  return out;
}

// find returns the parts that have all words, the best first.
function find(text) {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((w) => w.length > 1);
  if (words.length === 0) return [];
  const of = words.map((w) => scores(index.words, w));
  const found = [...of[0].keys()].filter((part) => of.every((s) => s.has(part)));
  const total = (part) => of.reduce((sum, s) => sum + s.get(part), 0);
  return found.sort((a, b) => total(b) - total(a) || a - b);
}

async function search(text) {
  const article = document.querySelector('article');
  if (text.trim().length < 2) { hits.hidden = true; article.hidden = false; return; }
  try {
    index ??= await (await fetch(root + 'search.json')).json();
  } catch {
    hits.hidden = false;
    hits.textContent = 'The index cannot be read: a page that is opened as a file has no search. Serve the folder, for example by python3 -m http.server.';
    return;
  }
  if (text !== query.value) return; // more was typed
  const found = find(text), list = document.createElement('ol');
  for (const at of found.slice(0, most)) {
    const p = index.parts[at], item = document.createElement('li'), link = document.createElement('a');
    link.href = root + p.p + (p.a ? '#' + p.a : '');
    link.textContent = p.t && p.t !== p.o ? `${p.o}: ${p.t}` : p.o;
    item.append(link, Object.assign(document.createElement('small'), { textContent: p.x }));
    list.append(item);
  }
  const head = Object.assign(document.createElement('p'), { textContent: found.length === 0 ? 'Nothing was found.' : found.length > most ? `The best ${most} of ${found.length}:` : `${found.length} found:` });
  hits.replaceChildren(head, list);
  hits.hidden = false;
  article.hidden = true;
}

// A link to a place in the page that is open leaves the list of what was found.
addEventListener('hashchange', () => { query.value = ''; search(''); });
