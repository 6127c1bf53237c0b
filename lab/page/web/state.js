// The state of a screen as the text of an address, and tables of the reader.

const short = (v) => String(+v.toPrecision(4));

// encode writes what differs from the start; lists of numbers are joined by commas.
export function encode(state, start) {
  const out = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    const text = Array.isArray(value) ? value.map(short).join(',') : String(value), before = start[key];
    if (text !== (Array.isArray(before) ? before.map(short).join(',') : String(before))) out.set(key, text);
  }
  return out.toString();
}

// decode reads what encode wrote, as the kinds of the start say; what is none of them is left out.
export function decode(query, start) {
  const out = {};
  for (const [key, text] of new URLSearchParams(query)) {
    const kind = start[key];
    if (Array.isArray(kind)) {
      const list = text === '' ? [] : text.split(',').map(Number);
      if (list.every(Number.isFinite)) out[key] = list;
    } else if (typeof kind === 'number') {
      if (Number.isFinite(Number(text))) out[key] = Number(text);
    } else if (typeof kind === 'boolean') out[key] = text === 'true';
    else if (typeof kind === 'string') out[key] = text;
  }
  return out;
}

// readTable reads columns of names from CSV with or without a head: the named ones, or the first.
export function readTable(text, names) {
  const lines = text.split(/\r?\n/).filter((l) => l.trim() !== '');
  if (lines.length < 2) throw new Error('it has fewer than two rows.');
  const comma = [',', ';', '\t'].find((c) => lines[0].includes(c)) ?? ',';
  const cells = lines.map((l) => l.split(comma).map((c) => c.trim().replace(/^"(.*)"$/, '$1')));
  const headed = cells[0].some((c) => c === '' || Number.isNaN(Number(c))) && cells[1].some((c) => c !== '' && !Number.isNaN(Number(c)));
  const head = headed ? cells.shift() : [];
  if (cells[0].length < names.length) throw new Error(`it has ${cells[0].length} columns; ${names.length} are needed: ${names.join(', ')}.`);
  const columns = names.map((n, i) => head.indexOf(n) >= 0 ? head.indexOf(n) : i);
  if (cells.length > 2000) throw new Error(`it has ${cells.length} rows; at most 2000 can be seen. mercer fit takes any number.`);
  return { names: columns.map((c, i) => head[c] ?? names[i]), rows: cells.map((r, i) => columns.map((c) => {
    if (r[c] === undefined || r[c] === '') throw new Error(`row ${i + 1} has no cell in column ${c + 1}.`);
    return r[c];
  })) };
}

export const numeric = (text, row) => {
  const v = Number(text);
  if (!Number.isFinite(v)) throw new Error(`row ${row + 1} has “${text}”, which is no number.`);
  return v;
};
