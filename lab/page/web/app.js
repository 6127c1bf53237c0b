// The page: a screen from the address, its settings, its pictures, and what moves its points.
import { Latest, open } from './engine.js';
import { movable } from './plot.js';
import { controls } from './controls.js';
import { decode, encode, readTable } from './state.js';
import curve from './screens/curve.js';
import boundary from './screens/boundary.js';
import gram from './screens/gram.js';
import workshop from './screens/workshop.js';
import falsifier from './screens/falsifier.js';
import components from './screens/components.js';
import clusters from './screens/clusters.js';
import denoise from './screens/denoise.js';
import words from './screens/words.js';
import graphs from './screens/graphs.js';
import deep from './screens/deep.js';
import table from './screens/table.js';

const screens = [curve, boundary, gram, workshop, falsifier, components, clusters, denoise, words, graphs, deep, table];
const at = (id) => document.getElementById(id);
let screen, state, main, held = -1, focus = -1, later, slow, asked, answers = 0;

const engine = await open();
const latest = new Latest(engine);
at('engine').textContent = engine.name;

// show goes to the screen and the state of an address.
function show() {
  const [name, query] = location.hash.slice(1).split('?');
  screen = screens.find((s) => s.name === name) ?? screens[0];
  state = { ...screen.start(), ...decode(query ?? '', screen.start()) };
  document.title = `${screen.title} · mercer lab`;
  at('title').textContent = screen.title;
  at('about').textContent = screen.about;
  at('screens').replaceChildren(...screens.map((s) => {
    const a = document.createElement('a');
    a.href = '#' + s.name;
    a.textContent = s.title;
    if (s === screen) a.setAttribute('aria-current', 'page');
    return a;
  }));
  at('csv').hidden = at('file').parentElement.hidden = !screen.columns;
  at('views').replaceChildren();
  rebuild();
  ask();
}

// rebuild lays out the settings anew.
function rebuild() {
  at('controls').replaceChildren(...controls(screen, state, (name, value, done) => {
    state[name] = value;
    screen.changed?.(state, name);
    if (done && screen.fields.find((f) => f.name === name)?.decides) rebuild();
    changed(done);
  }));
}

// changed asks again; a change that is done is kept in the address, and can be undone by going back.
function changed(done) {
  const hash = '#' + screen.name + '?' + encode(state, screen.start());
  if (done && location.hash !== hash) history.pushState(null, '', hash);
  ask(!done);
}

// ask asks coarsely while something moves, and finely when it rests.
function ask(fast = false) {
  clearTimeout(later);
  at('command').textContent = screen.command(state);
  at('program').textContent = screen.program(state);
  let request;
  try { request = screen.request(state, fast); } catch (e) { busy(false); return problem(e.message); }
  busy(true);
  asked = request;
  clearTimeout(slow);
  slow = setTimeout(() => { at('wait').hidden = false; }, 300);
  const over = () => {
    clearTimeout(slow);
    at('wait').hidden = true;
    if (request === asked && !fast) busy(false);
  };
  latest.ask(screen.name, request, (answer) => {
    problem('');
    draw(answer, request);
    over();
    document.body.dataset.answers = ++answers; // for who waits for a picture
  }, (e) => { over(); problem(e.message); });
  if (fast) later = setTimeout(() => ask(), 150);
}

// busy says that other pictures will come, to readers of screens and to tests.
function busy(yes) { at('views').setAttribute('aria-busy', yes); }

at('cancel').onclick = () => { latest.cancel(); busy(false); };

function problem(text) {
  at('problem').hidden = text === '';
  at('problem').textContent = text;
  at('views').classList.toggle('stale', text !== '');
}

function draw(answer, request) {
  const figures = screen.draw(answer, state, request);
  main = figures.find((f) => f.plot)?.plot;
  at('svg').disabled = at('png').disabled = !main;
  at('views').replaceChildren(...figures.map(({ plot, node, caption, wide }) => {
    const figure = document.createElement('figure'), text = document.createElement('figcaption');
    if (wide) figure.className = 'wide';
    text.textContent = caption;
    figure.append(plot ? plot.svg : node, text);
    return figure;
  }));
  at('says').textContent = answer.says;
  if (!screen.points || !figures[0].marks) return;
  movable(main, figures[0].marks, moves, (i) => screen.points.say(state, i));
  if (focus >= 0) figures[0].marks[Math.min(focus, figures[0].marks.length - 1)]?.focus();
}

// moves change the points of a screen.
const moves = {
  move(i, dx, dy) { const [x, y] = screen.points.get(state, i); screen.points.set(state, i, x + dx, y + dy); focus = i; changed(true); },
  add(x, y, other) { screen.points.add(state, x, y, other); focus = -1; changed(true); },
  remove(i) { if (screen.points.count(state) > 2) { screen.points.remove(state, i); focus = Math.max(0, i - 1); changed(true); } },
  turn(i) { if (screen.points.turn) { screen.points.turn(state, i); focus = i; changed(true); } },
  focus(i) { focus = i; at('views').querySelector(`[data-point="${i}"]`)?.focus(); },
  place(i) { const [x, y] = screen.points.get(state, i); return [x + (main.box.x1 - main.box.x0) / 20, y]; },
  hold(i) { held = i; focus = -1; },
};
addEventListener('pointermove', (e) => {
  if (held < 0) {
    if (screen.cursor && main?.svg.contains(e.target) && screen.cursor(state, ...main.at(e))) changed(false);
    return;
  }
  const [x, y] = main.at(e);
  screen.points.set(state, held, x, y);
  changed(false);
});
addEventListener('pointerup', () => { if (held >= 0) { held = -1; changed(true); } });
addEventListener('focusout', () => { focus = -1; });
addEventListener('popstate', show);
addEventListener('hashchange', show);
at('controls').addEventListener('submit', (e) => e.preventDefault());

// save gives a file to the reader.
function save(name, content, type) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

// picture is the first picture as SVG that stands alone: styles are written into it.
function picture() {
  const svg = main.svg.cloneNode(true), from = main.svg.querySelectorAll('*');
  svg.querySelectorAll('*').forEach((e, i) => {
    const style = getComputedStyle(from[i]);
    for (const key of ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-size', 'font-family']) e.setAttribute(key, style.getPropertyValue(key));
  });
  svg.setAttribute('width', main.w);
  svg.setAttribute('height', main.h);
  return new XMLSerializer().serializeToString(svg);
}
at('svg').onclick = () => save(screen.name + '.svg', picture(), 'image/svg+xml');
at('png').onclick = () => {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2 * main.w, 2 * main.h];
    const pen = canvas.getContext('2d');
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((b) => save(screen.name + '.png', b));
  };
  image.src = 'data:image/svg+xml,' + encodeURIComponent(picture());
};
at('csv').onclick = () => save('points.csv', screen.columns.write(state), 'text/csv');

// take reads points from a file of the reader.
async function take(file) {
  try {
    const text = await file.text();
    if (screen.columns.take) screen.columns.take(state, text, file.name); // a whole table
    else screen.columns.read(state, readTable(text, screen.columns.names));
    rebuild();
    changed(true);
  } catch (e) { problem(`${file.name}: ${e.message}`); }
}
at('file').onchange = (e) => { if (e.target.files[0]) take(e.target.files[0]); e.target.value = ''; };
addEventListener('dragover', (e) => { if (screen.columns) e.preventDefault(); });
addEventListener('drop', (e) => { e.preventDefault(); if (screen.columns && e.dataTransfer.files[0]) take(e.dataTransfer.files[0]); });

show();
