// A picture in SVG: axes, lines, fields, and points that are moved by the mouse, a finger or the keyboard.

const space = 'http://www.w3.org/2000/svg';

export function element(name, attributes = {}, ...children) {
  const e = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// ticks are about n round numbers between a and b.
export function ticks(a, b, n = 5) {
  const raw = (b - a) / n, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const out = [];
  for (let t = Math.ceil(a / step) * step; t <= b + step * 1e-9; t += step) out.push(Math.abs(t) < step * 1e-9 ? 0 : t);
  return out;
}

export const number = (v) => v === 0 ? '0' : Math.abs(v) >= 1e4 || Math.abs(v) < 1e-3 ? v.toExponential(1).replace('e+', 'e') : String(+v.toPrecision(4));

// shades of values from −1 to 1, safe for colour blindness: orange, white, blue.
function diverging(v) {
  const [r, g, b] = v < 0 ? [213, 94, 0] : [0, 114, 178], s = Math.min(1, Math.abs(v)) * .75;
  return [255 + (r - 255) * s, 255 + (g - 255) * s, 255 + (b - 255) * s, 255];
}

export class Plot {
  constructor({ title, x = '', y = '', box, width = 520, height = 380, log = false, whole = false }) {
    this.box = box; this.w = width; this.h = height; this.log = log; this.whole = whole;
    this.left = 48; this.right = 10; this.top = 8; this.bottom = 36;
    this.svg = element('svg', { viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': title, xmlns: space });
    this.under = element('g'); this.over = element('g');
    this.clip = 'clip' + Math.random().toString(36).slice(2);
    this.svg.append(element('clipPath', { id: this.clip }, element('rect', { x: this.left, y: this.top, width: this.innerWidth, height: this.innerHeight })), this.under);
    this.#axes(x, y);
    this.inside = element('g', { 'clip-path': `url(#${this.clip})` });
    this.svg.append(this.inside, this.over);
  }
  get innerWidth() { return this.w - this.left - this.right; }
  get innerHeight() { return this.h - this.top - this.bottom; }
  #u(x) { return this.log ? Math.log10(x) : x; }
  px(x) { const { x0, x1 } = this.box; return this.left + (this.#u(x) - this.#u(x0)) / (this.#u(x1) - this.#u(x0)) * this.innerWidth; }
  py(y) { const { y0, y1 } = this.box; return this.top + (1 - (y - y0) / (y1 - y0)) * this.innerHeight; }
  // at is the point of the plane under a pointer.
  at(event) {
    const r = this.svg.getBoundingClientRect(), { x0, x1, y0, y1 } = this.box;
    const u = (event.clientX - r.left) / r.width * this.w, v = (event.clientY - r.top) / r.height * this.h;
    return [x0 + (u - this.left) / this.innerWidth * (x1 - x0), y0 + (1 - (v - this.top) / this.innerHeight) * (y1 - y0)];
  }
  #axes(x, y) {
    const { x0, x1, y0, y1 } = this.box;
    const along = this.log ? ticks(Math.log10(x0), Math.log10(x1)).filter(Number.isInteger).map((e) => 10 ** e) : ticks(x0, x1).filter((t) => !this.whole || Number.isInteger(t));
    for (const t of along) {
      this.under.append(element('line', { class: 'grid', x1: this.px(t), x2: this.px(t), y1: this.top, y2: this.h - this.bottom }));
      this.svg.append(element('text', { x: this.px(t), y: this.h - this.bottom + 14, 'text-anchor': 'middle' }, this.log ? '1e' + Math.round(Math.log10(t)) : number(t)));
    }
    for (const t of ticks(y0, y1).filter((t) => !this.whole || Number.isInteger(t))) {
      this.under.append(element('line', { class: 'grid', x1: this.left, x2: this.w - this.right, y1: this.py(t), y2: this.py(t) }));
      this.svg.append(element('text', { x: this.left - 5, y: this.py(t) + 4, 'text-anchor': 'end' }, number(t)));
    }
    this.svg.append(element('path', { class: 'axis', fill: 'none', d: `M${this.left} ${this.top}V${this.h - this.bottom}H${this.w - this.right}` }),
      element('text', { class: 'name', x: this.left + this.innerWidth / 2, y: this.h - 6, 'text-anchor': 'middle' }, x),
      element('text', { class: 'name', transform: `translate(12 ${this.top + this.innerHeight / 2}) rotate(-90)`, 'text-anchor': 'middle' }, y));
  }
  line(xs, ys, style) {
    let d = '', pen = false;
    xs.forEach((x, i) => {
      if (ys[i] === null) { pen = false; return; }
      d += `${pen ? 'L' : 'M'}${this.px(x).toFixed(1)} ${this.py(ys[i]).toFixed(1)}`;
      pen = true;
    });
    this.inside.append(element('path', { class: 'curve ' + style, d }));
    return this;
  }
  band(xs, low, high) {
    const up = xs.map((x, i) => `${this.px(x).toFixed(1)} ${this.py(high[i]).toFixed(1)}`), down = xs.map((x, i) => `${this.px(x).toFixed(1)} ${this.py(low[i]).toFixed(1)}`).reverse();
    this.inside.append(element('path', { class: 'band', d: `M${up.concat(down).join('L')}Z` }));
    return this;
  }
  rule(x, style = 'ls dash') { this.inside.append(element('line', { class: style, x1: this.px(x), x2: this.px(x), y1: this.top, y2: this.h - this.bottom })); return this; }
  segment(x1, y1, x2, y2, style) { this.inside.append(element('line', { class: style, x1: this.px(x1), x2: this.px(x2), y1: this.py(y1), y2: this.py(y2) })); return this; }
  // field shades values on a square grid, row by row from below, and draws level lines.
  // sharp keeps the edges of its cells.
  field(values, side, levels = [0], scale = Math.max(...values.map(Math.abs)) || 1, sharp = false) {
    const canvas = document.createElement('canvas'), pen = canvas.getContext('2d'), image = pen.createImageData(side, side);
    canvas.width = canvas.height = side;
    values.forEach((v, i) => {
      const at = 4 * ((side - 1 - Math.floor(i / side)) * side + i % side);
      image.data.set(diverging(v / scale), at);
    });
    pen.putImageData(image, 0, 0);
    const { x0, x1, y0, y1 } = this.box, half = sharp ? 0 : .5 / (side - 1), hx = (x1 - x0) * half, hy = (y1 - y0) * half; // values stand at nodes, or fill cells
    this.inside.append(element('image', { href: canvas.toDataURL(), x: this.px(x0 - hx), y: this.py(y1 + hy), width: this.px(x1 + hx) - this.px(x0 - hx), height: this.py(y0 - hy) - this.py(y1 + hy), preserveAspectRatio: 'none', opacity: .8, 'image-rendering': sharp ? 'pixelated' : 'auto' }));
    for (const level of levels) this.inside.append(element('path', { class: 'curve lk' + (level === 0 ? '' : ' thin'), d: this.#contour(values, side, level) }));
    return this;
  }
  // #contour joins crossings of the sides of each cell (marching squares).
  #contour(z, side, level) {
    const { x0, x1, y0, y1 } = this.box, x = (j) => this.px(x0 + (x1 - x0) * j / (side - 1)).toFixed(1), y = (i) => this.py(y0 + (y1 - y0) * i / (side - 1)).toFixed(1);
    let d = '';
    for (let i = 0; i + 1 < side; i++) for (let j = 0; j + 1 < side; j++) {
      const a = z[i * side + j] - level, b = z[i * side + j + 1] - level, c = z[(i + 1) * side + j + 1] - level, e = z[(i + 1) * side + j] - level, cross = [];
      if (a > 0 !== b > 0) cross.push([j + a / (a - b), i]);
      if (b > 0 !== c > 0) cross.push([j + 1, i + b / (b - c)]);
      if (e > 0 !== c > 0) cross.push([j + e / (e - c), i + 1]);
      if (a > 0 !== e > 0) cross.push([j, i + a / (a - e)]);
      for (let k = 0; k + 1 < cross.length; k += 2) d += `M${x(cross[k][0])} ${y(cross[k][1])}L${x(cross[k + 1][0])} ${y(cross[k + 1][1])}`;
    }
    return d;
  }
  note(x, y, text) { this.inside.append(element('text', { class: 'name', x: this.px(x), y: this.py(y) + 4, 'text-anchor': 'middle' }, text)); return this; }
  // mark draws a point as the shape of its class; see movable.
  mark(x, y, kind, { size = 5, ring = false, crossed = false, name = '', faint = false } = {}) {
    const u = this.px(x), v = this.py(y), s = size;
    const path = element('path', { class: `mark ${colour(kind)}`, d: shape(kind, u, v, s), opacity: faint ? .45 : 1 });
    if (name) path.append(element('title', {}, name));
    if (ring) this.over.append(element('circle', { class: 'lk', fill: 'none', 'stroke-width': 1.5, cx: u, cy: v, r: s + 3.5 }));
    this.over.append(path);
    if (crossed) this.over.append(element('path', { class: 'lk', 'stroke-width': 1.6, d: `M${u - s - 3} ${v - s - 3}l${2 * s + 6} ${2 * s + 6}m0 ${-2 * s - 6}l${-2 * s - 6} ${2 * s + 6}` }));
    return path;
  }
  // dots draws many points that nobody moves, as one element.
  dots(xs, ys, kind, size) {
    this.over.append(element('path', { class: `dots ${colour(kind)}`, d: xs.map((x, i) => shape(kind, this.px(x), this.py(ys[i]), size)).join('') }));
    return this;
  }
}

const colour = (kind) => kind < 0 ? 'ck' : 'c' + kind % 6;

// shapes are those of the classes: circle, square, triangle, diamond.
const shapes = [
  (u, v, s) => `M${u - s} ${v}a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0`,
  (u, v, s) => `M${u - s} ${v - s}h${2 * s}v${2 * s}h${-2 * s}z`,
  (u, v, s) => `M${u} ${v - 1.3 * s}l${1.2 * s} ${2.1 * s}h${-2.4 * s}z`,
  (u, v, s) => `M${u} ${v - 1.4 * s}l${1.4 * s} ${1.4 * s}l${-1.4 * s} ${1.4 * s}l${-1.4 * s} ${-1.4 * s}z`,
];
const shape = (kind, u, v, s) => shapes[Math.max(0, kind) % 4](u, v, s);

// movable lets points of a plot be moved, added, removed and relabelled. on has move(i, x, y), add(x, y),
// remove(i) and turn(i); marks are the paths of the points in their order.
export function movable(plot, marks, on, say) {
  const step = (e) => (plot.box.x1 - plot.box.x0) / (e.shiftKey ? 20 : 100);
  marks.forEach((mark, i) => {
    mark.setAttribute('tabindex', i === 0 ? '0' : '-1');
    mark.setAttribute('role', 'img');
    mark.setAttribute('aria-label', say(i));
    mark.dataset.point = i;
  });
  plot.svg.addEventListener('keydown', (e) => {
    const i = Number(e.target.dataset?.point);
    if (!Number.isInteger(i)) return;
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (by) on.move(i, by[0] * step(e), by[1] * step(e), true);
    else if (e.key === 'Delete' || e.key === 'Backspace') on.remove(i);
    else if (e.key === ' ' || e.key === 'Enter') on.turn?.(i);
    else if (e.key === 'n' || e.key === 'p') on.focus((i + (e.key === 'n' ? 1 : marks.length - 1)) % marks.length);
    else if (e.key === '+') on.add(...on.place(i));
    else return;
    e.preventDefault();
  });
  let held = -1;
  plot.svg.addEventListener('pointerdown', (e) => {
    const i = Number(e.target.dataset?.point);
    if (Number.isInteger(i)) {
      if (e.altKey) return on.remove(i);
      held = i;
      on.hold(i);
    } else if (e.button === 0) on.add(...plot.at(e), e.shiftKey);
    e.preventDefault();
  });
  plot.svg.addEventListener('dblclick', (e) => { const i = Number(e.target.dataset?.point); if (Number.isInteger(i)) on.turn?.(i); });
}
