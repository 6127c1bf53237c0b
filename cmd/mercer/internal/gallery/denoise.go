package gallery

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/pca"
)

var denoiseFigures = []Figure{
	{Name: "denoise", Title: "Removing noise from images: PCA and kernel PCA", Formula: "z = arg min ‖Φ(z) − P_q Φ(x)‖,  z ← Σ γᵢκ′(‖z − xᵢ‖²)xᵢ / Σ γᵢκ′(‖z − xᵢ‖²)",
		draw:     drawDenoise,
		Commands: []string{"mercer denoise clean.csv noisy.csv --noise gaussian=0.5 -o denoised.csv --plot panel.png"},
		See:      "Linear PCA with many components lets noise through, with few it blurs. Kernel PCA with a Gaussian kernel stays near the digits that it has seen. The number of components of either, and σ among 0.7, 1 and 1.4 times the median distance, have the least error on ten other noisy digits."},
}

const (
	digitsTrained = 600 // images that the components are computed from
	digitNoise    = 0.5 // standard deviation, of grey values in [−1, 1]
)

func drawDenoise(ctx context.Context, s *figureContext) (figure.Picture, error) {
	d, err := s.digits(ctx)
	if err != nil {
		return nil, err
	}
	linear, q, err := d.byPCA(ctx, s)
	if err != nil {
		return nil, err
	}
	nonlinear, kq, sigma, err := d.byKernelPCA(ctx, s)
	if err != nil {
		return nil, err
	}
	row := func(name string, x data.Vectors) figure.DigitRow {
		out := figure.DigitRow{Name: fmt.Sprintf("%s: error %.3f", name, difference(x, d.clean))}
		for i := range x.Len() {
			out.Images = append(out.Images, x.At(i))
		}
		return out
	}
	original := row("", d.clean)
	original.Name = "original"
	return figure.Digits{Width: digitSide, Height: digitSide, White: -1, Black: 1, Rows: []figure.DigitRow{
		original, row(fmt.Sprintf("noise ± %g", digitNoise), d.noisy),
		row(fmt.Sprintf("PCA, q = %d", q), linear),
		row(fmt.Sprintf("kernel PCA, σ = %.3g, q = %d", sigma, kq), nonlinear)}}, nil
}

// difference is the mean of the squared differences of grey values.
func difference(x, y data.Vectors) float64 {
	sum := 0.0
	for i, v := range x.Raw() {
		sum += (v - y.Raw()[i]) * (v - y.Raw()[i])
	}
	return sum / float64(len(x.Raw()))
}

// counts are the numbers of components that are tried.
var counts = []int{4, 8, 16, 32, 64, 128, 256}

// best tries the numbers of components on the images for choosing, and returns what the
// best one makes of the images to show, with its error on those for choosing.
func (d *digits) best(denoise func(noisy data.Vectors, q int) (data.Vectors, error)) (out data.Vectors, q int, least float64, err error) {
	least = math.Inf(1)
	for _, n := range counts {
		tried, err := denoise(d.choosing, n)
		if err != nil {
			return out, 0, 0, err
		}
		if e := difference(tried, d.chosen); e < least {
			least, q = e, n
		}
	}
	out, err = denoise(d.noisy, q)
	return out, q, least, err
}

// byPCA projects on leading components.
func (d *digits) byPCA(ctx context.Context, s *figureContext) (data.Vectors, int, error) {
	m, _, err := pca.Fit(ctx, d.train, pca.Options{Components: counts[len(counts)-1], Solver: pca.Exact, Compute: s.Compute})
	if err != nil {
		return data.Vectors{}, 0, err
	}
	out, q, _, err := d.best(func(noisy data.Vectors, q int) (data.Vectors, error) {
		scores, err := m.Transform(noisy)
		if err != nil {
			return data.Vectors{}, err
		}
		n, all := scores.Dims()
		for i := range n {
			for j := q; j < all; j++ {
				scores.Set(i, j, 0)
			}
		}
		return m.Inverse(scores)
	})
	return out, q, err
}

// byKernelPCA finds pre-images of projections on leading components by the fixed point
// of Mika et al., with the best of three widths.
func (d *digits) byKernelPCA(ctx context.Context, s *figureContext) (out data.Vectors, q int, sigma float64, err error) {
	k, err := median(ctx, d.train)
	if err != nil {
		return out, 0, 0, err
	}
	least := math.Inf(1)
	for _, part := range []float64{0.7, 1, 1.4} {
		width := rounded(part * k.Sigma)
		tried, n, e, err := d.byWidth(ctx, s, width)
		if err != nil {
			return out, 0, 0, err
		}
		if e < least {
			out, q, sigma, least = tried, n, width.Sigma, e
		}
	}
	return out, q, sigma, nil
}

// byWidth is byKernelPCA with one kernel.
func (d *digits) byWidth(ctx context.Context, s *figureContext, k vec.RBF) (data.Vectors, int, float64, error) {
	f, _, err := kpca.Fit(ctx, vec.Kernel(k), d.train, kpca.Options{Components: counts[len(counts)-1], Seed: s.Seed, Compute: s.Compute})
	if err != nil {
		return data.Vectors{}, 0, 0, err
	}
	return d.best(func(noisy data.Vectors, q int) (data.Vectors, error) {
		answers, err := preimage.Denoise(ctx, f, nil, q, noisy, preimage.FixedPoint{Profile: preimage.Gaussian(k.Sigma)}, s.Compute)
		if err != nil {
			return data.Vectors{}, err
		}
		var images [][]float64
		for _, a := range answers {
			images = append(images, a.Point)
		}
		return vectors(images...), nil
	})
}
