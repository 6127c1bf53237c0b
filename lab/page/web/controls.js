// Settings of a screen: native fields with names, so that keyboards and readers know them.
import { number } from './plot.js';

function node(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

const kinds = {
  // choice has of, pairs of a value and its name, or a function that returns them; without a value
  // the last is chosen.
  choice(field, value, change) {
    const of = typeof field.of === 'function' ? field.of() : field.of;
    const select = node('select', { name: field.name }, ...of.map(([v, text], i) => {
      const option = node('option', { value: v }, text);
      option.selected = v === value || value === '' && i === of.length - 1;
      return option;
    }));
    select.onchange = () => change(select.value, true);
    return node('label', {}, field.label, select);
  },
  text(field, value, change) {
    const input = node(field.long ? 'textarea' : 'input', { name: field.name, spellcheck: 'false', autocomplete: 'off' });
    input.value = value;
    input.oninput = () => change(input.value, false);
    input.onchange = () => change(input.value, true);
    if (!field.suggest) return node('label', {}, field.label, input);
    const list = node('datalist', { id: 'suggest-' + field.name }, ...field.suggest.map((s) => node('option', { value: s })));
    input.setAttribute('list', list.id);
    return node('label', {}, field.label, input, list);
  },
  // log is a slider of powers of ten, with a field for the number itself.
  log(field, value, change) { return slider(field, Math.log10(value), (p) => +(10 ** p).toPrecision(3), .05, value, change); },
  number(field, value, change) { return slider(field, value, (v) => v, field.step ?? 1, value, change); },
  check(field, value, change) {
    const input = node('input', { type: 'checkbox', name: field.name });
    input.checked = value;
    input.onchange = () => change(input.checked, true);
    return node('label', {}, node('span', {}, input, ' ' + field.label));
  },
  button(field, _, change) {
    const button = node('button', { type: 'button' }, field.label);
    button.onclick = () => change(undefined, true);
    return button;
  },
};

function slider(field, position, of, step, value, change) {
  const range = node('input', { type: 'range', name: field.name, min: field.from, max: field.to, step, 'aria-label': field.label });
  const exact = node('input', { type: 'text', inputmode: 'decimal', value: number(value), 'aria-label': field.label + ', the number' });
  range.value = position;
  range.setAttribute('aria-valuetext', number(value));
  const moved = (done) => {
    const v = of(Number(range.value));
    exact.value = number(v);
    range.setAttribute('aria-valuetext', number(v));
    change(v, done);
  };
  range.oninput = () => moved(false);
  range.onchange = () => moved(true);
  exact.onchange = () => change(Number(exact.value.replace(',', '.')), true);
  return node('fieldset', {}, node('span', {}, field.label), node('div', { class: 'slide' }, range, exact));
}

// controls are the fields of a screen; change(name, value, done) tells what happens to them.
export function controls(screen, state, change) {
  return screen.fields.filter((f) => !f.when || f.when(state)).map((f) => kinds[f.kind](f, state[f.name], (value, done) => {
    if (f.act) { f.act(state); change(f.name, state[f.name], true); } else change(f.name, value, done);
  })).concat(note(screen));
}

function note(screen) {
  if (!screen.points) return [];
  const d = node('details', {}, node('summary', {}, 'How to move points'));
  d.append(node('p', {}, 'Drag a point; click where there is none to add one' + (screen.points.turn ? ', with Shift of the other label; a double click changes the label' : '') + '. With the keyboard: Tab to the points, n and p go to the next and the one before, arrows move (Shift: further), + adds one beside, Delete removes' + (screen.points.turn ? ', Space changes the label' : '') + '. The browser’s Back undoes.'));
  return [d];
}
