package lab

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
	"example.org/mercer/lab/digits"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/pca"
)

// denoiseScreen takes noise from images of digits, by linear and by kernel principal components.
var denoiseScreen = screen("denoise", "Denoising", answerDenoise)

// denoiseRequest asks for the ten digits with noise of a deviation. Width is the σ of the Gaussian
// kernel as a share of the median distance.
type denoiseRequest struct {
	Train      int     `json:"train"` // images to learn from
	Noise      float64 `json:"noise"`
	Components int     `json:"components"`
	Width      float64 `json:"width"`
	Method     string  `json:"method"` // of pre-images
	Seed       uint64  `json:"seed"`
}

// denoiseAnswer has rows of images, of which the first is without noise.
type denoiseAnswer struct {
	Side  int         `json:"side"`
	Sigma float64     `json:"sigma"`
	Rows  []imageRow  `json:"rows"`
	Off   Numbers     `json:"off"` // ‖φ(z) − Pφ(x)‖ of each pre-image
	Kept  denoiseKept `json:"kept"`
	Says  string      `json:"says"`
}

// denoiseKept is the share of the variance that the components have.
type denoiseKept struct {
	PCA  float64 `json:"pca"`
	KPCA float64 `json:"kpca"`
}

type imageRow struct {
	Name   string    `json:"name"`
	Images []Numbers `json:"images"`
	Error  float64   `json:"error"` // mean square of the differences from the first row
}

// finders are the methods of pre-images.
var finders = map[string]func(sigma float64) preimage.Method[[]float64]{
	"distances": func(sigma float64) preimage.Method[[]float64] {
		return preimage.Distances{Profile: preimage.Gaussian(sigma)}
	},
	"fixed-point": func(sigma float64) preimage.Method[[]float64] {
		return preimage.FixedPoint{Profile: preimage.Gaussian(sigma), Iterations: 100, Tolerance: 1e-4}
	},
}

// mostImages bounds the images to learn from.
const mostImages = 500

func answerDenoise(ctx context.Context, q denoiseRequest, o compute.Options) (*denoiseAnswer, error) {
	if q.Train < 20 || q.Train > mostImages || q.Components < 1 || q.Components >= q.Train {
		return nil, invalid("%d components of %d images: there are 20 to %d images, and fewer components", q.Components, q.Train, mostImages)
	}
	if !(q.Noise >= 0 && q.Noise <= 5) {
		return nil, invalid("noise of deviation %v: it is 0 to 5", q.Noise)
	}
	if err := positive("width", q.Width); err != nil {
		return nil, err
	}
	find, ok := finders[q.Method]
	if !ok {
		return nil, invalid("method %q is not known here; there are distances and fixed-point", q.Method)
	}
	train, clean, noisy := drawDigits(q)
	k, err := width.ParseOn(ctx, "rbf(sigma=median)", train, vec.Schema{})
	if err != nil {
		return nil, err
	}
	sigma := q.Width * k.(vec.RBF).Sigma
	out := &denoiseAnswer{Side: digits.Side, Sigma: sigma, Rows: []imageRow{rowOf("without noise", clean, clean), rowOf("with noise", noisy, clean)}}
	linear, kept, err := byPCA(ctx, train, noisy, q.Components, o)
	if err != nil {
		return nil, err
	}
	f, r, err := kpca.Fit(ctx, vec.Kernel(vec.RBF{Sigma: sigma}), train, kpca.Options{Components: q.Components, Compute: o})
	if err != nil {
		return nil, invalid("%v", err)
	}
	found, err := preimage.Denoise(ctx, f, nil, r.Components, noisy, find(sigma), o)
	if err != nil {
		return nil, invalid("%v", err)
	}
	images, off := data.MakeVectors(len(found), digits.Side*digits.Side), make(Numbers, len(found))
	for i, z := range found {
		copy(images.At(i), z.Point)
		off[i] = z.Residual
	}
	out.Off = off
	out.Rows = append(out.Rows, rowOf("principal components", linear, clean), rowOf("kernel principal components", images, clean))
	out.Kept = denoiseKept{kept, floats.Sum(r.Ratio)}
	out.Says = fmt.Sprintf("Mean squared errors: with noise %.3g, by principal components %.3g, by kernel principal components %.3g (σ = %.3g).", out.Rows[1].Error, out.Rows[2].Error, out.Rows[3].Error, sigma)
	return out, nil
}

// drawDigits draws images to learn from, and one of each digit without and with noise.
func drawDigits(q denoiseRequest) (train, clean, noisy data.Vectors) {
	r := rand.New(rand.NewPCG(q.Seed, 1))
	const dim = digits.Side * digits.Side
	train, clean, noisy = data.MakeVectors(q.Train, dim), data.MakeVectors(10, dim), data.MakeVectors(10, dim)
	for i := range q.Train {
		copy(train.At(i), digits.Draw(r, i%10))
	}
	for digit := range 10 {
		copy(clean.At(digit), digits.Draw(r, digit))
		for j, v := range clean.At(digit) {
			noisy.At(digit)[j] = v + q.Noise*r.NormFloat64()
		}
	}
	return train, clean, noisy
}

// byPCA projects on leading components, and returns the share of the variance that they have.
func byPCA(ctx context.Context, train, noisy data.Vectors, components int, o compute.Options) (out data.Vectors, kept float64, err error) {
	m, r, err := pca.Fit(ctx, train, pca.Options{Components: min(components, digits.Side*digits.Side), Solver: pca.Exact, Compute: o})
	if err != nil {
		return out, 0, err
	}
	scores, err := m.Transform(noisy)
	if err != nil {
		return out, 0, err
	}
	out, err = m.Inverse(scores)
	return out, floats.Sum(r.Ratio), err
}

// rowOf is a row of images.
func rowOf(name string, images, clean data.Vectors) imageRow {
	row := imageRow{Name: name}
	for i := range images.Len() {
		row.Images = append(row.Images, images.At(i))
		for j, v := range images.At(i) {
			off := v - clean.At(i)[j]
			row.Error += off * off / float64(len(images.Raw()))
		}
	}
	return row
}
