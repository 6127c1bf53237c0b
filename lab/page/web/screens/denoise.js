// Digits with noise, and what principal components and their kernel form make of them.
import { goProgram } from './shared.js';
import { images } from '../images.js';

export default {
  name: 'denoise', title: 'Denoising',
  about: 'An image with noise is projected on the leading components of other images. In a feature space the projection is no image: the nearest one, its pre-image, is sought.',
  start: () => ({ noise: .8, components: 60, width: 1, method: 'distances', train: 400, seed: 1 }),
  fields: [
    { name: 'noise', label: 'Noise, its deviation (paper −1, ink 1)', kind: 'number', from: 0, to: 2, step: .05 },
    { name: 'components', label: 'Components', kind: 'number', from: 1, to: 150 },
    { name: 'width', label: 'σ of the Gaussian kernel, in median distances', kind: 'log', from: -1, to: 1 },
    { name: 'method', label: 'Pre-images by', kind: 'choice', of: [['distances', 'distances (Kwok and Tsang)'], ['fixed-point', 'fixed point (Mika et al.)']] },
    { name: 'train', label: 'Images to learn from', kind: 'number', from: 50, to: 400, step: 50 },
    { name: 'seed', label: 'Other images', kind: 'button', act: (s) => { s.seed++; } },
  ],
  request: (s, fast) => ({ train: fast ? Math.min(s.train, 100) : s.train, noise: s.noise, components: Math.min(s.components, (fast ? Math.min(s.train, 100) : s.train) - 1), width: s.width, method: s.method, seed: s.seed }),
  draw(a) {
    const figures = a.rows.map((row, i) => ({ ...images(row.name, row.images, a.side, i === 3 ? row.images.map((_, j) => `off by ${a.off[j].toPrecision(2)} in feature space`) : []), wide: true, caption: i === 0 ? 'Without noise.' : `${row.name[0].toUpperCase() + row.name.slice(1)}: mean squared error ${row.error.toPrecision(3)}${i === 2 ? `, of ${(100 * a.kept.pca).toPrecision(3)} % of the variance` : i === 3 ? `, of ${(100 * a.kept.kpca).toPrecision(3)} % of the variance in feature space` : ''}.` }));
    return figures;
  },
  command: (s) => `mercer denoise clean.csv noisy.csv --kernel 'rbf(sigma=median)' --components ${s.components} --pre-image ${s.method} --about-mean -o denoised.csv --plot panel.png`,
  program: (s) => goProgram(['context', 'fmt', 'math/rand/v2', 'example.org/mercer/compute', 'example.org/mercer/data', 'example.org/mercer/kernel/vec', 'example.org/mercer/kernel/width', 'example.org/mercer/lab/digits', 'example.org/mercer/rkhs/preimage', 'example.org/mercer/unsupervised/kpca'], `ctx, r := context.Background(), rand.New(rand.NewPCG(${s.seed}, 1))
train, noisy := data.MakeVectors(${s.train}, digits.Side*digits.Side), data.MakeVectors(10, digits.Side*digits.Side)
for i := range train.Len() {
	copy(train.At(i), digits.Draw(r, i%10))
}
for i := range noisy.Len() {
	for j, v := range digits.Draw(r, i) {
		noisy.At(i)[j] = v + ${s.noise}*r.NormFloat64()
	}
}
k, err := width.ParseOn(ctx, "rbf(sigma=median)", train, vec.Schema{})
if err != nil {
	panic(err)
}
sigma := ${s.width} * k.(vec.RBF).Sigma
f, report, err := kpca.Fit(ctx, vec.Kernel(vec.RBF{Sigma: sigma}), train, kpca.Options{Components: ${s.components}})
if err != nil {
	panic(err)
}
found, err := preimage.Denoise(ctx, f, nil, report.Components, noisy, preimage.${s.method === 'fixed-point' ? 'FixedPoint' : 'Distances'}{Profile: preimage.Gaussian(sigma)}, compute.Options{})
fmt.Println(found, err)`),
};
