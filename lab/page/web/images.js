// Rows of small grey images in SVG, with a name for who hears the page.
import { element } from './plot.js';

// images draws values from −1, paper, to 1, ink.
export function images(title, list, side, names = []) {
  const size = 72, gap = 6, w = list.length * (size + gap), svg = element('svg', { viewBox: `0 0 ${w} ${size}`, role: 'img', 'aria-label': `${title}: ${list.length} images`, xmlns: 'http://www.w3.org/2000/svg' });
  list.forEach((values, i) => {
    const canvas = document.createElement('canvas'), pen = canvas.getContext('2d'), image = pen.createImageData(side, side);
    canvas.width = canvas.height = side;
    values.forEach((v, j) => { const grey = 255 * (1 - Math.min(1, Math.max(0, (v + 1) / 2))); image.data.set([grey, grey, grey, 255], 4 * j); });
    pen.putImageData(image, 0, 0);
    const drawn = element('image', { href: canvas.toDataURL(), x: i * (size + gap), y: 0, width: size, height: size, 'image-rendering': 'pixelated' });
    if (names[i]) drawn.append(element('title', {}, names[i]));
    svg.append(drawn);
  });
  return { plot: { svg, w, h: size } };
}
